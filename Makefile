# The few commands of the project; each installs missing packages first.

PREFIX ?= /usr/local
JOBS ?= $(shell nproc)
PROGRAM := build/release/icct

.PHONY: build demo test lint bench install packages onnxruntime clean

build: packages
	@cmake --preset release > build/release.log 2>&1 || { cat build/release.log; exit 1; }
	@cmake --build --preset release -j $(JOBS)

# The main job: learn a tree from nothing, and see how well it lands. A second time: the same tree is shown.
demo: build
	@echo; echo "== Learning to land: a tree of at most 8 leaves, 2 features per engine. Ctrl-C saves. =="; echo
	@$(PROGRAM) train lunar_lander --leaves 8 --features 2 --seed 0 --out runs/demo --resume
	@echo; echo "== The tree in words =="; echo
	@$(PROGRAM) show --paragraph runs/demo/policy.json
	@echo; echo "== How well it lands, on 100 episodes that it has never seen =="; echo
	@$(PROGRAM) eval runs/demo/policy.json --episodes 100 --seed 1
	@echo; echo "Read runs/demo/report.md; look at runs/demo/learning_curve.svg."

# Everything twice: optimised with g++, then under sanitizers with clang++, fuzzing included.
test: build
	@$(MAKE) -s onnxruntime || echo "npm gives no onnxruntime: the tests that run ONNX models are skipped."
	@ctest --preset release
	@cmake --preset asan > build/asan.log 2>&1 || { cat build/asan.log; exit 1; }
	@cmake --build --preset asan -j $(JOBS)
	@ctest --preset asan

lint: build
	@tools/lint

bench: build
	@for program in build/release/benchmarks/benchmark_*; do "$$program"; done

install: build
	@cmake --install build/release --prefix $(PREFIX)

packages:
	@mkdir -p build
	@tools/install_packages packages.txt

# Runs exported ONNX models in a test. From npm, as Debian has no runtime.
onnxruntime:
	@[ -d build/onnxruntime/node_modules ] || timeout 180 npm install --silent --no-save --ignore-scripts --prefix build/onnxruntime onnxruntime-node@1.17.3

clean:
	@rm -rf build

# The few commands of the project; each installs missing packages first.

PREFIX ?= /usr/local
JOBS ?= $(shell nproc)
PROGRAM := build/release/icct
EXAMPLES := examples/policies

.PHONY: build demo test lint bench install packages clean

build: packages
	@cmake --preset release > build/release.log 2>&1 || { cat build/release.log; exit 1; }
	@cmake --build --preset release -j $(JOBS)

# The best main job there is: today, read a policy, ask it, land with it.
demo: build
	@echo; echo "== The tree =="; echo
	@$(PROGRAM) show $(EXAMPLES)/lunar_lander.json
	@echo; echo "== The same in words =="; echo
	@$(PROGRAM) show --paragraph $(EXAMPLES)/lunar_lander.json
	@echo; echo "== What it does falling at a slant (x, height, speeds, angle, angular speed, legs) =="; echo
	@echo "observation 0.2,0.8,0.1,-0.6,0.1,0,0,0"
	@echo 0.2,0.8,0.1,-0.6,0.1,0,0,0 | $(PROGRAM) act $(EXAMPLES)/lunar_lander.json --json
	@echo; echo "== How well it lands =="; echo
	@$(PROGRAM) eval $(EXAMPLES)/lunar_lander.json

# Everything twice: optimised with g++, then under sanitizers with clang++, fuzzing included.
test: build
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

clean:
	@rm -rf build

// One SAC update with libtorch's autograd: the same maths as benchmarks/update.cc.
//
//   benchmark_update_libtorch <batch> <hidden> <tree|mlp> <seconds>
//
// Prints the milliseconds of processor time of one undisturbed update on one thread: nine of ten in
// the run take longer. Needs Debian's libtorch-dev.

#include <torch/torch.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace {

constexpr int kObservations = 8, kActions = 2, kLeaves = 8, kFeatures = 2;

using torch::Tensor;
using Policy = std::pair<Tensor, Tensor>;  // mean, log standard deviation

struct ActorModule : torch::nn::Module {
  virtual Policy run(const Tensor& x) = 0;
};

// One-hot of the largest logit, with the gradient of the softmax.
Tensor diff_argmax(const Tensor& logits) {
  const Tensor soft = torch::softmax(logits, -1);
  const Tensor hard = torch::zeros_like(soft).scatter_(-1, soft.argmax(-1, true), 1.0);
  return hard - soft.detach() + soft;
}

// Crisp nodes, sparse leaves; selectors as in most published domains.
struct TreeModule : ActorModule {
  TreeModule() {
    const int nodes = kLeaves - 1;
    weights = register_parameter("weights", torch::rand({nodes, kObservations}));
    thresholds = register_parameter("thresholds", torch::randn({nodes, 1}));
    steepness = register_parameter("steepness", torch::ones({nodes, 1}));
    log_stds = register_parameter(
        "log_stds", torch::nn::init::xavier_uniform_(torch::empty({kLeaves, kActions})));
    const auto block = [] {
      return torch::nn::init::xavier_normal_(torch::empty({kLeaves, kActions, kObservations}));
    };
    gains = register_parameter("gains", block());
    selectors = register_parameter("selectors", block());
    biases = register_parameter("biases", block());
    left = torch::zeros({nodes, kLeaves});
    right = torch::zeros({nodes, kLeaves});
    for (int leaf = 0; leaf < kLeaves; ++leaf) {
      for (int node = leaf + nodes; node > 0; node = (node - 1) / 2) {
        const int parent = (node - 1) / 2;
        (node == 2 * parent + 1 ? left : right)[parent][leaf] = 1;
      }
    }
  }

  Tensor leaf_probabilities(const Tensor& x) {
    const Tensor z = diff_argmax(weights.abs());
    const Tensor divisor = (weights.abs() * z).sum(1, true);
    const Tensor value =
        (steepness * ((weights * z / divisor).mm(x.t()) - thresholds / divisor)).t().unsqueeze(-1);
    const Tensor outcome = diff_argmax(torch::cat({value, torch::zeros_like(value)}, -1));
    const Tensor path =
        outcome.narrow(2, 0, 1) * left + outcome.narrow(2, 1, 1) * right + (1 - left - right);
    return path.prod(1);
  }

  Policy run(const Tensor& x) override {
    const Tensor probabilities = leaf_probabilities(x);
    Tensor remaining = selectors.abs();
    Tensor means = torch::zeros({x.size(0), kLeaves, kActions});
    for (int pick = 0; pick < kFeatures; ++pick) {
      const Tensor z = diff_argmax(remaining);
      remaining = remaining - remaining * z;
      means =
          means + torch::einsum("bi,lai->bla", {x, z}) * (z * gains).sum(-1) + (z * biases).sum(-1);
    }
    return {(probabilities.unsqueeze(-1) * means).sum(1), probabilities.mm(log_stds).clamp(-20, 2)};
  }

  Tensor weights, thresholds, steepness, log_stds, gains, selectors, biases, left, right;
};

torch::nn::Sequential layers(int inputs, int hidden, int outputs) {
  return torch::nn::Sequential(torch::nn::Linear(inputs, hidden), torch::nn::ReLU(),
                               torch::nn::Linear(hidden, hidden), torch::nn::ReLU(),
                               torch::nn::Linear(hidden, outputs));
}

struct NetworkModule : ActorModule {
  explicit NetworkModule(int hidden)
      : network(register_module("network", layers(kObservations, hidden, 2 * kActions))) {}

  Policy run(const Tensor& x) override {
    const auto heads = network->forward(x).chunk(2, 1);
    return {heads[0], heads[1].clamp(-20, 2)};
  }

  torch::nn::Sequential network;
};

struct Critics : torch::nn::Module {
  explicit Critics(int hidden)
      : first(register_module("first", layers(kObservations + kActions, hidden, 1))),
        second(register_module("second", layers(kObservations + kActions, hidden, 1))) {}

  Tensor run(const Tensor& x, const Tensor& a) {
    const Tensor joined = torch::cat({x, a}, 1);
    return torch::cat({first->forward(joined), second->forward(joined)}, 1);
  }

  torch::nn::Sequential first, second;
};

struct Data {
  Tensor x, a, reward, next_x, terminated;
};

struct Sac {
  Sac(int hidden, bool is_tree) : critics(hidden), targets(hidden) {
    if (is_tree)
      actor = std::make_unique<TreeModule>();
    else
      actor = std::make_unique<NetworkModule>(hidden);
    follow(1);
    actor_adam = std::make_unique<torch::optim::Adam>(actor->parameters(), 3e-4);
    critic_adam = std::make_unique<torch::optim::Adam>(critics.parameters(), 3e-4);
    coefficient_adam =
        std::make_unique<torch::optim::Adam>(std::vector<Tensor>{log_coefficient}, 3e-4);
  }

  std::pair<Tensor, Tensor> sample(const Tensor& x) {
    const auto [mean, log_std] = actor->run(x);
    const Tensor noise = torch::randn_like(mean);
    const Tensor action = torch::tanh(mean + log_std.exp() * noise);
    const Tensor density = -0.5 * noise * noise - log_std - 0.918938533204672742 -
                           torch::log(1 - action * action + 1e-6);
    return {action, density.sum(1, true)};
  }

  static void step(torch::optim::Adam& adam, const Tensor& loss) {
    adam.zero_grad();
    loss.backward();
    adam.step();
  }

  void follow(double tau) {
    const torch::NoGradGuard guard;
    const auto leaders = critics.parameters();
    auto followers = targets.parameters();
    for (std::size_t i = 0; i < leaders.size(); ++i)
      followers[i].mul_(1 - tau).add_(leaders[i], tau);
  }

  Tensor target(const Data& d, const Tensor& coefficient) {
    const torch::NoGradGuard guard;
    const auto [next_action, next_log_prob] = sample(d.next_x);
    const Tensor next_q = std::get<0>(targets.run(d.next_x, next_action).min(1, true));
    return d.reward + (1 - d.terminated) * 0.99 * (next_q - coefficient * next_log_prob);
  }

  void update(const Data& d) {
    const auto [action, log_prob] = sample(d.x);
    const Tensor coefficient = log_coefficient.detach().exp();
    step(*coefficient_adam, -(log_coefficient * (log_prob - kActions).detach()).mean());
    const Tensor y = target(d, coefficient);
    const Tensor q = critics.run(d.x, d.a);
    step(*critic_adam,
         0.5 * (torch::mse_loss(q.narrow(1, 0, 1), y) + torch::mse_loss(q.narrow(1, 1, 1), y)));
    const Tensor smaller = std::get<0>(critics.run(d.x, action).min(1, true));
    step(*actor_adam, (coefficient * log_prob - smaller).mean());
    follow(0.01);
  }

  std::unique_ptr<ActorModule> actor;
  Critics critics, targets;
  Tensor log_coefficient = torch::zeros({1}, torch::requires_grad());
  std::unique_ptr<torch::optim::Adam> actor_adam, critic_adam, coefficient_adam;
};

double processor_seconds() {
  timespec time{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 5) return 2;
  const int batch = std::atoi(arguments[1]), hidden = std::atoi(arguments[2]);
  const double seconds = std::atof(arguments[4]);
  torch::set_num_threads(1);
  torch::manual_seed(1);
  Sac sac(hidden, std::string(arguments[3]) == "tree");
  const Data data{torch::randn({batch, kObservations}), torch::rand({batch, kActions}) * 2 - 1,
                  torch::randn({batch, 1}), torch::randn({batch, kObservations}),
                  (torch::rand({batch, 1}) < 0.05).to(torch::kFloat)};
  for (int i = 0; i < 5; ++i) sac.update(data);
  std::vector<double> times;
  const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
  while (std::chrono::steady_clock::now() < end || times.size() < 5) {
    const double start = processor_seconds();
    sac.update(data);
    times.push_back(processor_seconds() - start);
  }
  std::sort(times.begin(), times.end());
  std::printf("%.6f\n", times[times.size() / 10] * 1e3);
  return 0;
}

#include "icct/rl/twin_critic.h"

#include <algorithm>
#include <string>

namespace icct {
namespace {

std::vector<int> layer_sizes(int inputs, const std::vector<int>& hidden) {
  std::vector<int> sizes = {inputs};
  sizes.insert(sizes.end(), hidden.begin(), hidden.end());
  sizes.push_back(1);
  return sizes;
}

}  // namespace

void TwinValues::resize(int batch) {
  for (auto& values : q) values.resize(static_cast<std::size_t>(batch));
}

double TwinValues::mean_minimum() const {
  double sum = 0;
  for (std::size_t i = 0; i < q[0].size(); ++i)
    sum += static_cast<double>(minimum(static_cast<int>(i)));
  return sum / static_cast<double>(q[0].size());
}

TwinCritic::Network::Network(const std::vector<int>& sizes, int max_batch, Rng& rng)
    : online(sizes),
      target(sizes),
      packed_online(online.shape(), Passes::ForwardAndBackward),
      packed_target(online.shape(), Passes::Forward),
      pass(sizes, max_batch),
      gradient(online.shape().parameters()),
      adam(online.shape().parameters()) {
  initialise(online, rng);
  std::copy(online.parameters().begin(), online.parameters().end(), target.parameters().begin());
}

TwinCritic::TwinCritic(int observations, int actions, const std::vector<int>& hidden, int max_batch,
                       Team& team, Rng& rng)
    : observations_(observations),
      team_(team),
      networks_{Network(layer_sizes(observations + actions, hidden), max_batch, rng),
                Network(layer_sizes(observations + actions, hidden), max_batch, rng)} {
  for (auto& rows : chosen_) rows.resize(static_cast<std::size_t>(max_batch));
  parameters_changed();
}

template <class Work>
void TwinCritic::share(int batch, const Work& work) {
  const std::size_t parameters = networks_[0].online.shape().parameters();
  if (!Team::is_worth(static_cast<std::size_t>(batch) * parameters)) return work(0, 1);
  team_.run([&](int member) { work(member, team_.size()); });
}

template <class Work>
void TwinCritic::for_each_network(int batch, const Work& work) {
  share(batch, [&](int part, int parts) {
    for (int i = part; i < 2; i += parts) work(networks_[i], i);
  });
}

void TwinCritic::parameters_changed() {
  for (Network& network : networks_) {
    network.packed_online.load(network.online.parameters());
    network.packed_target.load(network.target.parameters());
  }
}

void TwinCritic::evaluate(Network& network, const PackedMlp<float>& weights, const StateActions& at,
                          std::span<const int> rows, std::vector<float>& q) {
  network.pass.set_input(at.observations, 0, rows);
  network.pass.set_input(at.actions, observations_, rows);
  network.pass.forward_rows(weights, rows);
  for (const int row : rows) q[row] = network.pass.output()(row, 0);
}

void TwinCritic::evaluate_targets(const StateActions& at, TwinValues& values) {
  values.resize(at.observations.rows);
  for_each_network(at.observations.rows, [&](Network& network, int i) {
    network.pass.start(at.observations.rows);
    evaluate(network, network.packed_target, at, network.pass.rows(), values.q[i]);
  });
}

double TwinCritic::regress(const StateActions& at, std::span<const float> target, float weight,
                           TwinValues& values) {
  values.resize(at.observations.rows);
  batch_ = at.observations.rows;
  for_each_network(batch_, [&](Network& network, int i) {
    regress_one(network, at, target, weight, values.q[i]);
  });
  double loss = 0;
  for (const auto& q : values.q) {
    double sum = 0;
    for (std::size_t i = 0; i < q.size(); ++i) {
      const double error = static_cast<double>(q[i]) - static_cast<double>(target[i]);
      sum += error * error;
    }
    loss += static_cast<double>(weight) * sum / static_cast<double>(q.size());
  }
  return loss;
}

void TwinCritic::regress_one(Network& network, const StateActions& at,
                             std::span<const float> target, float weight, std::vector<float>& q) {
  BatchedMlp<float>& pass = network.pass;
  pass.start(at.observations.rows);
  evaluate(network, network.packed_online, at, pass.rows(), q);
  const float scale = 2 * weight / static_cast<float>(q.size());
  const auto d_q = pass.output();  // overwritten: the values are in q
  for (const int row : pass.rows()) d_q(row, 0) = scale * (q[row] - target[row]);
  pass.set_output_gradient(d_q, pass.rows());
  pass.backward_rows(network.packed_online, pass.rows());
  pass.parameter_gradient(network.gradient, false);
}

void TwinCritic::step(double learning_rate, double tau) {
  for_each_network(batch_, [&](Network& network, int) {
    const auto parameters = network.online.parameters();
    if (tau > 0) {
      const auto target = network.target.parameters();
      network.adam.step_and_smooth(parameters, network.gradient, learning_rate, target, tau);
      network.packed_target.load(target);
    } else {
      network.adam.step(parameters, network.gradient, learning_rate);
    }
    network.packed_online.load(parameters);
  });
}

void TwinCritic::actor_gradient(const StateActions& at, ActorValue value, TwinValues& values,
                                MatrixView<float> d_actions) {
  const int batch = at.observations.rows;
  values.resize(batch);
  for (Network& network : networks_) network.pass.start(batch);
  for (auto& rows : chosen_) rows.resize(static_cast<std::size_t>(batch));
  share(batch, [&](int part, int parts) {
    const auto rows = networks_[0].pass.rows(part, parts);
    evaluate(networks_[0], networks_[0].packed_online, at, rows, values.q[0]);
    if (value == ActorValue::Minimum)
      evaluate(networks_[1], networks_[1].packed_online, at, rows, values.q[1]);
    // Only the critic that is a sample's minimum has a gradient there.
    std::array<std::size_t, 2> count{};
    const auto begin = rows.empty() ? 0 : static_cast<std::size_t>(rows.front());
    for (const int row : rows) {
      const bool second = value == ActorValue::Minimum && values.q[1][row] < values.q[0][row];
      chosen_[second][begin + count[second]++] = row;
    }
    for (const std::size_t i : {0, 1}) {
      const auto mine = std::span<const int>(chosen_[i]).subspan(begin, count[i]);
      BatchedMlp<float>& pass = networks_[i].pass;
      const auto d_q = pass.output();
      for (const int row : mine) d_q(row, 0) = -1.0f / static_cast<float>(batch);
      pass.set_output_gradient(d_q, mine);
      pass.backward_rows(networks_[i].packed_online, mine);
      for (const int row : mine) std::ranges::fill(d_actions.row(row), 0.0f);
      pass.input_gradient(networks_[i].packed_online, observations_, mine, d_actions);
    }
  });
}

void TwinCritic::visit_state(StateArchive& archive) {
  for (std::size_t i = 0; i < networks_.size(); ++i) {
    Network& network = networks_[i];
    const std::string name = "critic" + std::to_string(i);
    archive.values(name + ".parameters", network.online.parameters());
    archive.values(name + ".target", network.target.parameters());
    network.adam.visit_state(archive, name + ".adam");
  }
  if (archive.reading()) parameters_changed();
}

}  // namespace icct

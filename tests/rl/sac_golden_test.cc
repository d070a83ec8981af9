#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "icct/rl/sac.h"
#include "tests/golden_files.h"
#include "tests/rl/golden_actor.h"

namespace icct {
namespace {

constexpr double kTolerance = 1e-4;
constexpr double kGradientTolerance = 2e-5;
constexpr float kNoGradient = 1e-6f;  // below it a recorded gradient may be rounding noise

SacOptions read_sac_options(const Json& config) {
  SacOptions options;
  options.learning_rate = config.at("lr").get<double>();
  options.actor_learning_rate = config.at("actor_lr").get<double>();
  options.discount = config.at("gamma").get<double>();
  options.tau = config.at("tau").get<double>();
  options.batch_size = config.at("batch").get<int>();
  options.critic_hidden = config.at("critic_hidden").get<std::vector<int>>();
  options.target_entropy = config.at("target_entropy").get<double>();
  return options;
}

void assign(const std::vector<float>& values, std::span<float> target) {
  ASSERT_EQ(values.size(), target.size());
  std::ranges::copy(values, target.begin());
}

void read_networks(const Json& recorded, const Json& config, Actor<float>& actor, Sac& sac) {
  assign(arrange_actor(config, recorded.at("actor")), actor.parameters());
  for (int i = 0; i < 2; ++i) {
    assign(arrange_critic(recorded.at("critic"), i), sac.critic().parameters(i));
    assign(arrange_critic(recorded.at("critic_target"), i), sac.critic().target_parameters(i));
  }
  sac.critic().parameters_changed();
  sac.log_entropy_coefficient() = flatten<float>(recorded.at("log_ent_coef"))[0];
}

Batch read_batch(const Json& config, const Json& recorded) {
  Batch batch(config.at("batch").get<int>(), config.at("obs_dim").get<int>(),
              config.at("action_dim").get<int>());
  assign(flatten<float>(recorded.at("obs")), batch.observations);
  assign(flatten<float>(recorded.at("next_obs")), batch.next_observations);
  assign(flatten<float>(recorded.at("action")), batch.actions);
  assign(flatten<float>(recorded.at("reward")), batch.rewards);
  assign(flatten<float>(recorded.at("done")), batch.terminated);
  return batch;
}

void expect_values(const TwinValues& actual, const Json& expected, const std::string& what) {
  const auto both = flatten<double>(expected);  // batch x critics
  for (std::size_t critic = 0; critic < 2; ++critic) {
    std::vector<double> one;
    for (std::size_t i = critic; i < both.size(); i += 2) one.push_back(both[i]);
    expect_close(actual.q[critic], one, kTolerance, what);
  }
}

void expect_intermediates(const SacTrace& trace, const Json& expected, const std::string& where) {
  const auto expect = [&](const std::vector<float>& actual, const char* name) {
    expect_close(actual, flatten<double>(expected.at(name)), kTolerance, where + name);
  };
  expect(trace.now.mean, "mu");
  expect(trace.now.log_std, "log_std");
  expect(trace.now.action, "action_pi");
  expect(trace.now.log_prob, "log_prob");
  expect(trace.next.action, "next_action");
  expect(trace.next.log_prob, "next_log_prob");
  expect(trace.target, "target_q");
  expect_values(trace.next_q, expected.at("next_q"), where + "next_q");
  expect_values(trace.current_q, expected.at("current_q"), where + "current_q");
  expect_values(trace.policy_q, expected.at("q_pi_after_critic_step"), where + "q_pi");
}

void expect_losses(const SacReport& report, const Json& expected, const std::string& where) {
  const auto expect = [&](double actual, const char* name) {
    const double value = expected.at(name).is_null() ? 0 : expected.at(name).get<double>();
    EXPECT_NEAR(actual, value, kTolerance * std::max(1.0, std::abs(value))) << where << name;
  };
  expect(report.critic_loss, "critic");
  expect(report.actor_loss, "actor");
  expect(report.entropy_loss, "ent_coef");
  expect(report.entropy_coefficient, "ent_coef_value");
  expect(report.penalty, "l1");
}

// Parameters after each step. Where a gradient is rounding noise, rounding decides in which
// direction Adam moves the parameter by the whole step size.
class Stepped {
 public:
  Stepped(std::size_t size, double step) : slack_(size), step_(step) {}

  void expect(std::span<const float> actual, const std::vector<float>& expected,
              std::span<const float> actual_gradient, const std::vector<float>& gradient,
              const std::string& where) {
    ASSERT_EQ(actual.size(), expected.size());
    expect_close(actual_gradient, gradient, kGradientTolerance, where + " gradient");
    for (std::size_t i = 0; i < actual.size(); ++i) {
      const bool is_zero = gradient[i] == 0 && actual_gradient[i] == 0;
      if (!is_zero && std::abs(gradient[i]) < kNoGradient) slack_[i] += 2 * step_;
      const auto b = static_cast<double>(expected[i]);
      EXPECT_NEAR(static_cast<double>(actual[i]), b,
                  kTolerance * std::max(1.0, std::abs(b)) + slack_[i])
          << where << " [" << i << "]";
    }
  }

 private:
  std::vector<double> slack_;
  double step_;
};

void check_recording(const std::filesystem::path& file) {
  const Json json = read_golden(file);
  const Json& config = json.at("config");
  const SacOptions options = read_sac_options(config);
  Rng rng(1);
  const auto actor = make_actor(config);
  Sac sac(*actor, options, rng);
  read_networks(json.at("before"), config, *actor, sac);
  Stepped actor_steps(actor->parameters().size(), options.actor_learning_rate);
  std::vector<Stepped> critic_steps(
      2, Stepped(sac.critic().parameters(0).size(), options.learning_rate));
  int number = 0;
  for (const Json& update : json.at("updates")) {
    const std::string where =
        file.filename().string() + " update " + std::to_string(++number) + " ";
    const SacReport report =
        sac.update(read_batch(config, update.at("batch")), flatten<float>(update.at("noise_pi")),
                   flatten<float>(update.at("noise_next")), rng);
    expect_intermediates(sac.trace(), update.at("intermediates"), where);
    expect_losses(report, update.at("losses"), where);
    const Json& after = update.at("after");
    for (int i = 0; i < 2; ++i) {
      const auto gradient = arrange_critic(update.at("critic_grads"), i);
      critic_steps[i].expect(sac.critic().parameters(i), arrange_critic(after.at("critic"), i),
                             sac.critic().gradient(i), gradient, where + "critic");
      expect_close(sac.critic().target_parameters(i), arrange_critic(after.at("critic_target"), i),
                   kTolerance, where + "target");
    }
    const auto gradient = arrange_actor(config, update.at("actor_grads"));
    actor_steps.expect(actor->parameters(), arrange_actor(config, after.at("actor")),
                       sac.trace().actor_gradient, gradient, where + "actor");
    EXPECT_NEAR(static_cast<double>(sac.trace().log_coefficient_gradient),
                flatten<double>(update.at("log_ent_coef_grad"))[0], kTolerance);
    EXPECT_NEAR(static_cast<double>(sac.log_entropy_coefficient()),
                flatten<double>(after.at("log_ent_coef"))[0], kTolerance);
  }
}

TEST(SacGolden, ThreeUpdatesMatchTheRecordedOnes) {
  for (const auto& file : golden_files("sac_update_")) check_recording(file);
}

}  // namespace
}  // namespace icct

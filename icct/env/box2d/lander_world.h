#pragma once

#include <box2d/box2d.h>

#include <array>
#include <optional>

namespace icct {

// The random numbers that shape an episode. Lengths in m, as Box2D takes them: the original's 30
// pixels.
struct LanderStart {
  std::array<double, 12> heights{};  // of the terrain, before levelling and smoothing
  std::array<double, 2> force{};     // N, on the lander's centre of mass during the first step
};

// The ground's heights at x = 0, 2, .. 20: the pad levelled, the rest smoothed.
std::array<double, 11> lander_terrain(std::array<double, 12> heights);

// The bodies of the Lunar Lander in Box2D: ground, lander and two legs on motored hinges.
class LanderWorld : private b2ContactListener {
 public:
  static constexpr double kWidth = 20;
  static constexpr double kHeight = 40.0 / 3;
  static constexpr double kPadHeight = kHeight / 4;
  static constexpr double kStepsPerSecond = 50;

  LanderWorld() = default;
  LanderWorld(const LanderWorld&) = delete;
  LanderWorld& operator=(const LanderWorld&) = delete;

  // Builds everything anew. No contact, impulse or broad-phase memory of the world before survives,
  // so that equal starts give equal runs.
  void rebuild(const LanderStart& start);

  // Hits the lander at a point of the world. Both in world axes; N s and m.
  void push_lander(const std::array<double, 2>& impulse, const std::array<double, 2>& point);

  // 0.02 s.
  void step();

  const b2Body& lander() const { return *lander_; }
  bool hull_touched_ground() const { return hull_touched_ground_; }  // at any time
  bool leg_touches_ground(int leg) const { return leg_touches_ground_[leg]; }

 private:
  void build_ground(const std::array<double, 12>& heights);
  void build_lander();
  void build_leg(int leg);
  void BeginContact(b2Contact* contact) override;
  void EndContact(b2Contact* contact) override;
  void set_leg_contact(b2Contact* contact, bool touches);

  std::optional<b2World> world_;
  b2Body* lander_ = nullptr;
  std::array<b2Body*, 2> legs_{};
  std::array<bool, 2> leg_touches_ground_{};
  bool hull_touched_ground_ = false;
};

}  // namespace icct

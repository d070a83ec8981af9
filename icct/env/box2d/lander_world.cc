#include "icct/env/box2d/lander_world.h"

namespace icct {
namespace {

constexpr double kPixelsPerMetre = 30;
constexpr int kVelocityIterations = 180;
constexpr int kPositionIterations = 60;

// Only the ground collides with lander and legs: these pass through each other.
constexpr uint16 kGroundCategory = 0x1;
constexpr uint16 kLanderCategory = 0x10;
constexpr uint16 kLegCategory = 0x20;

constexpr double kLegAway = 20;  // pixels from the lander's origin, sideways and down
constexpr double kLegDown = 18;
constexpr double kLegHalfWidth = 2;
constexpr double kLegHalfHeight = 8;
constexpr float kLegSpringTorque = 40;

b2Vec2 metres(double x, double y) {
  return {static_cast<float>(x), static_cast<float>(y)};
}

b2Vec2 pixels(double x, double y) {
  return metres(x / kPixelsPerMetre, y / kPixelsPerMetre);
}

}  // namespace

std::array<double, 11> lander_terrain(std::array<double, 12> heights) {
  for (int i = 3; i <= 7; ++i) heights[i] = LanderWorld::kPadHeight;
  std::array<double, 11> smooth;
  // The first point's left neighbour is the last height, a quirk of the original.
  for (int i = 0; i < 11; ++i) {
    smooth[i] = 0.33 * (heights[i == 0 ? 11 : i - 1] + heights[i] + heights[i + 1]);
  }
  return smooth;
}

void LanderWorld::rebuild(const LanderStart& start) {
  // The world allocates its bodies from blocks that it frees at once, which is cheap beside the
  // hundred steps of an episode. Bodies are created in the original's order: the solver keeps it.
  world_.emplace(b2Vec2(0, -10));
  world_->SetContactListener(this);
  leg_touches_ground_ = {};
  hull_touched_ground_ = false;
  build_ground(start.heights);
  build_lander();
  lander_->ApplyForceToCenter(metres(start.force[0], start.force[1]), true);
  build_leg(0);
  build_leg(1);
}

void LanderWorld::build_ground(const std::array<double, 12>& heights) {
  const b2BodyDef still;
  b2Body* ground = world_->CreateBody(&still);
  b2EdgeShape edge;
  edge.SetTwoSided(metres(0, 0), metres(kWidth, 0));
  ground->CreateFixture(&edge, 0);

  const std::array<double, 11> y = lander_terrain(heights);
  b2FixtureDef slope;
  slope.shape = &edge;
  slope.friction = 0.1F;
  for (int i = 0; i < 10; ++i) {
    edge.SetTwoSided(metres(2 * i, y[i]), metres(2 * (i + 1), y[i + 1]));
    ground->CreateFixture(&slope);
  }
}

void LanderWorld::build_lander() {
  const std::array<b2Vec2, 6> outline = {pixels(-14, 17), pixels(-17, 0), pixels(-17, -10),
                                         pixels(17, -10), pixels(17, 0),  pixels(14, 17)};
  b2PolygonShape hull;
  hull.Set(outline.data(), static_cast<int32>(outline.size()));
  b2FixtureDef fixture;
  fixture.shape = &hull;
  fixture.density = 5;
  fixture.friction = 0.1F;
  fixture.restitution = 0;
  fixture.filter.categoryBits = kLanderCategory;
  fixture.filter.maskBits = kGroundCategory;

  b2BodyDef body;
  body.type = b2_dynamicBody;
  body.position = metres(kWidth / 2, kHeight);
  lander_ = world_->CreateBody(&body);
  lander_->CreateFixture(&fixture);
}

// Leg 0 stands on the side of positive x, leg 1 on the other; a motor spreads each against its
// limit.
void LanderWorld::build_leg(int leg) {
  const double side = leg == 0 ? -1 : 1;
  b2PolygonShape box;
  box.SetAsBox(static_cast<float>(kLegHalfWidth / kPixelsPerMetre),
               static_cast<float>(kLegHalfHeight / kPixelsPerMetre));
  b2FixtureDef fixture;
  fixture.shape = &box;
  fixture.density = 1;
  fixture.restitution = 0;
  fixture.filter.categoryBits = kLegCategory;
  fixture.filter.maskBits = kGroundCategory;

  b2BodyDef body;
  body.type = b2_dynamicBody;
  body.position = metres(kWidth / 2 - side * kLegAway / kPixelsPerMetre, kHeight);
  body.angle = static_cast<float>(side * 0.05);
  legs_[leg] = world_->CreateBody(&body);
  legs_[leg]->CreateFixture(&fixture);

  b2RevoluteJointDef hinge;
  hinge.bodyA = lander_;
  hinge.bodyB = legs_[leg];
  hinge.localAnchorB = pixels(side * kLegAway, kLegDown);
  hinge.enableMotor = true;
  hinge.maxMotorTorque = kLegSpringTorque;
  hinge.motorSpeed = static_cast<float>(0.3 * side);
  hinge.enableLimit = true;
  hinge.lowerAngle = leg == 0 ? 0.4F : -0.9F;
  hinge.upperAngle = leg == 0 ? 0.9F : -0.4F;
  world_->CreateJoint(&hinge);
}

void LanderWorld::push_lander(const std::array<double, 2>& impulse,
                              const std::array<double, 2>& point) {
  lander_->ApplyLinearImpulse(metres(impulse[0], impulse[1]), metres(point[0], point[1]), true);
}

void LanderWorld::step() {
  world_->Step(static_cast<float>(1 / kStepsPerSecond), kVelocityIterations, kPositionIterations);
}

void LanderWorld::BeginContact(b2Contact* contact) {
  const b2Body* a = contact->GetFixtureA()->GetBody();
  const b2Body* b = contact->GetFixtureB()->GetBody();
  if (a == lander_ || b == lander_) hull_touched_ground_ = true;
  set_leg_contact(contact, true);
}

// A leg that leaves one edge of the ground counts as in the air even while it touches the next one:
// as in the original.
void LanderWorld::EndContact(b2Contact* contact) {
  set_leg_contact(contact, false);
}

void LanderWorld::set_leg_contact(b2Contact* contact, bool touches) {
  const b2Body* a = contact->GetFixtureA()->GetBody();
  const b2Body* b = contact->GetFixtureB()->GetBody();
  for (int leg = 0; leg < 2; ++leg) {
    if (a == legs_[leg] || b == legs_[leg]) leg_touches_ground_[leg] = touches;
  }
}

}  // namespace icct

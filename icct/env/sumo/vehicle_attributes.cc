#include "icct/env/sumo/vehicle_attributes.h"

#include <string>

namespace icct {
namespace {

// Words between blanks.
constexpr std::string_view kVehicle =
    " accel actionStepLength apparentDecel boardingDuration carFollowModel carriageGap"
    " carriageLength collisionMinGapFactor color containerCapacity decel desiredMaxSpeed"
    " emergencyDecel emissionClass guiShape height imgFile impatience laneChangeModel"
    " latAlignment length loadingDuration locomotiveLength mass maxSpeed maxSpeedLat minGap"
    " minGapLat osgFile personCapacity probability scale sigma speedDev speedFactor"
    " startupDelay tau timeToTeleport timeToTeleportBidi vClass width ";

// Of one car-following model or another.
constexpr std::string_view kFollowing =
    " adaptFactor adaptTime apProb applyDriverState c1 cc1 cc2 cc3 cc4 cc5 cc6 cc7 cc8 cc9"
    " ccAccel ccDecel ccoolness collisionAvoidanceGainGap collisionAvoidanceGainGapDot"
    " collisionAvoidanceGainSpace collisionAvoidanceGainSpeed collisionAvoidanceOverride"
    " constSpacing delta epsilonacc estimation flatbedD flatbedH flatbedKa flatbedKp flatbedKv"
    " gapClosingControlGainGap gapClosingControlGainGapDot gapClosingControlGainSpace"
    " gapClosingControlGainSpeed gapControlGainGap gapControlGainGapDot gapControlGainSpace"
    " gapControlGainSpeed jerkmax k kp lambda lanesCount maxvehpreview Mbegin Mflatness omegaN"
    " phi ploegH ploegKd ploegKp security sigmaerror sigmagap sigmaleader sigmaStep"
    " speedControlGain speedControlGainCACC speedControlMinGap stepping taccmax tauCACCToACC"
    " tauEngine tauLast tmp1 tmp2 tmp3 tmp4 tmp5 tPersDrive tPersEstimate tpreview trainType"
    " treaction vehdynamics xi ";

constexpr std::string_view kLaneChanging =
    " lcAccelLat lcAssertive lcCooperative lcCooperativeRoundabout lcCooperativeSpeed"
    " lcImpatience lcKeepRight lcKeepRightAcceptanceTime lcLaneDiscipline lcLookaheadLeft"
    " lcMaxDistLatStanding lcMaxSpeedLatFactor lcMaxSpeedLatStanding lcOpposite"
    " lcOvertakeDeltaSpeedFactor lcOvertakeRight lcPushy lcPushyGap lcSigma lcSpeedGain"
    " lcSpeedGainLookahead lcSpeedGainRight lcStrategic lcSublane lcTimeToImpatience"
    " lcTurnAlignmentDistance ";

constexpr std::string_view kJunctions =
    " jmCrossingGap jmDriveAfterRedTime jmDriveAfterYellowTime jmDriveRedSpeed jmIgnoreFoeProb"
    " jmIgnoreFoeSpeed jmIgnoreJunctionFoeProb jmIgnoreKeepClearTime jmSigmaMinor jmStoplineGap"
    " jmTimegapMinor ";

}  // namespace

bool is_vehicle_attribute(std::string_view name) {
  const std::string word = " " + std::string(name) + " ";
  for (const std::string_view known : {kVehicle, kFollowing, kLaneChanging, kJunctions}) {
    if (known.find(word) != std::string_view::npos) return true;
  }
  return false;
}

}  // namespace icct

foreach(target inverted_pendulum_golden_test lane_keeping_golden_test lunar_lander_golden_test traffic_golden_test
    two_lane_recording_test)
  if(${target}_TESTS)
    set_tests_properties(${${target}_TESTS} PROPERTIES LABELS "golden;sim")
  endif()
endforeach()

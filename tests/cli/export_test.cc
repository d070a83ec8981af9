#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/cli/program.h"

namespace icct {
namespace {

using testing::HasSubstr;

TEST(ExportCommand, WritesSourceThatCompiles) {
  const TemporaryFolder folder;
  const ProgramResult result =
      run_icct("export examples/policies/lunar_lander.json --to c --name lander --out '" +
               (folder / "deployed") + "'");
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("lander.c"));
  const std::string compile = "cc -std=c99 -Wall -Werror -c '" + (folder / "deployed/lander.c") +
                              "' -o '" + (folder / "lander.o") + "'";
  EXPECT_EQ(std::system(compile.c_str()), 0);
}

TEST(ExportCommand, MakesAnIdentifierFromTheNameOfThePolicy) {
  const TemporaryFolder folder;
  const ProgramResult result =
      run_icct("export examples/policies/near_human.json --out '" + (folder / "c") + "'");
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(content_of(folder / "c/Carriage_beside_people.h"),
              HasSubstr("int Carriage_beside_people_act("));
}

TEST(ExportCommand, ExplainsWhatItCannotDo) {
  const auto complaint_of = [](const std::string& arguments) {
    const ProgramResult result = run_icct("export examples/policies/near_human.json " + arguments);
    EXPECT_EQ(result.exit_code, 2);
    return result.err;
  };
  EXPECT_THAT(complaint_of("--out /tmp --name while"), HasSubstr("'while_value' would be one"));
  EXPECT_THAT(complaint_of("--out /proc/nowhere"), HasSubstr("/proc/nowhere"));
  EXPECT_THAT(complaint_of("--out /tmp --to cobol"), HasSubstr("cobol"));
}

}  // namespace
}  // namespace icct

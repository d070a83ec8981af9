#include "icct/export/to_st.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <regex>
#include <set>

#include "tests/complaint.h"
#include "tests/export/outside.h"

namespace icct {
namespace {

using testing::HasSubstr;

// No compiler of structured text is at hand, but what is written uses so little of it that C says
// the same word by word.

std::string without_comments(const std::string& st) {
  return std::regex_replace(st, std::regex(R"(\(\*[^*]*(\*[^)][^*]*)*\*\))"), "");
}

std::string part(const std::string& st, const std::string& begin, const std::string& end) {
  const std::size_t from = st.find(begin) + begin.size();
  return st.substr(from, st.find(end, from) - from);
}

std::vector<std::string> declared(const std::string& block) {
  std::vector<std::string> names;
  const std::regex pattern(R"(([A-Za-z]\w*) : (L?REAL);)");
  for (std::sregex_iterator at(block.begin(), block.end(), pattern), end; at != end; ++at)
    names.push_back((*at)[1]);
  return names;
}

std::string body_in_c(std::string body) {
  const std::pair<const char*, const char*> rules[] = {{":=", "="},
                                                       {R"(\bIF\b(.*)\bTHEN\b)", "if ($1) {"},
                                                       {R"(\bELSE\b)", "} else {"},
                                                       {"END_IF;", "}"},
                                                       {R"(\bAND\b)", "&&"},
                                                       {"L?REAL#", ""},
                                                       {"TRUE", "1"},
                                                       {R"(\bEXP\b)", "exp"},
                                                       {R"(\bLIMIT\b)", "limit_of"}};
  for (const auto& [from, to] : rules) body = std::regex_replace(body, std::regex(from), to);
  return body;
}

// int run(const double* in, double* out): the block with these inputs; whether it was valid.
std::string in_c(const std::string& written) {
  const std::string st = without_comments(written);
  const std::string real = st.find("LREAL") != std::string::npos ? "double" : "float";
  std::string c =
      "#include <math.h>\n"
      "static double limit_of(double low, double x, double high) {"
      " return x < low ? low : x > high ? high : x; }\n"
      "int run(const double* in, double* out) {\nint valid;\n";
  int i = 0;
  for (const std::string& name : declared(part(st, "VAR_INPUT", "END_VAR")))
    c += real + " " + name + " = (" + real + ")in[" + std::to_string(i++) + "];\n";
  const auto outputs = declared(part(st, "VAR_OUTPUT", "END_VAR"));
  i = 0;
  for (const std::string& name : outputs)
    c += real + " " + name + " = (" + real + ")out[" + std::to_string(i++) + "];\n";
  for (const std::string& name : declared(part(st, "\nVAR\n", "END_VAR")))
    c += real + " " + name + ";\n";
  c += real + " largest = " + body_in_c(part(st, "REAL := ", ";")) + ";\n";
  const std::size_t body = st.find("valid :=");
  c += body_in_c(st.substr(body, st.find("END_FUNCTION_BLOCK") - body));
  i = 0;
  for (const std::string& name : outputs) c += "out[" + std::to_string(i++) + "] = " + name + ";\n";
  return c + "return valid;\n}\n";
}

class RunBlock {
 public:
  explicit RunBlock(const Policy& policy, bool single_precision = false)
      : source_(in_c(to_st(policy, "block", single_precision))),
        library_("gcc", "-std=c99 -O1 -ffp-contract=off -lm", source_),
        run_(library_.find<int(const double*, double*)>("run")) {}

  bool works() const { return run_ != nullptr; }
  const std::string& source() const { return source_; }
  int operator()(const std::vector<double>& x, std::vector<double>& action) const {
    return run_(x.data(), action.data());
  }

 private:
  std::string source_;
  SharedLibrary library_;
  int (*run_)(const double*, double*);
};

TEST(ToSt, AgreesWithAct) {
  for (const Policy& policy : {example_policy("lunar_lander"), example_policy("inverted_pendulum"),
                               example_policy("near_human"), oddly_named()}) {
    const RunBlock block(policy);
    ASSERT_TRUE(block.works()) << block.source();
    Rng rng(5);
    std::vector<double> action(policy.actions.size());
    for (int i = 0; i < 50'000; ++i) {
      const std::vector<double> x = moderate(policy, rng);
      ASSERT_EQ(block(x, action), 1);
      const std::vector<double> exact = act(policy, x);
      for (std::size_t a = 0; a < exact.size(); ++a)
        ASSERT_NEAR(action[a], exact[a],
                    1e-12 * (policy.actions[a].upper - policy.actions[a].lower));
    }
  }
}

TEST(ToSt, AnswersInvalidObservationsAsThePolicySays) {
  Policy policy = example_policy("near_human");
  std::vector<double> action = {7};
  EXPECT_EQ(RunBlock(policy)({1, NAN, 1}, action), 0);
  EXPECT_EQ(action[0], -8);
  policy.safe_action.reset();
  action = {7};
  EXPECT_EQ(RunBlock(policy)({HUGE_VAL, 0, 1}, action), 0);
  EXPECT_EQ(action[0], 7) << "as it was";
}

TEST(ToSt, HasASinglePrecisionForm) {
  const RunBlock block(example_policy("near_human"), true);
  ASSERT_TRUE(block.works()) << block.source();
  std::vector<double> action = {0};
  ASSERT_EQ(block({9, 1, 2}, action), 1);
  EXPECT_NEAR(action[0], act(example_policy("near_human"), std::vector{9.0, 1.0, 2.0})[0], 1e-5);
}

TEST(ToSt, NamesNothingTwiceNorAsTheLanguageDoes) {
  Policy policy = example_policy("near_human");
  policy.observations[0].name = "valid";
  policy.observations[1].name = "sum0";
  policy.observations[2].name = "Largest";
  policy.actions[0].name = "EXP";
  const RunBlock block(policy);
  ASSERT_TRUE(block.works()) << block.source();
  std::vector<double> action = {0};
  EXPECT_EQ(block({9, 1, 2}, action), 1);
  EXPECT_NEAR(action[0], act(policy, std::vector{9.0, 1.0, 2.0})[0], 1e-12);
}

TEST(ToSt, RefusesTreesThatCompilersCannotNest) {
  Policy policy = example_policy("near_human");
  Tree tree = make_leaf({{.bias = 0}});
  for (int i = 0; i < 101; ++i) tree = make_split(0, i, make_leaf({{.bias = 1}}), tree);
  policy.controller = tree;
  EXPECT_THAT(complaint([&] { to_st(policy, "p", false); }), HasSubstr("101 decisions deep"));
}

}  // namespace
}  // namespace icct

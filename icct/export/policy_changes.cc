#include "icct/export/policy_changes.h"

#include <map>

#include "icct/base/number.h"
#include "icct/export/phrases.h"

namespace icct {
namespace {

constexpr TextOptions kExactly = {.digits = 0};

class Comparison {
 public:
  Comparison(const Policy& before, const Policy& after) : before_(before), after_(after) {}

  std::vector<std::string> changes() {
    compare("name", quoted(before_.name), quoted(after_.name));
    compare("environment", quoted(before_.environment), quoted(after_.environment));
    compare_spaces("observation", before_.observations, after_.observations);
    compare_spaces("action", before_.actions, after_.actions);
    compare("squashing", squashing(before_), squashing(after_));
    compare("safe action", safe_action(before_), safe_action(after_));
    for (std::size_t a = 0; a < std::min(before_.actions.size(), after_.actions.size()); ++a)
      compare("names for ranges of " + before_.actions[a].name, words(before_, a),
              words(after_, a));
    compare_controllers();
    return changes_;
  }

 private:
  void add(const std::string& what) { changes_.push_back(what); }

  void compare(const std::string& what, const std::string& before, const std::string& after) {
    if (before != after) add(what + ": " + before + " -> " + after);
  }

  void compare_number(const std::string& what, double before, double after,
                      const std::string& unit = "") {
    if (before == after) return;
    add(what + " " + exact_text(before) + " -> " + exact_text(after) +
        (unit.empty() ? "" : " " + unit));
  }

  static std::string quoted(const std::string& text) { return "'" + text + "'"; }

  static std::string squashing(const Policy& policy) {
    return policy.squashing == Squashing::Tanh ? "tanh" : "clip";
  }

  static std::string safe_action(const Policy& policy) {
    if (!policy.safe_action) return "none";
    std::string text;
    for (const double value : *policy.safe_action)
      text += (text.empty() ? "" : ", ") + exact_text(value);
    return text;
  }

  static std::string words(const Policy& policy, std::size_t action) {
    if (policy.action_words.empty()) return "none";
    std::string text;
    for (const NamedRange& word : policy.action_words[action])
      text += (text.empty() ? "" : ", ") + word.name + " " + exact_text(word.lower) + " to " +
              exact_text(word.upper);
    return text.empty() ? "none" : text;
  }

  void compare_spaces(const std::string& what, const Space& before, const Space& after);
  void compare_controllers();
  void compare_splits(const Tree& before, const Tree& after);
  void compare_split(const std::string& name, const Split& a, const Split& b);
  void compare_leaves(const Tree& before, const Tree& after);
  void compare_leaf(const std::string& name, const Leaf& a, const Leaf& b);
  void compare_terms(const std::string& where, const Controller& a, const Controller& b);

  // Calls both(name, index, index) for names on both sides, and reports the others.
  template <class Both>
  void match(const Tree& before, const Tree& after, bool leaves, const Both& both);

  const Policy& before_;
  const Policy& after_;
  std::vector<std::string> changes_;
};

void Comparison::compare_spaces(const std::string& what, const Space& before, const Space& after) {
  for (const Dimension& a : before) {
    const std::string name = what + " " + quoted(a.name);
    const std::optional<int> found = find_dimension(after, a.name);
    if (!found) {
      add(name + " is gone");
      continue;
    }
    const Dimension& b = after[static_cast<std::size_t>(*found)];
    compare(name + ", unit", quoted(a.unit), quoted(b.unit));
    compare_number(name + ": lower bound", a.lower, b.lower);
    compare_number(name + ": upper bound", a.upper, b.upper);
  }
  for (const Dimension& b : after) {
    if (!find_dimension(before, b.name)) add(what + " " + quoted(b.name) + " is new");
  }
  if (list_names(before) != list_names(after))
    compare("order of " + what + "s", list_names(before), list_names(after));
}

template <class Both>
void Comparison::match(const Tree& before, const Tree& after, bool leaves, const Both& both) {
  const auto size = [&](const Tree& tree) {
    return static_cast<int>(leaves ? tree.leaves.size() : tree.splits.size());
  };
  std::map<std::string, int> found;
  for (int i = 0; i < size(after); ++i) found[name_of(after, {i, leaves})] = i;
  for (int i = 0; i < size(before); ++i) {
    const std::string name = name_of(before, {i, leaves});
    const auto there = found.find(name);
    if (there == found.end()) {
      add(name + " is gone");
      continue;
    }
    both(name, static_cast<std::size_t>(i), static_cast<std::size_t>(there->second));
    found.erase(there);
  }
  for (int i = 0; i < size(after); ++i) {
    const std::string name = name_of(after, {i, leaves});
    if (found.contains(name)) add(name + " is new");
  }
}

void Comparison::compare_split(const std::string& name, const Split& a, const Split& b) {
  const Dimension& from = before_.observations[static_cast<std::size_t>(a.feature)];
  const Dimension& to = after_.observations[static_cast<std::size_t>(b.feature)];
  if (from.name == to.name && a.less == b.less) {
    compare_number(name + ": threshold", a.threshold, b.threshold, to.unit);
  } else {
    compare(name, condition_text(before_, a, kExactly), condition_text(after_, b, kExactly));
  }
}

void Comparison::compare_splits(const Tree& before, const Tree& after) {
  match(before, after, false, [&](const std::string& name, std::size_t i, std::size_t j) {
    const Split &a = before.splits[i], &b = after.splits[j];
    compare_split(name, a, b);
    compare(name + ", yes", name_of(before, a.yes), name_of(after, b.yes));
    compare(name + ", no", name_of(before, a.no), name_of(after, b.no));
  });
}

void Comparison::compare_terms(const std::string& where, const Controller& a, const Controller& b) {
  compare_number(where + ": bias", a.bias, b.bias);
  std::map<std::string, double> gains;
  for (const Term& term : b.terms)
    gains[after_.observations[static_cast<std::size_t>(term.feature)].name] = term.gain;
  for (const Term& term : a.terms) {
    const std::string& name = before_.observations[static_cast<std::size_t>(term.feature)].name;
    const auto found = gains.find(name);
    if (found == gains.end()) {
      add(where + ": no longer uses " + name + " (gain " + exact_text(term.gain) + ")");
      continue;
    }
    compare_number(where + ": gain of " + name, term.gain, found->second);
    gains.erase(found);
  }
  for (const auto& [name, gain] : gains)
    add(where + ": also uses " + name + " (gain " + exact_text(gain) + ")");
}

void Comparison::compare_leaf(const std::string& name, const Leaf& a, const Leaf& b) {
  for (std::size_t i = 0; i < before_.actions.size(); ++i) {
    const std::optional<int> j = find_dimension(after_.actions, before_.actions[i].name);
    if (!j) continue;
    compare_terms(name + ", " + before_.actions[i].name, a.controllers[i],
                  b.controllers[static_cast<std::size_t>(*j)]);
  }
}

void Comparison::compare_leaves(const Tree& before, const Tree& after) {
  match(before, after, true, [&](const std::string& name, std::size_t i, std::size_t j) {
    compare_leaf(name, before.leaves[i], after.leaves[j]);
  });
}

void Comparison::compare_controllers() {
  const Tree* before = std::get_if<Tree>(&before_.controller);
  const Tree* after = std::get_if<Tree>(&after_.controller);
  if (before == nullptr || after == nullptr) {
    if (!(before_.controller == after_.controller)) add("the network is another one");
    return;
  }
  compare("root", name_of(*before, before->root), name_of(*after, after->root));
  compare_splits(*before, *after);
  compare_leaves(*before, *after);
}

}  // namespace

std::vector<std::string> policy_changes(const Policy& before, const Policy& after) {
  return Comparison(before, after).changes();
}

}  // namespace icct

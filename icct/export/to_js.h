#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "icct/base/json.h"
#include "icct/policy/policy.h"

namespace icct {

// The deployed function as JavaScript without dependencies: in a browser NAME.act(x), in Node
// require("./NAME.js").act(x). Gives the bits of act(). `name` must be an identifier. Throws Error
// if the policy is a network.
std::string to_js(const Policy& policy, const std::string& name);

// JSON that may stand inside a script of a page: no text of it can end the script.
std::string script_json(const Json& value);

// `text` with every @KEY@ of the list replaced, once through: replacements are not looked at again.
std::string filled_in(std::string_view text,
                      const std::vector<std::pair<std::string, std::string>>& replacements);

}  // namespace icct

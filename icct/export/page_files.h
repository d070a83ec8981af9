#pragma once

#include <string_view>

// The files of icct/export/page, compiled in (page_files.cc.in).
namespace icct {

extern const std::string_view kEvaluateJs;  // the deployed function, given `policy`
extern const std::string_view kPageHtml;    // with places for the rest
extern const std::string_view kPageCss;
extern const std::string_view kPageJs;  // what the page does

}  // namespace icct

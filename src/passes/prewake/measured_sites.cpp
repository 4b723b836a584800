#include "passes/prewake/measured_sites.hpp"

namespace kumi::passes {

MeasuredSites MeasuredSites::of(llvm::StringRef text) {
    MeasuredSites sites;
    while (!text.empty()) {
        const auto [line, rest] = text.split('\n');
        text = rest;
        const auto [call, reason] = line.split('\t');
        if (!reason.empty()) sites.x_reasons[call] = reason.str();
    }
    return sites;
}

llvm::StringRef MeasuredSites::without_place(llvm::StringRef place,
                                             llvm::StringRef function) const {
    const auto found = x_reasons.find(place.str() + " " + function.lower());
    return found == x_reasons.end() ? llvm::StringRef() : llvm::StringRef(found->second);
}

}  // namespace kumi::passes

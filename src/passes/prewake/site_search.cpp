#include "passes/prewake/site_search.hpp"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/IR/Dominators.h>

namespace kumi::passes {
namespace {

/// How many calls upwards a search goes; recursion ends there, too.
constexpr unsigned kMostLevels = 3;

void merge(const Findings& from, Findings& into) {
    for (const Place& place : from.places)
        if (!llvm::is_contained(into.places, place)) into.places.push_back(place);
    for (const std::string& limit : from.limits) add_once(into.limits, limit);
}

}  // namespace

Findings SiteSearch::ahead_of(llvm::Instruction& call) {
    Findings findings = search(call);
    if (findings.reaches_entry) climb(*call.getFunction(), kMostLevels, findings);
    return findings;
}

Findings SiteSearch::search(llvm::Instruction& call) {
    llvm::Function& function = *call.getFunction();
    PlaceFinder finder(x_communication, x_model,
                       x_analyses.getResult<llvm::DominatorTreeAnalysis>(function),
                       x_analyses.getResult<llvm::LoopAnalysis>(function),
                       x_analyses.getResult<llvm::ScalarEvolutionAnalysis>(function));
    return finder.search(call);
}

void SiteSearch::climb(llvm::Function& function, unsigned levels, Findings& findings) {
    bool has_callers = false;
    for (llvm::User* user : function.users()) {
        auto* call = llvm::dyn_cast<llvm::CallBase>(user);
        if (call == nullptr || call->getCalledFunction() != &function) continue;
        has_callers = true;
        if (levels == 0) {
            add_once(findings.limits, "the beginning of " + shown_function(function));
            continue;
        }
        const Findings above = search(*call);
        merge(above, findings);
        if (above.reaches_entry) climb(*call->getFunction(), levels - 1, findings);
    }
    if (has_callers) return;
    // Others may call it: it is a place that comes early enough if it computes before the call.
    const Place entry{Place::Kind::kEntry, &function};
    if (function.getName() == "main")
        add_once(findings.limits, "the beginning of main");
    else if (!llvm::is_contained(findings.places, entry))
        findings.places.push_back(entry);
}

}  // namespace kumi::passes

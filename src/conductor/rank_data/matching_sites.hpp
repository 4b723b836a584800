#pragma once

#include <cstdint>
#include <cstring>
#include <string_view>

#include "base/call_name.hpp"
#include "matching/account.hpp"

namespace kumi::conductor {

/// A place in the program or one of its libraries that calls an MPI function.
struct MatchingSite {
    static constexpr std::size_t kModuleBytes = 264;

    CallName function;
    std::uint64_t offset = 0;  ///< To which the call returns, as an address of the module's file.
    /// Path of the program or library, ends with a zero; empty if it is too long, or not known.
    char module[kModuleBytes] = {};
};

/// The places at which a rank's program called MPI, in the order of their first calls, and the
/// time of matching for what was asked for there. Memory of zeros is one without any.
struct MatchingSites {
    /// 0 stands for calls of no place, and of those for which there was no room.
    static constexpr std::uint32_t kMost = matching::SiteAccount::kSites;

    matching::SiteAccount account;
    std::uint32_t count = 0;  ///< Of places, from 1 on.
    MatchingSite sites[kMost];

    /// Returns the number of a new one; 0 if there is no room.
    std::uint16_t add(const CallName& function, std::string_view module, std::uint64_t offset) {
        if (count + 1 >= kMost) return 0;
        MatchingSite& site = sites[++count];
        site.function = function;
        site.offset = offset;
        if (module.size() < sizeof site.module)
            std::memcpy(site.module, module.data(), module.size());
        return static_cast<std::uint16_t>(count);
    }
};

}  // namespace kumi::conductor

#pragma once

#include <ostream>

#include "base/time/time.hpp"

namespace kumi::inline base {

/// For GoogleTest's messages.
inline void PrintTo(Duration span, std::ostream* out) { *out << span.ps << " ps"; }
/// For RapidCheck's.
inline void showValue(Duration span, std::ostream& out) { PrintTo(span, &out); }
inline void PrintTo(Instant when, std::ostream* out) { *out << "instant " << when.ps << " ps"; }

}  // namespace kumi::inline base

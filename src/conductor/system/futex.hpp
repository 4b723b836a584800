#pragma once

#include <atomic>
#include <cstdint>

namespace kumi::conductor {

/// Sleeps while `word` holds `expected`, at most `timeout_ns` (0: without limit). Works between
/// processes. May return early.
void futex_wait(std::atomic<std::uint32_t>& word, std::uint32_t expected,
                std::int64_t timeout_ns = 0);

/// Resumes one process that waits for the word.
void futex_notify(std::atomic<std::uint32_t>& word);

}  // namespace kumi::conductor

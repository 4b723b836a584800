#pragma once

#include <cstdint>

#include "base/memory/arena.hpp"
#include "conductor/records/records.hpp"

namespace kumi::conductor {

/// How much of a run is written down.
enum class Detail : std::uint8_t { kSummary = 0, kFull = 1 };

/// What is put on record besides messages and states.
struct RecordExtras {
    bool operations = false;  ///< What ranks did with messages.
    bool calls = false;       ///< What their MPI libraries asked for.
    bool services = false;    ///< What services of ranks did.
};

/// Collects records in the segment and appends them to files whenever a buffer is full. The
/// process with the baton writes; the files are opened by path for each buffer.
class Recorder {
   public:
    /// `directory` must exist; its path is kept. Aborts if it is longer than kPathBytes.
    Recorder(Arena* arena, Detail level, RecordExtras extras = {});
    void set_directory(const char* directory);

    /// Each returns false if the records could not be written; `errno` says why.
    [[nodiscard]] bool add(const MessageRecord& record);
    [[nodiscard]] bool add(const StateRecord& record);
    [[nodiscard]] bool add(const OperationRecord& record);
    [[nodiscard]] bool add(const CallRecord& record);
    [[nodiscard]] bool add(const TrafficRecord& record);
    [[nodiscard]] bool add(const ServiceMemoryRecord& record);
    [[nodiscard]] bool flush();

    bool full() const { return x_level == Detail::kFull; }
    bool records_operations() const { return x_extras.operations; }
    bool records_calls() const { return x_extras.calls; }
    bool records_services() const { return x_extras.services; }

    static constexpr std::size_t kPathBytes = 3072;

   private:
    static constexpr std::uint32_t kBufferBytes = 192 * 1024;  // a multiple of 64 and of 24

    [[nodiscard]] bool append(int which, const void* record, std::uint32_t size_bytes);
    [[nodiscard]] bool flush(int which);

    static constexpr int kFiles = 6;

    Detail x_level;
    RecordExtras x_extras;
    unsigned char* x_bytes[kFiles] = {};  ///< Those of extras only if they are used.
    std::uint32_t x_used[kFiles] = {};
    bool x_broken = false;  ///< A write failed: nothing more is appended, what is there stays.
    char x_directory[kPathBytes] = {};
};

}  // namespace kumi::conductor

#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "launch/pmi/pmi_request.hpp"

namespace kumi::launch {

/// How far a rank has come with its process manager.
enum class PmiPhase : std::uint8_t {
    kSilent,       ///< Has not said a word: MPI_Init was not called yet.
    kInitialised,  ///< Between MPI_Init and MPI_Finalize.
    kFinalised,    ///< Has finalised.
};

/// What the launcher must know of a rank's requests to its process manager.
struct PmiNotice {
    enum class Kind : std::uint8_t {
        kAbort,      ///< The rank asked to end the job with `code`.
        kViolation,  ///< The rank said something that is not the protocol, or that is not served.
    };
    Kind kind;
    std::uint32_t rank;
    int code;
    std::string text;
};

/// The process manager's side of PMI-1 for one job, without its sockets: bytes in, bytes out.
///
/// One key-value space serves the job, and one list of published names. A rank may send anything:
/// what does not follow the protocol becomes a notice, and the rank is not listened to any more.
/// Cost is constant per request. When a rank starts to fetch a family of keys `<prefix>0 ...
/// <prefix>(n-1)` that is complete, all answers are written ahead at once: MPICH asks for them in
/// that order, one by one, and the n waits of n ranks each are the quadratic part of a job's start.
class PmiProtocol {
   public:
    struct Options {
        /// Name of the key-value space. MPICH names its shared memory by it, so that it must be of
        /// this job alone among all jobs of the platform. No spaces.
        std::string space_name = "kumihimo";
        /// Values that exist from the start, by key (`PMI_hwloc_xmlfile`).
        std::map<std::string, std::string> preset;
        bool write_ahead = true;
    };

    PmiProtocol(std::uint32_t ranks, Options options);

    /// Takes bytes as they arrive from `rank`: any part of a line, or many lines.
    void receive(std::uint32_t rank, std::string_view bytes);

    /// Bytes to send to `rank`; the caller removes what it has sent.
    std::string& outgoing(std::uint32_t rank) { return x_ranks[rank].outgoing; }

    /// Ranks whose `outgoing` grew since the last call, each once.
    std::vector<std::uint32_t> take_ranks_to_answer();
    std::vector<PmiNotice> take_notices();

    PmiPhase phase(std::uint32_t rank) const { return x_ranks[rank].phase; }

    /// A request longer than this is not PMI.
    static constexpr std::size_t kMaxLineBytes = 64 * 1024;

   private:
    struct TransparentHash : std::hash<std::string_view> {
        using is_transparent = void;
    };
    template <class Value>
    using StringMap = std::unordered_map<std::string, Value, TransparentHash, std::equal_to<>>;

    struct Rank {
        std::string incoming;  ///< The beginning of a line whose end has not come yet.
        std::string outgoing;
        PmiPhase phase = PmiPhase::kSilent;
        bool must_answer = false;    ///< Is in x_ranks_to_answer.
        bool muted = false;          ///< Broke the protocol.
        bool in_multi_line = false;  ///< Inside `mcmd=` ... `endcmd`.
        bool in_barrier = false;
        std::string ahead_prefix;      ///< Family of keys answered ahead.
        std::uint32_t ahead_next = 0;  ///< Its member that must be asked for next; 0: none.
    };

    void handle_line(std::uint32_t rank, std::string_view line);
    void handle_multi_line(std::uint32_t rank, std::string_view line);
    /// Answers a request about published names; false if it is none.
    bool handle_name(std::uint32_t rank, const PmiRequest& request);
    void put(std::uint32_t rank, std::string_view key, std::string_view value);
    void get(std::uint32_t rank, std::string_view key);
    bool was_answered_ahead(std::uint32_t rank, std::string_view key);
    bool answer_ahead(std::uint32_t rank, std::string_view key);
    const std::string* answers_of_family(std::string_view prefix);
    void enter_barrier(std::uint32_t rank);
    void send(std::uint32_t rank, std::string_view text);
    void violation(std::uint32_t rank, std::string text);

    std::vector<Rank> x_ranks;
    Options x_options;
    StringMap<std::string> x_values;
    StringMap<std::string> x_ports;     ///< Published name -> port.
    StringMap<std::string> x_families;  ///< Prefix -> all its answers, made once.
    std::uint32_t x_waiting_in_barrier = 0;
    std::vector<std::uint32_t> x_ranks_to_answer;
    std::vector<PmiNotice> x_notices;
};

}  // namespace kumi::launch

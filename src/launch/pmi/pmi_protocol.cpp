#include "launch/pmi/pmi_protocol.hpp"

#include <charconv>
#include <utility>

namespace kumi::launch {
namespace {

std::string answer_to_get(std::string_view value) {
    std::string answer = "cmd=get_result rc=0 msg=success value=";
    answer += value;
    answer += '\n';
    return answer;
}

/// The part of a message from a rank that may be shown: printable, short.
std::string quoted(std::string_view bytes) {
    constexpr std::size_t kShown = 60;
    std::string text = "'";
    for (char c : bytes.substr(0, kShown)) text += c >= ' ' && c <= '~' ? c : '?';
    text += bytes.size() > kShown ? "...'" : "'";
    return text;
}

/// The prefix of the family whose first member `key` is, for the keys by which MPICH exchanges one
/// value of every rank (`-allgather-<count>-<rank>`); empty for any other key. Only these are known
/// to be asked for in order.
std::string_view family_prefix(std::string_view key) {
    constexpr std::string_view kBegin = "-allgather-";
    if (!key.starts_with(kBegin) || !key.ends_with("-0")) return {};
    const std::string_view prefix = key.substr(0, key.size() - 1);
    const std::string_view count = prefix.substr(kBegin.size(), prefix.size() - kBegin.size() - 1);
    const bool is_number = !count.empty() && count.find_first_not_of("0123456789") == count.npos;
    return is_number ? prefix : std::string_view{};
}

int parse_exit_code(std::string_view digits) {
    int code = 1;
    std::from_chars(digits.data(), digits.data() + digits.size(), code);
    return code;
}

}  // namespace

PmiProtocol::PmiProtocol(std::uint32_t ranks, Options options)
    : x_ranks(ranks), x_options(std::move(options)) {
    for (const auto& [key, value] : x_options.preset) x_values.emplace(key, value);
}

void PmiProtocol::receive(std::uint32_t rank, std::string_view bytes) {
    Rank& state = x_ranks[rank];
    while (!bytes.empty() && !state.muted) {
        const std::size_t end = bytes.find('\n');
        if (end == std::string_view::npos) {
            state.incoming += bytes;
            if (state.incoming.size() > kMaxLineBytes) {
                violation(rank, "sent an endless line " + quoted(state.incoming));
            }
            return;
        }
        if (state.incoming.empty()) {
            handle_line(rank, bytes.substr(0, end));
        } else {
            state.incoming += bytes.substr(0, end);
            handle_line(rank, std::exchange(state.incoming, {}));
        }
        bytes.remove_prefix(end + 1);
    }
}

void PmiProtocol::handle_line(std::uint32_t rank, std::string_view line) {
    Rank& state = x_ranks[rank];
    if (state.in_multi_line || line.starts_with("mcmd=")) return handle_multi_line(rank, line);
    const auto request = PmiRequest::parse(line);
    if (!request) return violation(rank, "sent " + quoted(line) + ", which is not PMI-1");
    const std::string_view command = request->command();
    if (command == "get") {
        const auto key = request->find("key");
        return key ? get(rank, *key) : violation(rank, "asked for a value without naming its key");
    }
    if (state.ahead_next != 0) {
        return violation(rank, "asked for " + quoted(line) + " amid a family of keys");
    }
    if (command == "put") {
        const auto key = request->find("key");
        const auto value = request->find("value");
        return key && value ? put(rank, *key, *value)
                            : violation(rank, "put a value without key or value");
    }
    if (command == "barrier_in") return enter_barrier(rank);
    if (command == "init") {
        state.phase = PmiPhase::kInitialised;
        return send(rank, "cmd=response_to_init pmi_version=1 pmi_subversion=1 rc=0\n");
    }
    if (command == "get_maxes") {
        return send(rank, "cmd=maxes rc=0 kvsname_max=256 keylen_max=64 vallen_max=1024\n");
    }
    if (command == "get_appnum") return send(rank, "cmd=appnum rc=0 appnum=0\n");
    if (command == "get_my_kvsname") {
        return send(rank, "cmd=my_kvsname rc=0 kvsname=" + x_options.space_name + "\n");
    }
    if (command == "get_universe_size") {
        return send(rank, "cmd=universe_size rc=0 size=" + std::to_string(x_ranks.size()) + "\n");
    }
    if (command == "finalize") {
        state.phase = PmiPhase::kFinalised;
        return send(rank, "cmd=finalize_ack rc=0\n");
    }
    if (command == "abort") {
        const int code = parse_exit_code(request->find("exitcode").value_or("1"));
        const std::string_view text = request->rest_after("message").value_or("");
        x_notices.push_back({PmiNotice::Kind::kAbort, rank, code, std::string(text)});
        return;
    }
    if (command == "spawn") return send(rank, "cmd=spawn_result rc=-1 msg=not_supported\n");
    if (!command.ends_with("_name") || !handle_name(rank, *request)) {
        violation(rank, "asked for " + quoted(command) + ", which is not served");
    }
}

bool PmiProtocol::handle_name(std::uint32_t rank, const PmiRequest& request) {
    const std::string_view command = request.command();
    const std::string service(request.find("service").value_or(""));
    if (command == "publish_name") {
        const bool is_new = x_ports.emplace(service, request.find("port").value_or("")).second;
        send(rank, is_new ? "cmd=publish_result rc=0 msg=success\n"
                          : "cmd=publish_result rc=-1 msg=duplicate_name\n");
    } else if (command == "unpublish_name") {
        const bool was_there = x_ports.erase(service) > 0;
        send(rank, was_there ? "cmd=unpublish_result rc=0 msg=success\n"
                             : "cmd=unpublish_result rc=-1 msg=name_not_found\n");
    } else if (command == "lookup_name") {
        const auto found = x_ports.find(service);
        send(rank, found != x_ports.end()
                       ? "cmd=lookup_result rc=0 msg=success port=" + found->second + "\n"
                       : "cmd=lookup_result rc=-1 msg=name_not_found\n");
    } else {
        return false;
    }
    return true;
}

void PmiProtocol::handle_multi_line(std::uint32_t rank, std::string_view line) {
    Rank& state = x_ranks[rank];
    if (!state.in_multi_line && line != "mcmd=spawn") {
        return violation(rank, "asked for " + quoted(line) + ", which is not served");
    }
    state.in_multi_line = line != "endcmd";
    if (!state.in_multi_line) send(rank, "cmd=spawn_result rc=-1 msg=not_supported\n");
}

void PmiProtocol::put(std::uint32_t rank, std::string_view key, std::string_view value) {
    const bool is_new = x_values.emplace(key, value).second;
    send(rank,
         is_new ? "cmd=put_result rc=0 msg=success\n" : "cmd=put_result rc=-1 msg=duplicate_key\n");
}

void PmiProtocol::get(std::uint32_t rank, std::string_view key) {
    if (x_ranks[rank].ahead_next != 0) {
        if (!was_answered_ahead(rank, key)) {
            violation(rank, "asked for key " + quoted(key) + " amid a family of keys");
        }
        return;
    }
    if (x_options.write_ahead && answer_ahead(rank, key)) return;
    const auto found = x_values.find(key);
    if (found == x_values.end()) {
        return send(rank, "cmd=get_result rc=-1 msg=key_not_found value=unknown\n");
    }
    send(rank, answer_to_get(found->second));
}

bool PmiProtocol::was_answered_ahead(std::uint32_t rank, std::string_view key) {
    Rank& state = x_ranks[rank];
    if (!key.starts_with(state.ahead_prefix)) return false;
    const std::string_view digits = key.substr(state.ahead_prefix.size());
    std::uint32_t member = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), member);
    if (error != std::errc{} || end != digits.data() + digits.size()) return false;
    if (member != state.ahead_next) return false;
    ++state.ahead_next;
    if (state.ahead_next == x_ranks.size()) state.ahead_next = 0;
    return true;
}

bool PmiProtocol::answer_ahead(std::uint32_t rank, std::string_view key) {
    const std::string_view prefix = family_prefix(key);
    if (x_ranks.size() < 2 || prefix.empty()) return false;
    const std::string* answers = answers_of_family(prefix);
    if (answers == nullptr) return false;
    x_ranks[rank].ahead_prefix = prefix;
    x_ranks[rank].ahead_next = 1;
    send(rank, *answers);
    return true;
}

const std::string* PmiProtocol::answers_of_family(std::string_view prefix) {
    const auto known = x_families.find(prefix);
    if (known != x_families.end()) return &known->second;
    std::string answers;
    for (std::size_t member = 0; member < x_ranks.size(); ++member) {
        const auto found = x_values.find(std::string(prefix) + std::to_string(member));
        if (found == x_values.end()) return nullptr;
        answers += answer_to_get(found->second);
    }
    return &x_families.emplace(prefix, std::move(answers)).first->second;
}

void PmiProtocol::enter_barrier(std::uint32_t rank) {
    if (std::exchange(x_ranks[rank].in_barrier, true)) {
        return violation(rank, "entered a barrier twice");
    }
    if (++x_waiting_in_barrier < x_ranks.size()) return;
    x_waiting_in_barrier = 0;
    for (std::uint32_t other = 0; other < x_ranks.size(); ++other) {
        x_ranks[other].in_barrier = false;
        send(other, "cmd=barrier_out rc=0\n");
    }
}

void PmiProtocol::send(std::uint32_t rank, std::string_view text) {
    Rank& state = x_ranks[rank];
    state.outgoing += text;
    if (!std::exchange(state.must_answer, true)) x_ranks_to_answer.push_back(rank);
}

void PmiProtocol::violation(std::uint32_t rank, std::string text) {
    x_ranks[rank].muted = true;
    x_notices.push_back({PmiNotice::Kind::kViolation, rank, 1, std::move(text)});
}

std::vector<std::uint32_t> PmiProtocol::take_ranks_to_answer() {
    for (std::uint32_t rank : x_ranks_to_answer) x_ranks[rank].must_answer = false;
    return std::exchange(x_ranks_to_answer, {});
}

std::vector<PmiNotice> PmiProtocol::take_notices() { return std::exchange(x_notices, {}); }

}  // namespace kumi::launch

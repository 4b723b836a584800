#include "schedule/goal/goal.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <unordered_map>

#include "schedule/goal/goal_scanner.hpp"
#include "schedule/schedule_builder.hpp"

namespace kumi::schedule {
namespace {

using Kind = GoalToken::Kind;

/// Recursive descent, one function for each thing that the text can say.
class GoalReader {
   public:
    explicit GoalReader(std::istream& input) : x_scanner(input), x_builder(read_rank_count()) {
        read_exact_messages();
        read_recorded_order();
    }

    Schedule read() {
        while (read_next_rank()) continue;
        return at_line(x_scanner.peek().line, [&] { return x_builder.finish(); });
    }

    /// Of the same text: the lines of these operations, 0 of what is not there. Keeps no rank.
    std::vector<std::uint64_t> find_lines(const std::vector<OperationPlace>& places) {
        std::vector<std::uint64_t> lines(places.size());
        while (read_next_rank()) {
            for (std::size_t i = 0; i < places.size(); ++i) {
                const auto [rank, operation] = places[i];
                if (rank == x_builder.rank() && operation < x_lines.size()) {
                    lines[i] = x_lines[operation];
                }
            }
            x_builder.check_rank();
        }
        return lines;
    }

   private:
    /// Runs `action` and gives what it complains about the number of a line.
    template <class Action>
    auto at_line(std::uint64_t line, Action&& action) -> decltype(action()) {
        try {
            return action();
        } catch (const CycleError& error) {
            throw GoalError(x_lines.at(error.operations().front()), cycle_text(error));
        } catch (const GoalError&) {
            throw;
        } catch (const ScheduleError& error) {
            throw GoalError(line, error.what());
        }
    }

    std::string cycle_text(const CycleError& error) const {
        if (error.operations().size() == 1) return "an operation waits for itself";
        constexpr std::size_t kShown = 8;
        std::string text = "rank " + std::to_string(x_builder.rank()) +
                           ": operations wait for each other: those of the lines ";
        for (std::size_t i = 0; i < error.operations().size() && i < kShown; ++i) {
            text += (i > 0 ? ", " : "") + std::to_string(x_lines.at(error.operations()[i]));
        }
        return text + (error.operations().size() > kShown ? ", ..." : "");
    }

    [[noreturn]] static void refuse(const GoalToken& token, const std::string& expected) {
        throw GoalError(token.line, "expected " + expected + ", not " + token.shown());
    }

    bool read_next_rank() {
        x_scanner.skip_line_ends();
        if (x_scanner.peek().kind == Kind::kEndOfText) return false;
        const GoalToken token = x_scanner.take();
        if (!token.is("rank")) refuse(token, "'rank'");
        read_rank();
        return true;
    }

    std::uint64_t read_rank_count() {
        x_scanner.skip_line_ends();
        const GoalToken token = x_scanner.take();
        if (!token.is("num_ranks")) refuse(token, "'num_ranks'");
        const std::uint64_t ranks = take_number("the number of ranks", kMostScheduleRanks);
        if (ranks == 0) throw GoalError(token.line, "there must be at least one rank");
        end_of_rank();
        return ranks;
    }

    void read_exact_messages() {
        x_scanner.skip_line_ends();
        if (!take_word("exact_messages")) return;
        const GoalToken token = x_scanner.take();
        if (!token.is("protected") && !token.is("unprotected"))
            refuse(token, "'protected' or 'unprotected'");
        x_builder.allow_errors(token.is("protected"));
        end_of_rank();
    }

    void read_recorded_order() {
        RecordedOrder order{.polls = read_count("recorded_polls", "a number of polls"),
                            .wildcards = read_count("recorded_wildcards", "a number of wildcards")};
        x_builder.count_recorded_order(order);
    }

    /// 0 if there is no line that begins with `word`.
    std::uint64_t read_count(const char* word, const char* what) {
        x_scanner.skip_line_ends();
        if (!take_word(word)) return 0;
        const std::uint64_t count = take_number(what, kMostAmount);
        end_of_rank();
        return count;
    }

    void read_rank() {
        const std::uint64_t line = x_scanner.peek().line;
        const std::uint64_t rank = take_number("a rank", kMostScheduleRanks);
        at_line(line, [&] { x_builder.begin_rank(rank); });
        x_lines.clear();
        x_labels.clear();
        x_scanner.skip_line_ends();
        const GoalToken brace = x_scanner.take();
        if (!brace.is("{")) refuse(brace, "'{'");
        for (;;) {
            x_scanner.skip_line_ends();
            if (x_scanner.peek().is("}")) break;
            if (x_scanner.peek().kind == Kind::kEndOfText) {
                throw GoalError(line, "rank " + std::to_string(rank) + " has no closing '}'");
            }
            read_statement();
        }
        x_scanner.take();
        end_of_rank();
    }

    void read_statement() {
        GoalToken first = x_scanner.take();
        if (first.kind != Kind::kWord) refuse(first, "a statement");
        if (x_scanner.peek().is(":")) {
            x_scanner.take();
            const GoalToken verb = x_scanner.take();
            define(first, read_operation(verb));
        } else if (x_scanner.peek().is("requires") || x_scanner.peek().is("irequires")) {
            read_dependence(first);
        } else {
            read_operation(first);
        }
        end_statement();
    }

    void define(const GoalToken& label, std::uint32_t operation) {
        if (x_labels.emplace(label.text, operation).second) return;
        throw GoalError(label.line, "the label '" + label.text + "' is already that of line " +
                                        std::to_string(x_lines[x_labels[label.text]]));
    }

    std::uint32_t find(const GoalToken& label) const {
        const auto place = x_labels.find(label.text);
        if (label.kind == Kind::kWord && place != x_labels.end()) return place->second;
        throw GoalError(label.line,
                        "no operation of this rank has the label " + label.shown() + " so far");
    }

    void read_dependence(const GoalToken& after_label) {
        const bool on_start = x_scanner.take().is("irequires");
        const GoalToken before_label = x_scanner.take();
        const std::uint32_t after = find(after_label);
        const std::uint32_t before = find(before_label);
        at_line(after_label.line, [&] { x_builder.depend(after, before, on_start); });
    }

    std::uint32_t read_operation(const GoalToken& verb) {
        Operation operation;
        if (verb.is("send")) {
            operation = read_message(OperationKind::kSend, "to");
        } else if (verb.is("recv")) {
            operation = read_message(OperationKind::kReceive, "from");
        } else if (verb.is("calc")) {
            operation = read_time(OperationKind::kCompute);
        } else if (verb.is("wait_until")) {
            operation = read_time(OperationKind::kWaitUntil);
        } else if (verb.is("wait_after")) {
            operation = read_time(OperationKind::kWaitAfter);
        } else if (verb.is("synchronise")) {
            operation = Operation::synchronise();
            if (take_word("cpu")) operation.cpu = take_small_number("a cpu");
        } else if (verb.is("hint")) {
            operation = read_hint();
        } else {
            refuse(verb,
                   "send, recv, calc, wait_until, wait_after, synchronise, hint, or a label with "
                   "requires or irequires");
        }
        x_lines.push_back(verb.line);
        return at_line(verb.line, [&] { return x_builder.add(operation); });
    }

    Operation read_message(OperationKind kind, const char* preposition) {
        Operation operation{.kind = kind};
        const bool may_be_any = kind == OperationKind::kReceive;
        operation.amount = take_number("a size", kMostAmount, "b");
        const GoalToken word = x_scanner.take();
        if (!word.is(preposition)) refuse(word, std::string("'") + preposition + "'");
        operation.peer = take_number_or_any("a rank", kAnyPeer, may_be_any);
        if (take_word("tag")) operation.tag = take_number_or_any("a tag", kAnyTag, may_be_any);
        if (take_word("cpu")) operation.cpu = take_small_number("a cpu");
        const bool has_nic = take_word("nic");
        if (has_nic) operation.nic = take_small_number("a nic");
        const bool is_send = kind == OperationKind::kSend;
        if (take_word("bare")) operation.traits = read_traits(is_send);
        const std::uint64_t line = x_scanner.peek().line;
        if (is_send && take_word("approximate")) {
            if (has_nic) throw GoalError(line, "an approximate message has no nic");
            const ErrorContent content = read_content();
            operation.allow_errors(at_line(line, [&] { return x_builder.content(content); }));
        }
        return operation;
    }

    std::uint8_t read_traits(bool is_send) {
        std::uint8_t traits = traits::kBare;
        if (is_send && take_word("control")) traits |= traits::kControl;
        if (is_send && take_word("request")) traits |= traits::kRequest;
        if (take_word("interface")) traits |= traits::kInterface;
        return traits;
    }

    ErrorContent read_content() {
        ErrorContent content;
        const GoalToken type = x_scanner.take();
        content.element = element_of_word(type.text);
        if (type.kind != Kind::kWord || content.element == Element::kNone)
            refuse(type,
                   "a type of numbers, such as double or " + word_of(Element::kDoubleComplex));
        content.protected_bits = take_small_number("a number of protected bits");
        if (take_word("in_order"))
            content.order = network::BitOrder::kInOrder;
        else if (take_word("important_first"))
            content.order = network::BitOrder::kImportantFirst;
        if (take_word("by")) content.function = take_function();
        return content;
    }

    CallName take_function() {
        const GoalToken token = x_scanner.take();
        CallName name;
        if (token.kind != Kind::kWord || token.text.size() >= CallName::kBytes)
            refuse(token, "the name of an MPI function");
        std::copy(token.text.begin(), token.text.end(), name.text);
        return name;
    }

    Operation read_time(OperationKind kind) {
        Operation operation{.kind = kind};
        const bool is_exact = x_scanner.peek().unit == "ps";
        const std::uint64_t unit_ps = is_exact ? 1 : 1000;
        operation.amount =
            unit_ps * take_number("a time", kMostAmount / unit_ps, is_exact ? "ps" : "");
        if (take_word("cpu")) operation.cpu = take_small_number("a cpu");
        if (kind != OperationKind::kCompute) return operation;
        if (take_word("software"))
            operation.traits = traits::kSoftware;
        else if (take_word("sleep"))
            operation.traits = traits::kSleep;
        return operation;
    }

    Operation read_hint() {
        const GoalToken key = x_scanner.take();
        const auto found = endpoint::service::hint_key_of(key.text);
        if (key.kind != Kind::kWord || !found)
            refuse(key, "a hint (IN_KERNEL, REPEATED, MEMORY_BUDGET, EAGER, INIT_DONE)");
        const std::uint64_t value =
            endpoint::service::is_size(*found)
                ? take_number("a size", endpoint::service::Hint::kMostSize, "b")
                : take_number("a value", 1);
        return Operation::hint({*found, value});
    }

    bool take_word(const char* word) {
        if (!x_scanner.peek().is(word)) return false;
        x_scanner.take();
        return true;
    }

    std::uint64_t take_number(const std::string& what, std::uint64_t largest,
                              const std::string& unit = "") {
        const GoalToken token = x_scanner.take();
        if (token.kind != Kind::kNumber) refuse(token, what);
        if (token.unit != unit)
            refuse(token,
                   what + (unit.empty() ? " without a unit" : " with the unit '" + unit + "'"));
        if (token.is_negative || token.value > largest)
            refuse(token, what + " from 0 to " + std::to_string(largest));
        return token.value;
    }

    std::uint8_t take_small_number(const std::string& what) {
        return static_cast<std::uint8_t>(take_number(what, 255));
    }

    std::uint32_t take_number_or_any(const std::string& what, std::uint32_t any, bool may_be_any) {
        const GoalToken& token = x_scanner.peek();
        if (may_be_any && token.is_negative && token.value == 1 && token.unit.empty()) {
            x_scanner.take();
            return any;
        }
        return static_cast<std::uint32_t>(take_number(what, any - 1));
    }

    /// The next statement may stand in the same line, if it cannot be taken for more of this one.
    void end_statement() {
        const GoalToken& token = x_scanner.peek();
        if (is_end(token) || (token.kind == Kind::kWord && !is_of_operations(token))) return;
        refuse(token, "the end of the line");
    }

    void end_of_rank() {
        const GoalToken& token = x_scanner.peek();
        if (is_end(token) || token.is("rank")) return;
        refuse(token, "the end of the line");
    }

    static bool is_end(const GoalToken& token) {
        return token.kind == Kind::kEndOfLine || token.kind == Kind::kEndOfText || token.is("}");
    }

    static bool is_of_operations(const GoalToken& token) {
        constexpr std::array kWords = {"to",        "from",     "tag",     "cpu",
                                       "nic",       "bare",     "control", "request",
                                       "interface", "software", "sleep",   "approximate"};
        return std::ranges::any_of(kWords, [&](const char* word) { return token.is(word); });
    }

    GoalScanner x_scanner;
    ScheduleBuilder x_builder;
    std::vector<std::uint64_t> x_lines;  ///< Of the present rank's operations.
    std::unordered_map<std::string, std::uint32_t> x_labels;
};

}  // namespace

Schedule read_goal(std::istream& input) { return GoalReader(input).read(); }

std::vector<std::uint64_t> find_goal_lines(std::istream& input,
                                           const std::vector<OperationPlace>& places) {
    return GoalReader(input).find_lines(places);
}

}  // namespace kumi::schedule

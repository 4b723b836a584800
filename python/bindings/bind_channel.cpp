// Channels of links: what they are, how often bits are wrong, and spoiling arrays as messages.

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "channel.hpp"
#include "network/channel/channel.hpp"
#include "network/channel/correction.hpp"
#include "network/channel/spoil.hpp"

namespace nb = nanobind;

using namespace kumi;
using namespace kumi::network;

Modulation modulation_of(const std::string& name) {
    const auto found = find_modulation(name);
    if (!found) throw std::invalid_argument("there is no modulation '" + name + "'");
    return *found;
}

double snr_of_bit_error(const Modulation& modulation, double bit_error) {
    const std::uint32_t bits = modulation.bits_per_axis;
    if (!(bit_error >= 1e-100 && bit_error < AxisErrors(bits, 0).mean_bit_error())) {
        throw std::invalid_argument("no noise makes a bit error rate of " +
                                    std::to_string(bit_error));
    }
    return snr_of(bits, modulation.axes, reach_for_bit_error(bits, bit_error));
}

namespace {

using Bytes = nb::ndarray<std::uint8_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

constexpr double kMostDecibels = 200;

nb::dict channel_modulations() {
    nb::dict bits;
    for (const Modulation& modulation : kModulations) {
        bits[nb::str(modulation.name.data(), modulation.name.size())] =
            modulation.bits_per_symbol();
    }
    return bits;
}

nb::dict channel_fec_codes() {
    nb::dict codes;
    for (const FecCode& code : kFecCodes) {
        if (!code.corrects()) continue;
        codes[nb::str(code.name.data(), code.name.size())] =
            nb::make_tuple(code.word_symbols, code.data_symbols, code.latency.ps);
    }
    return codes;
}

double checked_ratio(const char* name, double db) {
    if (!(std::abs(db) <= kMostDecibels)) {
        throw std::invalid_argument(std::string(name) + " must be -200 to 200 dB");
    }
    return ratio_of_db(db);
}

void make(Channel* place, const std::string& name, double snr_db, double burst_share,
          double burst_length, double burst_snr_db) {
    const Bursts bursts{burst_share, burst_length, checked_ratio("burst_snr_db", burst_snr_db)};
    const bool is_possible = burst_share >= 0 && burst_share < 1 && burst_length >= 1 &&
                             std::isfinite(burst_length) && bursts.enter() <= 1;
    if (!is_possible) {
        throw std::invalid_argument(
            "bursts need a length of 1 or more, and a share from 0 to length / (length + 1)");
    }
    new (place) Channel(make_channel(modulation_of(name), checked_ratio("snr_db", snr_db), bursts));
}

double snr_db_for_bit_error(const std::string& name, double bit_error) {
    return db_of_ratio(snr_of_bit_error(modulation_of(name), bit_error));
}

Encoding encoding_of(const Modulation& modulation, std::uint32_t word_bits,
                     std::uint32_t protected_bits, bool important_first) {
    if (word_bits < 8 || word_bits > 128 || word_bits % 8 != 0) {
        throw std::invalid_argument("a word must be 8 to 128 bits, whole bytes");
    }
    if (protected_bits > word_bits) {
        throw std::invalid_argument(std::to_string(protected_bits) +
                                    " bits cannot be protected in a word of " +
                                    std::to_string(word_bits));
    }
    if (protected_bits > 0 && !modulation.can_be_thinned()) {
        throw std::invalid_argument(
            "two levels cannot be thinned, so that no bit can be protected");
    }
    return {word_bits, protected_bits,
            important_first ? BitOrder::kImportantFirst : BitOrder::kInOrder};
}

std::vector<std::uint64_t> spoil_bytes(const Channel& channel, const Bytes& payload,
                                       std::uint32_t word_bits, std::uint32_t protected_bits,
                                       bool important_first, std::uint64_t seed,
                                       std::uint64_t message, std::uint32_t hop) {
    const Encoding encoding =
        encoding_of(channel.modulation, word_bits, protected_bits, important_first);
    if (hop >= (1U << 31)) throw std::invalid_argument("a hop is below 2^31");
    std::vector<std::uint64_t> by_bit(word_bits);
    const std::span bytes(reinterpret_cast<std::byte*>(payload.data()), payload.size());
    spoil(bytes, encoding, channel, channel_streams(seed), message, hop, by_bit);
    return by_bit;
}

std::vector<double> rates(const Channel& channel, bool thinned) {
    std::vector<double> all;
    const std::uint32_t bits = channel.modulation.bits_per_axis - (thinned ? 1 : 0);
    for (std::uint32_t position = 1; position <= bits; ++position) {
        all.push_back(thinned ? channel.protected_bit_error(position)
                              : channel.bit_error(position));
    }
    return all;
}

}  // namespace

void bind_channel(nb::module_& module) {
    module.def("channel_modulations", &channel_modulations,
               "The modulations of channels: a dict from name to bits of a symbol.");
    module.def("channel_fec_codes", &channel_fec_codes,
               "The error corrections of channels: a dict from name to symbols of a code word,\n"
               "those that carry data, and latency in ps.");
    module.def(
        "snr_db_for_bit_error", &snr_db_for_bit_error, nb::arg("modulation"), nb::arg("bit_error"),
        "Energy per symbol over noise density, in dB, at which that share of bits is wrong.\n"
        "Raises ValueError if no noise gives that share of wrong bits.");
    nb::class_<Channel>(module, "Channel", "A link as a channel for bits: modulation and noise.")
        .def("__init__", &make, nb::arg("modulation"), nb::arg("snr_db"), nb::arg("burst_share"),
             nb::arg("burst_length"), nb::arg("burst_snr_db"),
             "Bursts: share and mean length are of axes of symbols. Raises ValueError if they are\n"
             "impossible.")
        .def("bit_errors", &rates, nb::arg("thinned"),
             "The error rate of each position of an axis, the most significant first; `thinned`:\n"
             "of symbols with every second level.")
        .def(
            "bandwidth_share",
            [](const Channel& channel, std::uint32_t word_bits, std::uint32_t protected_bits) {
                const Encoding encoding =
                    encoding_of(channel.modulation, word_bits, protected_bits, false);
                return bandwidth_share(encoding, channel.modulation.bits_per_axis);
            },
            nb::arg("word_bits"), nb::arg("protected_bits"),
            "Rate of payload over the link's, of words with that number of protected bits.")
        .def("spoil", &spoil_bytes, nb::arg("payload"), nb::arg("word_bits"),
             nb::arg("protected_bits"), nb::arg("important_first"), nb::arg("seed"),
             nb::arg("message"), nb::arg("hop"),
             "Spoils bytes in place as one hop of a message does; returns how often each bit of\n"
             "words was wrong, the most significant first. Raises ValueError if the encoding is\n"
             "impossible.");
}

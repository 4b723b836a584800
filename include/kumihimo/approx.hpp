/// Kumihimo's C++ API for approximate communication: types of numbers that may arrive with errors,
/// after EnerJ [Sampson11]. What an approximate number reaches is approximate too, as far as the
/// compiler sees; only `endorse` makes it precise again.
///
///     using Halo = kumihimo::approx<double, 16>;          // 16 bits of each number are protected.
///     std::vector<Halo> row(n);
///     MPI_Send(row.data(), n, kumihimo::datatype<Halo>(), up, 0, world);
///     if (kumihimo::endorse(row[0] < 0.5)) …              // Without `endorse`: does not compile.
///
/// It lies in memory as the plain number does, so that an array of one may be sent as an array of
/// the other. Numbers are only ever wrong in messages, in runs with `--approx`; see approx.h, which
/// this is built on. C++17 and newer.
#ifndef KUMIHIMO_APPROX_HPP
#define KUMIHIMO_APPROX_HPP

#include <cmath>
#include <complex>
#include <cstdint>
#include <stdexcept>
#include <type_traits>

#include "approx.h"

namespace kumihimo {
namespace detail {

/// What is protected by itself: a number, or a part of a complex one.
template <class T>
struct part_of {
    using type = T;
};
template <class T>
struct part_of<std::complex<T>> {
    using type = T;
};
template <class T>
using part = typename part_of<T>::type;

template <class T>
constexpr bool is_real = std::is_same_v<T, float> || std::is_same_v<T, double>;
template <class T>
constexpr bool is_integer = std::is_integral_v<T> && !std::is_same_v<T, bool>;
template <class T>
constexpr bool is_number = is_real<part<T>> || is_integer<T>;

template <class T>
constexpr int word_bits = static_cast<int>(8 * sizeof(part<T>));

/// Sign and exponent of floating-point numbers. Of others one has to say.
template <class T>
constexpr int default_bits = std::is_same_v<part<T>, float>    ? 9
                             : std::is_same_v<part<T>, double> ? 12
                             : std::is_same_v<T, bool>         ? 0
                                                               : -1;

}  // namespace detail

template <class T, int kProtectedBits = detail::default_bits<T>>
class approx;

/// The program takes the responsibility: from here on the number counts as right.
template <class T, int kProtectedBits>
constexpr T endorse(const approx<T, kProtectedBits>& number) {
    return number.x_value;
}

/// What comparing approximate numbers gives: it is no condition, and has no datatype. `&` and `|`
/// stand for `&&` and `||`, which would go by their first operand.
template <>
class approx<bool> {
   public:
    using value_type = bool;

    approx() = default;
    constexpr approx(bool value) : x_value(value) {}
    /// What is no bool does not become one on the way.
    template <class Other, std::enable_if_t<!std::is_same_v<Other, bool>, int> = 0>
    approx(Other) = delete;

    friend constexpr approx operator!(const approx& a) { return !a.x_value; }
    friend constexpr approx operator&(const approx& a, const approx& b) {
        return a.x_value && b.x_value;
    }
    friend constexpr approx operator|(const approx& a, const approx& b) {
        return a.x_value || b.x_value;
    }
    friend constexpr approx operator==(const approx& a, const approx& b) {
        return a.x_value == b.x_value;
    }
    friend constexpr approx operator!=(const approx& a, const approx& b) {
        return a.x_value != b.x_value;
    }
    template <class Any, int kAny>
    friend constexpr Any endorse(const approx<Any, kAny>& number);

   private:
    bool x_value;
};

/// A number of which all but the first `kProtectedBits` bits (sign first; of complex numbers, of
/// either part) may arrive with errors. Made from a plain number as needed, and from a number that
/// has more protected bits; the other way round only by an explicit conversion.
template <class T, int kProtectedBits>
class approx {
    static_assert(detail::is_number<T>,
                  "an approximate number is a float, a double, an integer, or a complex of float "
                  "or double");
    static_assert(!detail::is_number<T> || kProtectedBits >= 0,
                  "say how many bits of an approximate number are protected");
    static_assert(kProtectedBits <= detail::word_bits<T>,
                  "a number has fewer bits than are to be protected");

   public:
    using value_type = T;
    static constexpr int protected_bits = kProtectedBits;

    approx() = default;
    constexpr approx(const T& value) : x_value(value) {}
    template <int kOther, std::enable_if_t<(kOther > kProtectedBits), int> = 0>
    constexpr approx(const approx<T, kOther>& other) : x_value(endorse(other)) {}
    template <int kOther, std::enable_if_t<(kOther < kProtectedBits), int> = 0>
    constexpr explicit approx(const approx<T, kOther>& other) : x_value(endorse(other)) {}
    template <class Other, int kOther, std::enable_if_t<!std::is_same_v<Other, T>, int> = 0>
    constexpr explicit approx(const approx<Other, kOther>& other)
        : x_value(static_cast<T>(endorse(other))) {}

    constexpr approx& operator+=(const approx& other) { return *this = *this + other; }
    constexpr approx& operator-=(const approx& other) { return *this = *this - other; }
    constexpr approx& operator*=(const approx& other) { return *this = *this * other; }
    constexpr approx& operator/=(const approx& other) { return *this = *this / other; }

    friend constexpr approx operator+(const approx& a) { return a; }
    friend constexpr approx operator-(const approx& a) { return made(-a.x_value); }
    friend constexpr approx operator+(const approx& a, const approx& b) {
        return made(a.x_value + b.x_value);
    }
    friend constexpr approx operator-(const approx& a, const approx& b) {
        return made(a.x_value - b.x_value);
    }
    friend constexpr approx operator*(const approx& a, const approx& b) {
        return made(a.x_value * b.x_value);
    }
    friend constexpr approx operator/(const approx& a, const approx& b) {
        return made(a.x_value / b.x_value);
    }

    friend constexpr approx<bool> operator==(const approx& a, const approx& b) {
        return a.x_value == b.x_value;
    }
    friend constexpr approx<bool> operator!=(const approx& a, const approx& b) {
        return a.x_value != b.x_value;
    }
    friend constexpr approx<bool> operator<(const approx& a, const approx& b) {
        return a.x_value < b.x_value;
    }
    friend constexpr approx<bool> operator>(const approx& a, const approx& b) {
        return a.x_value > b.x_value;
    }
    friend constexpr approx<bool> operator<=(const approx& a, const approx& b) {
        return a.x_value <= b.x_value;
    }
    friend constexpr approx<bool> operator>=(const approx& a, const approx& b) {
        return a.x_value >= b.x_value;
    }

    template <class Any, int kAny>
    friend constexpr Any endorse(const approx<Any, kAny>& number);

   private:
    /// Small integers are computed with as int.
    template <class Result>
    static constexpr approx made(const Result& result) {
        return approx(static_cast<T>(result));
    }

    T x_value;
};

// As a condition does, but on approximate data: one of two numbers.
template <class T, int kBits>
constexpr approx<T, kBits> select(const approx<bool>& condition, const approx<T, kBits>& one,
                                  const approx<T, kBits>& other) {
    return endorse(condition) ? one : other;
}

// Functions of mathematics, found by the type of their arguments. The number itself is looked at
// here, and what becomes of it is approximate again.
#define KUMIHIMO_APPROX_FUNCTION_(name)                    \
    template <class T, int kBits>                          \
    approx<T, kBits> name(const approx<T, kBits>& value) { \
        using std::name;                                   \
        return static_cast<T>(name(endorse(value)));       \
    }
KUMIHIMO_APPROX_FUNCTION_(sqrt)
KUMIHIMO_APPROX_FUNCTION_(exp)
KUMIHIMO_APPROX_FUNCTION_(log)
KUMIHIMO_APPROX_FUNCTION_(sin)
KUMIHIMO_APPROX_FUNCTION_(cos)
KUMIHIMO_APPROX_FUNCTION_(tan)
KUMIHIMO_APPROX_FUNCTION_(conj)
#undef KUMIHIMO_APPROX_FUNCTION_

/// Of a complex number these are real.
#define KUMIHIMO_APPROX_FUNCTION_(name)                                  \
    template <class T, int kBits>                                        \
    approx<detail::part<T>, kBits> name(const approx<T, kBits>& value) { \
        using std::name;                                                 \
        return static_cast<detail::part<T>>(name(endorse(value)));       \
    }
KUMIHIMO_APPROX_FUNCTION_(abs)
KUMIHIMO_APPROX_FUNCTION_(real)
KUMIHIMO_APPROX_FUNCTION_(imag)
#undef KUMIHIMO_APPROX_FUNCTION_

template <class T, int kBits>
approx<T, kBits> pow(const approx<T, kBits>& base, const approx<T, kBits>& exponent) {
    using std::pow;
    return static_cast<T>(pow(endorse(base), endorse(exponent)));
}
template <class T, int kBits>
approx<bool> isfinite(const approx<T, kBits>& value) {
    return std::isfinite(endorse(value));
}

namespace detail {

template <class T>
MPI_Datatype plain_datatype() {
    if constexpr (std::is_same_v<T, float>) return MPI_FLOAT;
    if constexpr (std::is_same_v<T, double>) return MPI_DOUBLE;
    if constexpr (std::is_same_v<T, std::complex<float>>) return MPI_C_FLOAT_COMPLEX;
    if constexpr (std::is_same_v<T, std::complex<double>>) return MPI_C_DOUBLE_COMPLEX;
    if constexpr (is_integer<T>) {
        constexpr bool is_signed = std::is_signed_v<T>;
        if constexpr (sizeof(T) == 1) return is_signed ? MPI_INT8_T : MPI_UINT8_T;
        if constexpr (sizeof(T) == 2) return is_signed ? MPI_INT16_T : MPI_UINT16_T;
        if constexpr (sizeof(T) == 4) return is_signed ? MPI_INT32_T : MPI_UINT32_T;
        if constexpr (sizeof(T) == 8) return is_signed ? MPI_INT64_T : MPI_UINT64_T;
    }
}

/// For each of the types below, until MPI ends.
extern "C" inline int kumihimo_approx_free_(MPI_Comm, int keyval, void* type, void*) {
    MPI_Type_free(static_cast<MPI_Datatype*>(type));
    return MPI_Comm_free_keyval(&keyval);
}

/// Frees the type when MPI_Finalize begins, which deletes the attributes of MPI_COMM_SELF.
inline void free_at_the_end(MPI_Datatype& type) {
    int keyval = MPI_KEYVAL_INVALID;
    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, kumihimo_approx_free_, &keyval, nullptr);
    MPI_Comm_set_attr(MPI_COMM_SELF, keyval, &type);
}

template <class Approx>
MPI_Datatype& kept_datatype() {
    using T = typename Approx::value_type;
    static MPI_Datatype kept = [] {
        MPI_Datatype type = MPI_DATATYPE_NULL;
        const int code =
            is_integer<T>
                ? kumi_approx_type_forced(plain_datatype<T>(), Approx::protected_bits, &type)
                : kumi_approx_type(plain_datatype<T>(), Approx::protected_bits, &type);
        if (code != MPI_SUCCESS) throw std::runtime_error("MPI cannot make an approximate type");
        return type;
    }();
    static const bool is_freed = (free_at_the_end(kept), true);
    static_cast<void>(is_freed);
    return kept;
}

}  // namespace detail

/// The MPI datatype of approximate numbers, committed: made at the first call, between MPI_Init and
/// MPI_Finalize, and freed by MPI_Finalize.
/// @throws std::runtime_error  If MPI cannot make it.
template <class Approx>
MPI_Datatype datatype() {
    using T = typename Approx::value_type;
    static_assert(!std::is_same_v<T, bool>, "conditions are not sent");
    static_assert(sizeof(Approx) == sizeof(T) && alignof(Approx) == alignof(T));
    static_assert(std::is_trivially_copyable_v<Approx> && std::is_standard_layout_v<Approx>);
    return detail::kept_datatype<Approx>();
}

}  // namespace kumihimo

#endif

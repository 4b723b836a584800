#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/check.hpp"

namespace kumi::inline base {

/// The components that implement one interface, by name. One component is one `.cpp` that registers
/// itself with KUMI_REGISTER before main; nothing else names it. Link such files as objects: a
/// static library drops those that are not referred to.
///
/// `Interface` declares `using Parameters = ...`; a component is made from them by its constructor.
template <class Interface>
class Registry {
   public:
    using Parameters = typename Interface::Parameters;
    using Make = std::function<std::unique_ptr<Interface>(const Parameters&)>;

    static Registry& instance() {
        static Registry registry;
        return registry;
    }

    void add(std::string name, std::string help, Make make) {
        const bool is_new =
            x_entries.emplace(std::move(name), Entry{std::move(help), std::move(make)}).second;
        KUMI_ASSERT(is_new, "two components of one kind register the same name");
    }

    bool contains(std::string_view name) const { return x_entries.find(name) != x_entries.end(); }

    /// In alphabetical order.
    std::vector<std::string> names() const {
        std::vector<std::string> names;
        names.reserve(x_entries.size());
        for (const auto& [name, entry] : x_entries) names.push_back(name);
        return names;
    }

    /// One sentence about a registered component.
    const std::string& help(std::string_view name) const { return entry(name).help; }

    /// Makes a registered component; whatever its constructor throws comes through.
    std::unique_ptr<Interface> make(std::string_view name, const Parameters& parameters) const {
        return entry(name).make(parameters);
    }

   private:
    struct Entry {
        std::string help;
        Make make;
    };

    const Entry& entry(std::string_view name) const {
        const auto found = x_entries.find(name);
        KUMI_ASSERT(found != x_entries.end(), "a component is made that was never registered");
        return found->second;
    }

    std::map<std::string, Entry, std::less<>> x_entries;
};

}  // namespace kumi::inline base

/// Registers `Type` as an implementation of `Interface` under `name`; `help` is one sentence for
/// users. At namespace scope, in the component's own `.cpp`.
#define KUMI_REGISTER(Interface, Type, name, help)                                      \
    [[maybe_unused]] static const bool kumi_is_registered_##Type = [] {                 \
        ::kumi::Registry<Interface>::instance().add(                                    \
            name, help,                                                                 \
            [](const Interface::Parameters& parameters) -> std::unique_ptr<Interface> { \
                return std::make_unique<Type>(parameters);                              \
            });                                                                         \
        return true;                                                                    \
    }()

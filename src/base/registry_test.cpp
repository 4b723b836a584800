#include "base/registry.hpp"

#include <gtest/gtest.h>

namespace kumi::inline base {
namespace {

struct Shape {
    using Parameters = int;
    virtual ~Shape() = default;
    virtual int area() const = 0;
};

class Square final : public Shape {
   public:
    explicit Square(const int& side) : x_side(side) {}
    int area() const override { return x_side * x_side; }

   private:
    int x_side;
};
KUMI_REGISTER(Shape, Square, "square", "As wide as high.");

class Line final : public Shape {
   public:
    explicit Line(const int&) {}
    int area() const override { return 0; }
};
KUMI_REGISTER(Shape, Line, "line", "Has no area.");

TEST(Registry, MakesWhatRegisteredItself) {
    const auto& registry = Registry<Shape>::instance();
    EXPECT_EQ(registry.names(), (std::vector<std::string>{"line", "square"}));
    EXPECT_EQ(registry.help("square"), "As wide as high.");
    EXPECT_EQ(registry.make("square", 7)->area(), 49);
    EXPECT_EQ(registry.make("line", 7)->area(), 0);
    EXPECT_FALSE(registry.contains("circle"));
}

TEST(RegistryDeathTest, RefusesUnknownAndDoubleNames) {
    auto& registry = Registry<Shape>::instance();
    EXPECT_DEATH((void)registry.make("circle", 1), "never registered");
    EXPECT_DEATH(registry.add("line", "", nullptr), "same name");
}

}  // namespace
}  // namespace kumi::inline base

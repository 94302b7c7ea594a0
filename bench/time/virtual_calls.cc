/*
 * virtual_calls.cc - objects of three classes, called through pointers in random order, in that of
 * their addresses, and as values in vectors of one class each.
 *
 * fix: add_areas_shuffled add_areas_in_order 2
 * fix: add_areas_shuffled add_areas_of_values 6
 * calls: add_areas_shuffled Shuffled<*>::area
 * calls: add_areas_in_order Ordered<*>::area
 */
#include <memory>
#include <vector>

#include "phase.h"

struct Shape {
	virtual ~Shape() = default;
	virtual double area() const = 0;
};

/* The same classes twice, so that a profile can tell the callers' calls apart. */
template <int KIND> struct Shuffled : Shape {
	double width = 1 + KIND, height = 2;
	char label[32] = "";
	__attribute__((noinline)) double area() const override
	{
		return width * height * (KIND == 1 ? 0.5 : 1.0);
	}
};

template <int KIND> struct Ordered : Shape {
	double width = 1 + KIND, height = 2;
	char label[32] = "";
	__attribute__((noinline)) double area() const override
	{
		return width * height * (KIND == 1 ? 0.5 : 1.0);
	}
};

struct Value {
	double width = 1, height = 2;
	char label[32] = "";
};

PHASE_FUNCTION double add_areas_shuffled(const std::vector<Shape *> &shapes, size_t rounds)
{
	double sum = 0;

	for (size_t round = 0; round < rounds; round++)
		for (const Shape *shape : shapes)
			sum += shape->area();
	return sum;
}

PHASE_FUNCTION double add_areas_in_order(const std::vector<Shape *> &shapes, size_t rounds)
{
	double sum = 0;

	for (size_t round = 0; round < rounds; round++)
		for (const Shape *shape : shapes)
			sum += shape->area();
	return sum;
}

PHASE_FUNCTION double add_areas_of_values(const std::vector<Value> &values, size_t rounds)
{
	double sum = 0;

	for (size_t round = 0; round < rounds; round++)
		for (const Value &value : values)
			sum += value.width * value.height;
	return sum;
}

template <template <int> class CLASS> static std::vector<std::unique_ptr<Shape>> make(size_t n)
{
	std::vector<std::unique_ptr<Shape>> shapes;

	for (size_t i = 0; i < n; i++)
		if (i % 3 == 0)
			shapes.push_back(std::make_unique<CLASS<0>>());
		else if (i % 3 == 1)
			shapes.push_back(std::make_unique<CLASS<1>>());
		else
			shapes.push_back(std::make_unique<CLASS<2>>());
	return shapes;
}

int main()
{
	size_t n = phase_size((size_t)3 << 18, 300), total = (size_t)9 << 19;
	auto shuffled = make<Shuffled>(n), ordered = make<Ordered>(n);
	std::vector<Shape *> random, in_order;
	std::vector<Value> values(n);
	uint32_t *order = phase_permutation(n);

	/* Classes stay in a repeated order, so that calls are predicted alike everywhere. */
	for (size_t i = 0; i < n; i++) {
		random.push_back(shuffled[order[i] - order[i] % 3 + i % 3].get());
		in_order.push_back(ordered[i].get());
	}
	PHASE(add_areas_shuffled(random, phase_rounds(total, n)));
	PHASE(add_areas_in_order(in_order, phase_rounds(2 * total, n)));
	PHASE(add_areas_of_values(values, phase_rounds(6 * total, n)));
	return phase_end_program();
}

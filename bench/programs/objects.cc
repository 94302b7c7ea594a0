/*
 * objects.cc [OBJECTS] - C++ with many small objects: a map, a hash map, and owned objects with
 * virtual functions, made, looked up and thrown away.
 */
#include <map>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "number.h"

namespace {

class Shape {
public:
	virtual ~Shape() = default;
	virtual double area() const = 0;
};

class Square : public Shape {
	double side;

public:
	explicit Square(double s) : side(s) {}
	double area() const override { return side * side; }
};

class Circle : public Shape {
	double radius;

public:
	explicit Circle(double r) : radius(r) {}
	double area() const override { return 3 * radius * radius; }
};

double shapes(uint64_t n, uint64_t &state)
{
	std::vector<std::unique_ptr<Shape>> all;
	double sum = 0;

	for (uint64_t i = 0; i < n; i++) {
		double size = static_cast<double>(next_random(&state) % 100);
		if (next_random(&state) % 2)
			all.push_back(std::make_unique<Square>(size));
		else
			all.push_back(std::make_unique<Circle>(size));
	}
	for (uint64_t i = 0; i < n; i++)
		std::swap(all[i], all[next_random(&state) % n]);
	for (const auto &shape : all)
		sum += shape->area();
	return sum;
}

uint64_t ordered(uint64_t n, uint64_t &state)
{
	std::map<uint64_t, uint64_t> map;
	uint64_t sum = 0;

	for (uint64_t i = 0; i < n; i++)
		map[next_random(&state) % (n * 2)] += i;
	for (const auto &[key, value] : map)
		sum += key ^ value;
	return sum;
}

uint64_t hashed(uint64_t n, uint64_t &state)
{
	std::unordered_map<std::string, uint64_t> map;
	uint64_t found = 0;

	for (uint64_t i = 0; i < n; i++)
		map["customer number " + std::to_string(next_random(&state) % n)] += i;
	for (uint64_t i = 0; i < n; i++)
		found += map.count("customer number " + std::to_string(i));
	return found;
}

}

int main(int argc, char **argv)
{
	uint64_t n = number(argc, argv, 1, 60000), state = 88172645463325252ULL;

	std::printf("objects %.1f %llu %llu\n", shapes(n, state),
		    static_cast<unsigned long long>(ordered(n, state)),
		    static_cast<unsigned long long>(hashed(n, state)));
	return 0;
}

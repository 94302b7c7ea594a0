// build: -O1 -g
// Elements that a container holds by pointers, and that nothing else names: their type is known from the container.
#include <cstdio>
#include <memory>
#include <vector>

enum { ELEMENTS = 2000 };

struct body {
	long id;
	double weights[6];
};

struct base {
	virtual ~base()
	{
	}
	long id = 0;
};

struct shape : base {
	double area = 0;
	int corners[6] = {};
};

struct owned {
	long count = 0;
	double mass[4] = {};
};

int main()
{
	std::vector<body *> bodies;
	std::vector<shape *> shapes;
	std::vector<std::unique_ptr<owned>> owners;
	double sum = 0;

	for (int i = 0; i < ELEMENTS; i++) {
		bodies.push_back(new body());
		shapes.push_back(new shape());
		owners.push_back(std::make_unique<owned>());
	}
	for (int i = 0; i < ELEMENTS; i++)
		sum += bodies[i]->weights[2] + (double)bodies[i]->id + shapes[i]->area + owners[i]->mass[1];
	printf("%g\n", sum);
	for (int i = 0; i < ELEMENTS; i++) {
		delete bodies[i];
		delete shapes[i];
	}
	return 0;
}

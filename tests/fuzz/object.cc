/*
 * What the target dwarf corrupts: small, and with everything that memspy's names come from:
 * variables of all kinds, types of all shapes, inlined calls, constructors, who receives what is
 * allocated.
 */
#include <cstdlib>
#include <cstring>

namespace shapes {

enum Colour { RED, GREEN };

struct Point {
	double x, y;
	Colour colour;
};

template <typename T, int N> class Table {
public:
	explicit Table(size_t rows) : cells(static_cast<T *>(calloc(rows, N * sizeof(T)))), n(rows) {}
	~Table() { free(cells); }
	inline T &at(size_t row, int column) { return cells[row * N + column]; }
	static int made;

private:
	T *cells;
	size_t n;
};

template <typename T, int N> int Table<T, N>::made;

} // namespace shapes

union word {
	unsigned long whole;
	struct {
		unsigned low : 7;
		unsigned high : 25;
	} part;
};

typedef int (*operation)(const char *, ...);

static double matrix[10][20];
extern "C" const char *const names[] = { "one", "two" };
thread_local long counter = 3;
volatile union word last;
operation chosen;
struct shapes::Point *points;

static inline double sum(const shapes::Point *p, int n)
{
	double total = 0;

	for (int i = 0; i < n; i++) {
		static int calls;

		calls++;
		total += p[i].x * matrix[i % 10][n % 20];
	}
	return total;
}

static void *xmalloc(size_t n)
{
	void *p = malloc(n);

	if (p == nullptr)
		abort();
	return p;
}

__attribute__((noinline)) struct shapes::Point *new_points(int n)
{
	auto *made = static_cast<shapes::Point *>(xmalloc(n * sizeof(shapes::Point)));

	memset(made, 0, n * sizeof(*made));
	return made;
}

int main(int argc, char **argv)
{
	shapes::Table<shapes::Point, 3> table(argc + 10);
	char *copy = strdup(argv[0]);

	points = new_points(argc + 4);
	shapes::Table<shapes::Point, 3>::made++;
	table.at(argc, 1) = points[argc];
	counter += names[argc % 2][0];
	last.part.high = static_cast<unsigned>(counter);
	double total = sum(points, argc) + table.at(1, 2).y;
	free(copy);
	free(points);
	return total > 3 && chosen != nullptr;
}

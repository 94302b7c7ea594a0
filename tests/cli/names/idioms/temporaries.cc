// Objects that operators and functions return: the memory is that of the variable that gets them, or of the function.
#include <string>
#include <vector>

struct Matrix {
	std::vector<double> cells;
	int n;
	explicit Matrix(int n) : cells(n * n), n(n) {}
};

static Matrix operator*(const Matrix &a, const Matrix &b)
{
	Matrix c(a.n);
	for (int i = 0; i < a.n; i++)
		c.cells[i] = a.cells[i] * b.cells[i];
	return c;
}

static std::string join(const std::string &a, const std::string &b) { return a + b; }
static std::string make_label(int n)
{
	std::string label(200 + n, 'l');
	return label;
}
__attribute__((noinline)) static long use(const std::string &s) { return s[s.size() / 2]; }

int main()
{
	std::string first(300, 'a'), second(400, 'b');
	std::string sum = first + second;
	std::string chain = first + "-" + second + "+";
	auto joined = join(first, second);
	const std::string named = make_label(7);
	std::string cut = first.substr(3);
	std::string grown;
	grown += first;
	long result = use(sum) + use(chain) + use(joined) + use(named) + use(cut) + use(grown);
	result += use(first + second); // no variable: the function
	Matrix left(60), right(60);
	Matrix product = left * right;
	return result + (long)product.cells[3] == 1;
}

/* emplace, custom allocators, std::pmr, members of classes. */
#include <cstdlib>
#include <map>
#include <memory>
#include <memory_resource>
#include <string>
#include <unordered_map>
#include <vector>

template <class T> struct PoolAllocator {
	using value_type = T;
	PoolAllocator() = default;
	template <class U> PoolAllocator(const PoolAllocator<U> &) {}
	T *allocate(std::size_t n) { return static_cast<T *>(std::malloc(n * sizeof(T))); }
	void deallocate(T *p, std::size_t) { std::free(p); }
	bool operator==(const PoolAllocator &) const { return true; }
	bool operator!=(const PoolAllocator &) const { return false; }
};

struct Particle {
	double x[16];
};

struct Book {
	std::map<int, std::string> titles;
	std::vector<double, PoolAllocator<double>> prices;
	std::unordered_map<int, std::vector<int>> index;

	void add(int i)
	{
		titles.emplace(i, std::string(64, 'x'));
		prices.push_back(i);
		index.try_emplace(i).first->second.resize(32, i);
	}
};

int main()
{
	Book book;
	std::pmr::unsynchronized_pool_resource pool;
	std::pmr::vector<int> numbers(&pool);
	std::vector<std::unique_ptr<Particle>> owned;
	std::vector<Particle *> raw;
	double sum = 0;

	for (int i = 0; i < 500; i++) {
		owned.push_back(std::make_unique<Particle>());
		raw.push_back(new Particle());
		book.add(i);
		numbers.push_back(i);
	}
	for (auto &t : book.titles)
		sum += t.second[40];
	for (double p : book.prices)
		sum += p;
	for (int i = 0; i < 500; i++)
		sum += owned[i]->x[1] + raw[i]->x[2];
	for (int n : numbers)
		sum += n;
	return sum < 0;
}

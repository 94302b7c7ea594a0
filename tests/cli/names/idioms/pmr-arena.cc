// Two containers that share an arena: the arena's buffer is not one container's data.
#include <list>
#include <memory_resource>
#include <vector>

int main()
{
	std::pmr::monotonic_buffer_resource arena(1 << 20);
	std::pmr::list<long> queue(&arena);
	std::pmr::vector<long> items(&arena);
	long sum = 0;

	for (int i = 0; i < 5000; i++) {
		queue.push_back(i);
		items.emplace_back(i);
	}
	for (long q : queue)
		sum += q;
	for (long i : items)
		sum += i;
	return sum == 1;
}

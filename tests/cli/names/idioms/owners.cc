// Pointers that own their object, adapters of containers, allocators of the program.
#include <array>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <queue>
#include <vector>

struct Order {
	long id;
	double cells[7];
};

struct Callback {
	long cells[64];
	long operator()(long i) const { return cells[i & 63]; }
};

template <class T> struct Counting {
	using value_type = T;
	Counting() = default;
	template <class U> Counting(const Counting<U> &) {}
	T *allocate(size_t n) { return static_cast<T *>(::operator new(n * sizeof(T))); }
	void deallocate(T *p, size_t) { ::operator delete(p); }
	template <class U> bool operator==(const Counting<U> &) const { return true; }
	template <class U> bool operator!=(const Counting<U> &) const { return false; }
};

struct Holder {
	std::unique_ptr<Order> head;
	std::shared_ptr<Order> tail;
};

int main()
{
	auto unique = std::make_unique<Order>();
	auto array = std::make_unique<double[]>(4000);
	auto shared = std::make_shared<Order>();
	std::shared_ptr<Order> classic(new Order());
	Holder h;
	h.head = std::make_unique<Order>();
	h.tail.reset(new Order());
	auto pointers = new Order *[50];
	for (int i = 0; i < 50; i++)
		pointers[i] = new Order();
	std::vector<int, Counting<int>> counted(5000);
	std::queue<int> line;
	std::priority_queue<int> heap;
	for (int i = 0; i < 1000; i++) {
		line.push(i);
		heap.push(i);
	}
	Callback large = {};
	std::function<int(int)> callback = large;
	std::vector<bool> bits(100000);
	for (int i = 0; i < 100000; i += 3)
		bits[i] = true;
	std::vector<std::array<double, 4>> corners(500);
	std::deque<Order> waiting;
	for (int i = 0; i < 100; i++)
		waiting.emplace_back();
	long sum = unique->id + (long)array[7] + shared->id + classic->id + h.head->id + h.tail->id + counted[9] + line.front() +
		   heap.top() + callback(3) + bits[8] + waiting[9].id +
		   (long)corners[7][2];
	for (int i = 0; i < 50; i++)
		sum += pointers[i]->id;
	return sum == 1;
}

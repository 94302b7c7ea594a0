/* Containers of the C++ library, by part. */
#include <cstdint>
#include <deque>
#include <list>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

struct Order {
	int id;
	double price[8];
};

struct Particle {
	double x[64];
};

int main()
{
	std::unordered_map<int, Order> byId;
	std::map<int, Order> orders;
	std::set<int> seen;
	std::unordered_set<int> tags;
	std::list<int> queue;
	std::deque<int> window;
	std::vector<int> values;
	std::vector<std::string> words;
	std::string name(2000, 'x');
	auto one = std::make_unique<Particle>();
	auto many = std::make_unique<double[]>(1000);
	auto shared = std::make_shared<Particle>();
	double sum = 0;

	for (int i = 0; i < 500; i++) {
		byId[i].id = i;
		orders[i].id = i;
		seen.insert(i);
		tags.insert(i);
		queue.push_back(i);
		window.push_back(i);
		values.push_back(i);
		words.emplace_back(100, 'y');
		many[i] = i;
	}
	for (auto &o : byId)
		sum += o.second.price[0];
	for (auto &o : orders)
		sum += o.second.price[0];
	for (char c : name)
		sum += c;
	for (int i = 0; i < 64; i++)
		sum += one->x[i] + (shared->x[i] = i);
	for (int i = 0; i < 500; i++)
		sum += many[i];
	for (auto &w : words)
		sum += w[50];
	return sum < 0 ? values.size() + seen.size() + tags.size() : 0;
}

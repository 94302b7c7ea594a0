// Containers of pointers that a function of the program allocates and returns.
#include <map>
#include <vector>

struct Order {
	double cells[512];
};

static Order *create(int id)
{
	Order *order = new Order();
	order->cells[0] = id;
	return order;
}

int main()
{
	std::vector<Order *> listed;
	std::map<int, Order *> sorted, given;
	for (int i = 0; i < 8; i++) {
		listed.push_back(create(i));
		sorted[i] = create(i);
		given.emplace(i, create(i));
	}
	double sum = 0;
	for (int i = 0; i < 8; i++)
		for (int k = 0; k < 512; k++)
			sum += listed[i]->cells[k] + sorted[i]->cells[k] + given[i]->cells[k];
	return sum < 0;
}

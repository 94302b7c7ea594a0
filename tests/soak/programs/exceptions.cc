// Exceptions through many frames, out of destructors' way, rethrown, in threads, and carried between them.
#include <cstdio>
#include <exception>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

struct Guard {
	explicit Guard(long &c) : count(c) { count++; }
	~Guard() { count--; }
	long &count;
};

static long deep(int depth, int what, long &guards)
{
	Guard guard(guards);
	std::string name = "frame " + std::to_string(depth);

	if (depth == 0) {
		switch (what % 4) {
		case 0: throw std::runtime_error(name + " of a failure that has a long name");
		case 1: throw what;
		case 2: return static_cast<long>(std::vector<int>(3).at(static_cast<size_t>(what)));
		default: throw std::make_unique<std::string>(name);
		}
	}
	try {
		return deep(depth - 1, what, guards) + 1;
	} catch (int &i) {
		if (depth % 3 == 0)
			throw;
		throw i + 1;
	}
}

static std::map<std::string, long> catches(int rounds)
{
	std::map<std::string, long> seen;
	long guards = 0;

	for (int i = 0; i < rounds; i++)
		try {
			deep(i % 40, i + 7, guards);
		} catch (const std::out_of_range &) {
			seen["out of range"]++;
		} catch (const std::exception &e) {
			seen[e.what()]++;
		} catch (int n) {
			seen["int"] += n;
		} catch (std::unique_ptr<std::string> &p) {
			seen[*p]++;
		}
	seen["guards"] = guards;
	return seen;
}

int main()
{
	std::vector<std::map<std::string, long>> seen(4);
	std::vector<std::thread> threads;
	std::exception_ptr carried;

	for (size_t i = 0; i < seen.size(); i++)
		threads.emplace_back([&seen, i] { seen[i] = catches(500 + 100 * static_cast<int>(i)); });
	for (auto &t : threads)
		t.join();
	for (auto &s : seen)
		for (auto &[what, count] : s)
			std::printf("%s: %ld\n", what.c_str(), count);
	std::thread([&carried] {
		try {
			throw std::logic_error("carried");
		} catch (...) {
			carried = std::current_exception();
		}
	}).join();
	try {
		std::rethrow_exception(carried);
	} catch (const std::logic_error &e) {
		std::puts(e.what());
	}
	std::fflush(stdout);
	std::set_terminate([] {
		std::puts("terminated");
		std::fflush(stdout);
		std::_Exit(23);
	});
	throw 1;
}

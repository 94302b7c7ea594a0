/* advice: member-order data: account */
/* Books on accounts in random order: the three members that are used are at the beginning, in the
 * middle and at the end of a record; afterwards they are one after the other. */
#include "common.h"

struct account {
#ifdef AFTER
	_Alignas(64) uint64_t number;
	int64_t balance;
	uint64_t bookings;
	char owner[104];
	char address[64];
#else
	_Alignas(64) uint64_t number;
	char owner[104];
	int64_t balance;
	char address[64];
	uint64_t bookings;
#endif
};

enum { ACCOUNTS = 100000, BOOKINGS = 12000000 };

static struct account *account;

static KEEP uint64_t book(uint64_t seed)
{
	uint64_t sum = 0;

	for (int i = 0; i < BOOKINGS; i++) {
		struct account *a = &account[next_random(&seed) % ACCOUNTS];

		a->balance += (int64_t)(seed & 255);
		a->bookings++;
		sum += a->number;
	}
	return sum;
}

int main(void)
{
	account = aligned_alloc(64, ACCOUNTS * sizeof(*account));
	memset(account, 0, ACCOUNTS * sizeof(*account));
	for (uint64_t i = 0; i < ACCOUNTS; i++)
		account[i].number = i;
	printf("%llu\n", (unsigned long long)book(17));
	return 0;
}

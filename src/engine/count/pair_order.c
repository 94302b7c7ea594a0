#include "engine/count/pair_order.h"

#include "base/thread.h"

/* Fewer take less time than a thread takes to start. */
enum { MANY = 4096 };

static void *order_pairs(void *arg)
{
	const struct ms_count_pair_order *order = arg;

	if (order->sums != NULL)
		ms_count_list_pairs(order->sums, order->list);
	if (order->group != NULL)
		ms_count_group_pairs(order->list, order->group);
	else if (order->sorts)
		ms_count_sort_pairs(order->list);
	return NULL;
}

void ms_count_begin_pair_order(struct ms_count_pair_order *order)
{
	size_t n = order->sums != NULL ? order->sums->n : order->list->at.n;

	order->begun =
		n >= MANY && ms_thread_start(&order->thread, order_pairs, order, NULL) == MS_OK;
	if (!order->begun)
		order_pairs(order);
}

void ms_count_end_pair_order(struct ms_count_pair_order *order)
{
	if (order->begun)
		pthread_join(order->thread, NULL);
	order->begun = false;
}

/* Memory that processes share: System V segments, with a key and private. */
#include <stdlib.h>
#include <sys/ipc.h>
#include <sys/shm.h>
#include <unistd.h>

enum { N = 5000 };

static void fill(volatile int *at, int n)
{
	for (int i = 0; i < n; i++)
		at[i] = i;
}

static int make(key_t key)
{
	int id = shmget(key, N * sizeof(int), IPC_CREAT | 0600);

	if (id < 0)
		exit(3);
	return id;
}

int main(void)
{
	int private_id = make(IPC_PRIVATE), keyed_id = make(0x4d530000 + (getpid() & 0xffff));
	int *queue = shmat(private_id, NULL, 0);
	int *table = shmat(keyed_id, NULL, 0);

	shmctl(private_id, IPC_RMID, NULL);
	shmctl(keyed_id, IPC_RMID, NULL);
	fill(queue, N);
	fill(table, N);
	shmdt(queue);
	int *again = malloc(N * sizeof(int));
	fill(again, N);
	return table[7] != 7;
}

# Rules still apply after lines were inserted above the allocation and the program was rebuilt.
cat >prog.c <<'END'
#include <stdlib.h>
struct node {
	struct node *next;
	long value[7];
};
static struct node *add(struct node *list)
{
	struct node *n = calloc(1, sizeof(*n));
	n->next = list;
	return n;
}
int main(void)
{
	struct node *first = NULL, *second = NULL;
	long *sums = calloc(4096, sizeof(*sums));
	for (int i = 0; i < 500; i++)
		first = add(first);
	for (int i = 0; i < 500; i++)
		second = add(second);
	for (struct node *n = first; n != NULL; n = n->next)
		sums[n->value[0] + 5]++;
	for (struct node *n = second; n != NULL; n = n->next)
		sums[n->value[0] + 9]++;
	return 0;
}
END
gcc -g -O0 -o prog prog.c
"$MEMSPY" run -q --l1 8K,2,64 ./prog
names() { "$MEMSPY" report --by data --top 1000 --threshold 0 --width 200 | grep -o -e 'node[.s].*' -e 'counters$' -e 'long.*sums$'; }
names
"$MEMSPY" rename sums counters
"$MEMSPY" combine nodes 'node.*'
names
sed -i '1i// three\n// more\n// lines' prog.c
sed -i 's/^int main/static int unused(int a)\n{\n\treturn a;\n}\n\n&/; s/long \*sums/unused(3);\n\t&/' prog.c
gcc -g -O0 -o prog prog.c
echo "built again:"
"$MEMSPY" run -q --l1 8K,2,64 ./prog
names
"$MEMSPY" rules

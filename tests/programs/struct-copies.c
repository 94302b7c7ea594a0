/*
 * Copies of structures with arrays, which the compiler makes of assignments: most instructions
 * access a part of an array. Of each structure, one member is read in another loop. scale() uses
 * all members of both structures, but is no copy.
 */
#include <stdio.h>
#include <stdlib.h>

enum { ELEMENTS = 4096 };

struct note {
	long key;
	double a[6];
	char name[40];
	int used, unused;
	long tail;
};

struct page {
	long key;
	double a[16];
	char name[100];
	int used, unused;
	long tail;
};

struct flat {
	long key;
	double a[6];
	long tail;
};

struct moved {
	double key;
	float a[6];
	double tail;
};

#define PASS(name)  __attribute__((noinline, noclone)) void copy_##name
#define SLOW(name)  __attribute__((noinline, noclone, optimize("O0"))) void copy_##name
#define SMALL(name) __attribute__((noinline, noclone, optimize("Os"))) void copy_##name

PASS(notes)(struct note *to, const struct note *from)
{
	for (int i = 0; i < ELEMENTS; i++)
		to[i] = from[i * 7L % ELEMENTS];
}

SMALL(pages)(struct page *to, const struct page *from)
{
	for (int i = 0; i < ELEMENTS; i++)
		to[i] = from[i * 7L % ELEMENTS];
}

SLOW(flats)(struct flat *to, const struct flat *from)
{
	for (int i = 0; i < ELEMENTS; i++)
		to[i] = from[i * 7L % ELEMENTS];
}

__attribute__((noinline, noclone)) void scale(struct moved *to, const struct moved *from)
{
	for (int i = 0; i < ELEMENTS; i++) {
		to[i].key = from[i].key * 2;
		for (int k = 0; k < 6; k++)
			to[i].a[k] = from[i].a[k] * 2;
		to[i].tail = from[i].tail * 2;
	}
}

#define ARRAY(type, name) struct type *name = calloc(ELEMENTS, sizeof(*name))

int main(void)
{
	ARRAY(note, notes);
	ARRAY(note, new_notes);
	ARRAY(page, pages);
	ARRAY(page, new_pages);
	ARRAY(flat, flats);
	ARRAY(flat, new_flats);
	ARRAY(moved, moved);
	ARRAY(moved, new_moved);
	long sum = 0;

	copy_notes(new_notes, notes);
	copy_pages(new_pages, pages);
	copy_flats(new_flats, flats);
	scale(new_moved, moved);
	for (int i = 0; i < ELEMENTS; i++)
		sum += new_notes[i].used;
	for (int i = 0; i < ELEMENTS; i++)
		sum += new_pages[i].used;
	for (int i = 0; i < ELEMENTS; i++)
		sum += new_flats[i].tail;
	printf("%ld %g\n", sum, new_moved[1].key);
	return 0;
}

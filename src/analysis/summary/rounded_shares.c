/*
 * A list is rounded by largest remainders. A table is rounded by controlled rounding: its margins
 * are put around it (negated, so that every row and column of the enlarged grid adds up to 0), and
 * as long as a figure is not whole there is a closed walk over figures that are not, turning at
 * each from row to column and back, along which a bit can be added and subtracted alternately,
 * until one more figure is whole. No sum changes; no figure passes the whole numbers beside it. In
 * the end, figures are flipped four at a time as long as that brings them nearer to the exact
 * values.
 */
#include "analysis/summary/rounded_shares.h"

#include <stdbool.h>
#include <string.h>

#include "base/mem.h"

double ms_summary_share(uint64_t part, uint64_t whole)
{
	return whole ? (double)part / (double)whole : 0;
}

/* How far parts must be shifted right so that their sum times MS_WHOLE, and a bit more, fits 64
 * bits. */
static unsigned shift_of(const uint64_t *parts, size_t n)
{
	unsigned shift = 0;
	double sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += (double)parts[i];
	for (; sum > (double)(UINT64_MAX / MS_WHOLE / 4); sum /= 2)
		shift++;
	return shift;
}

static uint64_t sum_of(const uint64_t *parts, size_t n, unsigned shift)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += parts[i] >> shift;
	return sum;
}

/* Takes what is largest, the first of equals. */
static size_t largest(const uint64_t *values, size_t n)
{
	size_t best = 0;

	for (size_t i = 1; i < n; i++)
		if (values[i] > values[best])
			best = i;
	return best;
}

uint32_t ms_summary_share_tenths(uint64_t part, uint64_t whole)
{
	/* Counts of a damaged run may wrap around when they are added up. */
	if (part > whole)
		part = whole;
	return (uint32_t)(ms_summary_share(part, whole) * MS_WHOLE + 0.5);
}

void ms_summary_share_list(const uint64_t *parts, size_t n, uint32_t total, uint32_t *tenths)
{
	unsigned shift = shift_of(parts, n);
	uint64_t whole = sum_of(parts, n, shift), left = total;
	uint64_t *remainders = ms_alloc(n * sizeof(*remainders));

	memset(tenths, 0, n * sizeof(*tenths));
	for (size_t i = 0; i < n && whole > 0; i++) {
		uint64_t scaled = (parts[i] >> shift) * total;

		tenths[i] = (uint32_t)(scaled / whole);
		remainders[i] = scaled % whole;
		left -= tenths[i];
	}
	for (; whole > 0 && left > 0; left--) {
		size_t i = largest(remainders, n);

		tenths[i]++;
		remainders[i] = 0;
	}
	ms_free(remainders);
}

/* The enlarged grid: what of each figure lies above a whole number, in units of 1 / whole. */
struct share_grid {
	uint64_t *at;
	uint64_t *exact;      /* as at, before anything was moved */
	uint32_t *up;         /* figures that ended at the whole number above */
	size_t rows, columns; /* with the margins */
	uint64_t whole;
};

/* A closed walk; seen[place]: 1 + the number of figures passed before the first visit. */
struct closed_walk {
	size_t *cells;
	size_t n;
	size_t *seen;
};

static void fill(struct share_grid *g, const uint64_t *parts, unsigned shift, uint32_t *tenths)
{
	for (size_t r = 0; r + 1 < g->rows; r++) {
		for (size_t c = 0; c + 1 < g->columns; c++) {
			size_t from = r * (g->columns - 1) + c, to = r * g->columns + c;
			uint64_t scaled = (parts[from] >> shift) * MS_WHOLE;

			tenths[from] = (uint32_t)(scaled / g->whole);
			g->at[to] = scaled % g->whole;
		}
	}
	for (size_t r = 0; r + 1 < g->rows; r++) {
		uint64_t sum = 0;

		for (size_t c = 0; c + 1 < g->columns; c++)
			sum = (sum + g->at[r * g->columns + c]) % g->whole;
		g->at[r * g->columns + g->columns - 1] = (g->whole - sum) % g->whole;
	}
	for (size_t c = 0; c + 1 < g->columns; c++) {
		uint64_t sum = 0;

		for (size_t r = 0; r + 1 < g->rows; r++)
			sum = (sum + g->at[r * g->columns + c]) % g->whole;
		g->at[(g->rows - 1) * g->columns + c] = (g->whole - sum) % g->whole;
	}
}

/* A figure of this row or column that is not whole, other than `except`; there is one. */
static size_t figure_in(const struct share_grid *g, size_t line, size_t except)
{
	bool row = line < g->rows;
	size_t n = row ? g->columns : g->rows;

	for (size_t i = 0; i < n; i++) {
		size_t cell = row ? line * g->columns + i : i * g->columns + line - g->rows;

		if (cell != except && g->at[cell] != 0)
			return cell;
	}
	return except;
}

/*
 * Rows (0 ...) and columns (rows ...) are places; a figure is an edge from a row to a column. Walks
 * along another figure each time until a place is visited again; removes the walk before that
 * place.
 */
static void find_walk(const struct share_grid *g, size_t start, struct closed_walk *walk)
{
	size_t place = start / g->columns, came = SIZE_MAX;

	memset(walk->seen, 0, (g->rows + g->columns) * sizeof(*walk->seen));
	for (walk->n = 0; walk->seen[place] == 0;) {
		walk->seen[place] = walk->n + 1;
		came = figure_in(g, place, came);
		walk->cells[walk->n++] = came;
		place = place < g->rows ? g->rows + came % g->columns : came / g->columns;
	}

	size_t first = walk->seen[place] - 1;
	walk->n -= first;
	memmove(walk->cells, walk->cells + first, walk->n * sizeof(*walk->cells));
}

/* The most that can be moved when figures at even places of the walk grow (or, else, shrink). */
static uint64_t room(const struct share_grid *g, const struct closed_walk *walk, bool even_grow)
{
	uint64_t least = g->whole;

	for (size_t i = 0; i < walk->n; i++) {
		uint64_t value = g->at[walk->cells[i]];
		uint64_t space = (i % 2 == 0) == even_grow ? g->whole - value : value;

		if (space < least)
			least = space;
	}
	return least;
}

/* Moves as little as makes one more figure whole. */
static void move_along(struct share_grid *g, const struct closed_walk *walk)
{
	uint64_t grow = room(g, walk, true), shrink = room(g, walk, false);
	bool even_grow = grow <= shrink;
	uint64_t step = even_grow ? grow : shrink;

	for (size_t i = 0; i < walk->n; i++) {
		uint64_t *value = &g->at[walk->cells[i]];

		*value = (i % 2 == 0) == even_grow ? *value + step : *value - step;
		if (*value == g->whole) {
			*value = 0;
			g->up[walk->cells[i]] = 1;
		}
	}
}

/*
 * What it costs, as a change of the squared error, to flip a figure from down to up or back;
 * more than any gain where it cannot be flipped. Sums are read first: they count more than cells.
 */
static double flip_cost(const struct share_grid *g, size_t cell, bool up)
{
	double above = (double)g->exact[cell] / (double)g->whole;
	bool sum = cell / g->columns == g->rows - 1 || cell % g->columns == g->columns - 1;

	if (g->exact[cell] == 0 || (g->up[cell] != 0) == up)
		return 1e9;
	return (sum ? 16 : 1) * (up ? 1 - 2 * above : 2 * above - 1);
}

/* The column in which raising a figure of row a and lowering one of row b costs least. */
static size_t cheapest(const struct share_grid *g, size_t a, size_t b, double *cost)
{
	size_t best = 0;

	*cost = 1e9;
	for (size_t c = 0; c < g->columns; c++) {
		double this = flip_cost(g, a * g->columns + c, true) +
			      flip_cost(g, b * g->columns + c, false);

		if (this < *cost) {
			*cost = this;
			best = c;
		}
	}
	return best;
}

/* Flips four figures in the corners of a rectangle where that brings them nearer: sums stay. */
static bool improve(struct share_grid *g, size_t a, size_t b)
{
	double there, back;
	size_t up = cheapest(g, a, b, &there), down = cheapest(g, b, a, &back);

	if (there + back > -1e-9)
		return false;
	g->up[a * g->columns + up] = g->up[b * g->columns + down] = 1;
	g->up[b * g->columns + up] = g->up[a * g->columns + down] = 0;
	return true;
}

static void improve_grid(struct share_grid *g)
{
	bool better = true;

	for (int pass = 0; pass < 20 && better; pass++) {
		better = false;
		for (size_t a = 0; a < g->rows; a++)
			for (size_t b = a + 1; b < g->rows; b++)
				better |= improve(g, a, b);
	}
}

static void round_grid(struct share_grid *g)
{
	size_t n = g->rows * g->columns;
	struct closed_walk walk = { .cells = ms_alloc((g->rows + g->columns + 1) * sizeof(size_t)),
				    .seen = ms_alloc((g->rows + g->columns) * sizeof(size_t)) };

	for (size_t i = 0; i < n;) {
		if (g->at[i] == 0) {
			i++;
			continue;
		}
		find_walk(g, i, &walk);
		move_along(g, &walk);
	}
	ms_free(walk.cells);
	ms_free(walk.seen);
}

void ms_summary_share_table(const uint64_t *parts, size_t rows, size_t columns, uint32_t *tenths)
{
	unsigned shift = shift_of(parts, rows * columns);
	size_t n = (rows + 1) * (columns + 1);
	struct share_grid g = { .rows = rows + 1,
				.columns = columns + 1,
				.whole = sum_of(parts, rows * columns, shift) };

	memset(tenths, 0, rows * columns * sizeof(*tenths));
	if (g.whole == 0)
		return;
	g.at = ms_alloc(n * sizeof(*g.at));
	g.up = ms_alloc(n * sizeof(*g.up));
	g.exact = ms_alloc(n * sizeof(*g.exact));
	fill(&g, parts, shift, tenths);
	memcpy(g.exact, g.at, n * sizeof(*g.exact));
	round_grid(&g);
	improve_grid(&g);
	for (size_t i = 0; i < rows * columns; i++)
		tenths[i] += g.up[i / columns * g.columns + i % columns];
	ms_free(g.at);
	ms_free(g.exact);
	ms_free(g.up);
}

/*
 * Which data an address belongs to, right now: scripts of what happens to memory, and what a
 * reference then finds. Every script is run twice: on the address map itself, and through a
 * slot of the engine, which remembers where it was last (and must not remember too long).
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "engine/address_map/address_map.h"
#include "engine/engine.h"
#include "wire/wire.h"

enum { NOWHERE = 90, FREED = 91, BASE = 0x10000 };

enum action {
	END,
	PLACE,
	PASS, /* comes and goes at once */
	FREE,
	NOT_FREE,
	INNER,
	FREE_INNER,
	NAME,
	UNNAME,
	MAP,
	MAP_LOOSE,
	UNMAP,
	MODULE,
	MODULE_GONE,
	IS
};

/* Addresses are relative to BASE. */
struct step {
	enum action action;
	uint64_t from;
	uint64_t to;   /* IS: unused; FREE: where the object ends */
	uint32_t data; /* MODULE: its first variable lies in [from, from + 16), its second at the
			  end */
};

struct script {
	int line;
	struct step step[20];
};

#define AT .line = __LINE__
#define is(address, wanted)            \
	{                              \
		IS, address, 0, wanted \
	}

/* clang-format off */
static const struct script scripts[] = {
	/* Nothing there. */
	{ AT, { is(0, NOWHERE) } },
	/* A heap object, its last byte, and the one after it. */
	{ AT, { { PLACE, 16, 40, 1 }, is(16, 1), is(39, 1), is(40, NOWHERE), is(15, NOWHERE) } },
	/* Its unaligned end: the rest of the last eight bytes is unattributed. */
	{ AT, { { MAP_LOOSE, 0, 4096, 7 }, { PLACE, 16, 37, 1 }, is(36, 1), is(48, 7) } },
	/* Freed, and taken again by another. */
	{ AT, { { PLACE, 16, 40, 1 }, is(20, 1), { FREE, 16, 40, 1 }, is(20, FREED),
		{ PLACE, 16, 32, 2 }, is(20, 2), is(36, FREED) } },
	/* Comes and goes at once: where nothing was, where all was freed, where some was, over others, over two
	 * pages, and where a page was one object's. */
	{ AT, { { MAP_LOOSE, 0, 8192, 7 }, { PASS, 16, 40, 0 }, is(16, FREED), is(39, FREED), is(40, 7), is(15, 7),
		{ NOT_FREE, 16, 0, 0 }, { PASS, 16, 40, 0 }, is(16, FREED), { PASS, 32, 56, 0 }, is(48, FREED),
		{ PLACE, 16, 40, 1 }, is(32, 1), is(40, FREED), { PASS, 16, 24, 0 }, is(20, FREED), { NOT_FREE, 16, 0, 0 } } },
	{ AT, { { PLACE, 4064, 4072, 1 }, { PASS, 4080, 4112, 0 }, is(4080, FREED), is(4111, FREED), is(4112, NOWHERE),
		{ PLACE, 4112, 4128, 2 }, { PASS, 4080, 4112, 0 }, is(4112, 2), is(4064, 1) } },
	{ AT, { { PLACE, 0, 12288, 1 }, { FREE, 0, 12288, 1 }, { PASS, 4096, 4200, 0 }, is(4096, FREED), is(4300, FREED),
		{ PLACE, 4096, 4200, 2 }, is(4100, 2), is(4300, FREED) } },
	/* Freed twice, or never placed. */
	{ AT, { { NOT_FREE, 16, 0, 0 }, { PLACE, 16, 40, 1 }, { NOT_FREE, 24, 0, 0 }, { FREE, 16, 40, 1 },
		{ NOT_FREE, 16, 0, 0 }, is(16, FREED) } },
	/* Placed over what is still there. */
	{ AT, { { PLACE, 0, 64, 1 }, is(8, 1), { PLACE, 0, 32, 2 }, is(8, 2), { FREE, 0, 32, 2 }, is(8, FREED) } },
	{ AT, { { PLACE, 0, 32, 1 }, { PLACE, 0, 64, 2 }, is(8, 2), is(48, 2) } },
	/* An object of many pages; its neighbours on the first and the last. */
	{ AT, { { PLACE, 0, 16, 1 }, { PLACE, 16, 20000, 2 }, { PLACE, 20000, 20016, 3 }, is(8, 1),
		is(16, 2), is(5000, 2), is(19999, 2), is(20000, 3), { FREE, 16, 20000, 2 }, is(5000, FREED),
		is(8, 1), is(20008, 3), { PLACE, 4096, 8192, 4 }, is(5000, 4), is(9000, FREED) } },
	/* Two objects of the same data: one is freed, the other stays. */
	{ AT, { { PLACE, 0, 32, 1 }, { PLACE, 32, 64, 1 }, is(0, 1), is(40, 1), { FREE, 0, 32, 1 }, is(0, FREED),
		is(40, 1) } },
	/* A block above four gibibytes. */
	{ AT, { { PLACE, 0, UINT64_C(5) << 30, 1 }, is(0, 1), is((UINT64_C(5) << 30) - 1, 1),
		is(UINT64_C(5) << 30, NOWHERE), { FREE, 0, UINT64_C(5) << 30, 1 }, is(UINT64_C(4) << 30, FREED) } },

	/* As large as a broken stream can say; what lies inside, and what is left when it is cut. */
	{ AT, { { PLACE, 0, UINT64_C(1) << 47, 1 }, is(UINT64_C(1) << 46, 1), { PLACE, 4096, 4128, 2 },
		is(4096, 2), is(4128, 1), { UNMAP, 8192, 16384, 0 }, is(8191, 1), is(8192, NOWHERE), is(16384, 1),
		{ NOT_FREE, 0, 0, 0 }, { UNMAP, 0, UINT64_MAX >> 1, 0 }, is(4096, NOWHERE), is(0, NOWHERE) } },
	/* A large object where small ones were, freed, and small ones in its place. */
	{ AT, { { PLACE, 64, 96, 1 }, { PLACE, 128, 160, 2 }, { FREE, 64, 96, 1 }, is(64, FREED),
		{ PLACE, 0, UINT64_C(1) << 30, 3 }, is(64, 3), is(128, 3), { FREE, 0, UINT64_C(1) << 30, 3 },
		is(128, FREED), { PLACE, 128, 160, 4 }, is(128, 4), is(160, FREED), { NOT_FREE, 0, 0, 0 } } },
	/* A large object over a part of another. */
	{ AT, { { PLACE, 0, UINT64_C(1) << 30, 1 }, is(8, 1), { PLACE, 1 << 29, UINT64_C(3) << 29, 2 }, is(8, 1),
		is(1 << 29, 2), is(UINT64_C(5) << 28, 2), { NOT_FREE, 0, 0, 0 },
		{ FREE, 1 << 29, UINT64_C(3) << 29, 2 }, is(1 << 29, FREED), is(8, 1) } },

	/* The first and the last page of a large object belong to small ones, too; what lies below is known before. */
	{ AT, { { MAP_LOOSE, 0, 1 << 28, 7 }, { PLACE, 16, 32, 1 }, is(100, 7), is(40, 7), { PLACE, 64, 64 + (1 << 27), 2 },
		is(20, 1), is(40, 7), is(64, 2), is(100, 2), { PLACE, 64 + (1 << 27), 96 + (1 << 27), 3 },
		is(63 + (1 << 27), 2), is(64 + (1 << 27), 3), is(96 + (1 << 27), 7), { FREE, 64, 64 + (1 << 27), 2 },
		is(100, FREED), is(63 + (1 << 27), FREED), is(20, 1), is(64 + (1 << 27), 3) } },
	/* malloc(0) gives a block, too. */
	{ AT, { { PLACE, 16, 16, 1 }, is(16, 1), is(24, NOWHERE), { FREE, 16, 17, 1 }, is(16, FREED), { NOT_FREE, 16, 0, 0 } } },

	/* Regions: the last one wins where they overlap, and leaves the rest. */
	{ AT, { { MAP, 0, 4096, 1 }, is(0, 1), is(4095, 1), is(4096, NOWHERE) } },
	{ AT, { { MAP, 0, 100, 1 }, is(50, 1), { MAP, 40, 60, 2 }, is(39, 1), is(40, 2), is(50, 2), is(59, 2),
		is(60, 1), is(99, 1) } },
	{ AT, { { MAP, 40, 60, 2 }, is(50, 2), { MAP, 0, 100, 1 }, is(50, 1) } },
	{ AT, { { MAP, 0, 50, 1 }, { MAP, 50, 100, 2 }, is(49, 1), { MAP, 25, 75, 3 }, is(24, 1), is(49, 3),
		is(74, 3), is(75, 2) } },
	{ AT, { { MAP, 0, 100, 1 }, is(50, 1), { UNMAP, 25, 75, 0 }, is(50, NOWHERE), is(24, 1), is(75, 1),
		{ UNMAP, 0, 200, 0 }, is(24, NOWHERE), is(75, NOWHERE) } },
	{ AT, { { MAP, 50, 50, 1 }, is(50, NOWHERE), { UNMAP, 60, 40, 0 } } },
	/* A heap object in a region; unmapping takes both. */
	{ AT, { { MAP_LOOSE, 0, 8192, 1 }, is(64, 1), { PLACE, 64, 128, 2 }, is(64, 2), is(63, 1), is(128, 1),
		{ UNMAP, 0, 8192, 0 }, is(64, NOWHERE), { MAP, 0, 8192, 3 }, is(64, 3), { NOT_FREE, 64, 0, 0 } } },
	{ AT, { { MAP_LOOSE, 0, 8192, 1 }, is(100, 1), { PLACE, 64, 128, 2 }, is(100, 2), { FREE, 64, 128, 2 },
		is(100, FREED) } },
	/* A large object, partly unmapped: what is left is still its own. */
	{ AT, { { PLACE, 0, 16384, 1 }, is(5000, 1), { UNMAP, 4096, 8192, 0 }, is(5000, NOWHERE), is(100, 1),
		is(9000, 1) } },

	/* Modules stand above regions: also for who remembered the region from before. */
	{ AT, { { MODULE, 0, 100, 1 }, is(0, 1), is(15, 1), is(16, NOWHERE), is(90, 2), is(100, NOWHERE) } },
	{ AT, { { MAP, 0, 4096, 7 }, is(4, 7), is(90, 7), { MODULE, 0, 100, 1 }, is(4, 1), is(90, 2), is(50, 7),
		is(4, 1), is(200, 7), is(90, 2) } },
	{ AT, { { MODULE, 0, 100, 1 }, is(50, NOWHERE), { MAP, 0, 4096, 7 }, is(50, 7), is(4, 1), is(50, 7),
		is(90, 2) } },
	{ AT, { { MAP, 0, 4096, 7 }, { MODULE, 0, 100, 1 }, is(50, 7), is(4, 1), { MODULE_GONE, 0, 0, 1 },
		is(4, 7), is(90, 7) } },
	/* What lies between variables is remembered, too, up to these: until something comes to lie there ... */
	{ AT, { { MAP, 0, 8192, 7 }, { MODULE, 0, 100, 1 }, is(50, 7), is(83, 7), is(84, 2), is(50, 7), is(15, 1),
		is(16, 7), { PLACE, 48, 64, 3 }, is(50, 3), is(40, 7), is(50, 3), { FREE, 48, 64, 3 }, is(40, 7),
		is(50, FREED), is(64, 7) } },
	{ AT, { { MAP, 0, 131072, 7 }, { MODULE, 0, 131072, 1 }, is(65535, 7), is(65536, 7), is(131055, 7),
		{ PLACE, 4096, 4112, 3 }, is(65535, 7), is(4100, 3), is(4112, 7), is(4100, 3), is(8192, 7),
		{ PLACE, 8192, 8208, 3 }, is(8192, 3) } },
	{ AT, { { MAP, 0, 8192, 7 }, { MODULE, 0, 100, 1 }, is(50, 7), { MODULE, 40, 80, 3 }, is(50, 3), is(20, 7),
		is(60, 7), is(70, 4), is(81, 7), { MODULE_GONE, 0, 0, 3 }, is(81, 7), is(70, 7), is(50, 7) } },
	{ AT, { { MAP, 0, 8192, 7 }, { MODULE, 0, 100, 1 }, is(50, 7), { NAME, 48, 56, 5 }, is(50, 5), is(60, 7),
		is(50, 5), { UNNAME, 48, 0, 0 }, is(50, 7) } },
	/* ... and while the region is there. */
	{ AT, { { MAP, 0, 4096, 7 }, { MODULE, 0, 100, 1 }, is(50, 7), { MAP, 48, 64, 8 }, is(50, 8), is(40, 7),
		is(64, 7), { UNMAP, 32, 48, 0 }, is(40, NOWHERE), is(31, 7), is(40, NOWHERE), is(48, 8),
		{ UNMAP, 0, 4096, 0 }, is(31, NOWHERE), is(48, NOWHERE), is(4, 1) } },
	/* Unloaded, and another loaded in its place. */
	{ AT, { { MODULE, 0, 100, 1 }, is(4, 1), { MODULE_GONE, 0, 0, 1 }, is(4, NOWHERE), { MODULE, 0, 100, 3 },
		is(4, 3), is(90, 4), { MODULE_GONE, 0, 0, 9 }, is(4, 3) } },
	/* Mapped again over a region that was remembered, twice. */
	{ AT, { { MAP, 0, 100, 1 }, is(5, 1), { MAP, 0, 100, 2 }, is(5, 2), { MAP, 0, 100, 1 }, is(5, 1),
		{ UNMAP, 0, 100, 0 }, is(5, NOWHERE) } },

	/* Heap objects inside a mapping: the state of a reference that remembers the mapping must not match. */
	{ AT, { { MAP, 0, 8192, 1 }, is(64, 1), { PLACE, 64, 128, 2 }, is(64, 2), is(5000, 1), is(64, 2),
		is(32, 1), is(64, 2), { FREE, 64, 128, 2 }, is(64, FREED), is(5000, 1) } },
	{ AT, { { MODULE, 0, 5000, 1 }, is(4990, 2), { PLACE, 4984, 4992, 7 }, is(4990, 7), is(4998, 2),
		is(4990, 7), is(4, 1), { FREE, 4984, 4992, 7 }, is(4990, FREED), is(4998, 2) } },
	{ AT, { { MAP, 0, 40960, 1 }, is(0, 1), { PLACE, 8192, 8208, 2 }, { PLACE, 4096, 4112, 2 },
		{ PLACE, 12288, 12304, 2 }, is(5000, 1), is(4100, 2), is(8200, 2), is(12300, 2), is(20000, 1),
		{ UNMAP, 0, 40960, 0 }, is(4100, NOWHERE), is(5000, NOWHERE), is(20000, NOWHERE) } },

	/* Objects inside an object: freed one by one, or with it. */
	{ AT, { { PLACE, 0, 4096, 1 }, is(100, 1), { INNER, 96, 128, 2 }, is(100, 2), is(90, 1), is(100, 2),
		is(128, 1), { FREE_INNER, 96, 128, 2 }, is(100, FREED), is(90, 1), { FREE, 0, 4096, 1 },
		is(90, FREED), is(100, FREED), { NOT_FREE, 0, 0, 0 } } },
	{ AT, { { PLACE, 0, 4096, 1 }, { INNER, 0, 32, 2 }, { INNER, 32, 64, 2 }, is(0, 2), is(40, 2), is(70, 1),
		{ FREE, 0, 4096, 1 }, is(0, FREED), is(40, FREED), is(70, FREED), { PLACE, 0, 64, 3 }, is(40, 3) } },
	/* An arena that starts again from its beginning, without freeing anything. */
	{ AT, { { PLACE, 0, 4096, 1 }, { INNER, 0, 32, 2 }, { INNER, 32, 64, 3 }, is(40, 3), { INNER, 0, 48, 4 },
		is(40, 4), is(50, 3), is(40, 4), { INNER, 0, 4096, 5 }, is(50, 5), is(4000, 5),
		{ FREE_INNER, 0, 4096, 5 }, is(50, FREED) } },
	/* Three deep. */
	{ AT, { { PLACE, 0, 8192, 1 }, { INNER, 1024, 2048, 2 }, { INNER, 1024, 1032, 3 }, is(1024, 3),
		is(1032, 2), is(2048, 1), { FREE_INNER, 1024, 1032, 3 }, is(1024, FREED),
		{ FREE_INNER, 1024, 2048, 2 }, is(1040, FREED), is(2048, 1) } },

	/* Names: over anything, and off again. */
	{ AT, { { PLACE, 0, 64, 1 }, is(8, 1), { NAME, 0, 64, 2 }, is(8, 2), { UNNAME, 0, 0, 0 }, is(8, 1),
		{ FREE, 0, 64, 1 }, is(8, FREED) } },
	{ AT, { { PLACE, 0, 64, 1 }, { NAME, 0, 64, 2 }, is(8, 2), { FREE, 0, 64, 1 }, is(8, FREED),
		{ PLACE, 0, 64, 3 }, is(8, 3), { UNNAME, 0, 0, 0 }, is(8, 3) } },
	{ AT, { { MAP, 0, 40960, 1 }, is(9000, 1), { NAME, 8192, 32768, 2 }, is(9000, 2), is(8191, 1), is(9000, 2),
		is(32767, 2), is(32768, 1), { UNNAME, 8192, 0, 0 }, is(9000, 1), is(32767, 1) } },
	{ AT, { { MODULE, 0, 100, 1 }, is(4, 1), { NAME, 0, 8, 7 }, is(4, 7), is(8, 1), is(90, 2), is(4, 7),
		{ UNNAME, 0, 0, 0 }, is(4, 1), { UNNAME, 0, 0, 0 } } },
	/* One inside another, and a new one for the same range. */
	{ AT, { { PLACE, 0, 128, 1 }, { NAME, 0, 128, 2 }, { NAME, 32, 64, 3 }, is(0, 2), is(40, 3), is(64, 2),
		{ UNNAME, 32, 0, 0 }, is(40, 2), { NAME, 0, 128, 4 }, is(40, 4), { UNNAME, 0, 0, 0 }, is(40, 1) } },
	{ AT, { { PLACE, 0, 128, 1 }, { NAME, 32, 64, 2 }, is(40, 2), { FREE, 0, 128, 1 }, is(40, FREED), is(8, FREED),
		{ UNNAME, 32, 0, 0 }, is(40, FREED) } },
	{ AT, { { NAME, 0, 0, 2 }, is(0, NOWHERE), { UNNAME, 64, 0, 0 } } },

	/* Inside and over the largest objects, and as large ones themselves. */
	{ AT, { { PLACE, 0, 1 << 30, 1 }, is(100, 1), { INNER, 96, 128, 2 }, is(100, 2), is(90, 1), is(100, 2),
		{ FREE_INNER, 96, 128, 2 }, is(100, FREED), { INNER, 4096, 8192, 3 }, is(5000, 3), is(9000, 1),
		{ FREE, 0, 1 << 30, 1 }, is(90, FREED), is(100, FREED), is(5000, FREED), { NOT_FREE, 4096, 0, 0 } } },
	{ AT, { { PLACE, 0, UINT64_C(1) << 46, 1 }, { INNER, 1 << 20, 1 << 29, 2 }, is(100, 1), is(1 << 28, 2),
		is(1 << 29, 1), { INNER, 1 << 21, (1 << 21) + 8, 3 }, is(1 << 21, 3), is((1 << 21) + 8, 2),
		{ FREE_INNER, 1 << 20, 1 << 29, 2 }, is(1 << 21, FREED), is(1 << 28, FREED), is(1 << 29, 1),
		{ FREE, 0, UINT64_C(1) << 46, 1 }, is(1 << 29, FREED) } },
	{ AT, { { PLACE, 0, 64, 1 }, { PLACE, 64, 128, 2 }, is(70, 2), { NAME, 0, 1 << 30, 3 }, is(70, 3), is(1 << 29, 3),
		{ FREE, 64, 128, 2 }, is(70, FREED), is(8, 3), { UNNAME, 0, 0, 0 }, is(1 << 29, NOWHERE),
		is(70, FREED) } },
	{ AT, { { PLACE, 0, 1 << 30, 1 }, { NAME, 64, 128, 2 }, is(70, 2), { NAME, 4096, 1 << 29, 3 }, is(70, 2),
		is(1 << 28, 3), { UNNAME, 64, 0, 0 }, is(70, 1), { UNNAME, 4096, 0, 0 }, is(1 << 28, 1),
		{ FREE, 0, 1 << 30, 1 }, is(70, FREED), is(1 << 28, FREED) } },
	{ AT, { { MAP, 0, 1 << 30, 1 }, is(8, 1), { NAME, 4096, 1 << 29, 2 }, is(8, 1), is(1 << 28, 2),
		{ UNMAP, 0, 1 << 30, 0 }, is(1 << 28, NOWHERE), { UNNAME, 4096, 0, 0 }, is(1 << 28, NOWHERE) } },
	/* A plain one where one with others inside still was. */
	{ AT, { { PLACE, 0, 1 << 28, 1 }, { INNER, 64, 128, 2 }, { PLACE, 0, 1 << 30, 3 }, is(70, 3),
		{ NOT_FREE, 64, 0, 0 }, { FREE, 0, 1 << 30, 3 }, is(70, FREED), { NOT_FREE, 0, 0, 0 } } },
};
/* clang-format on */

/* What a script is played on: either may be NULL. */
struct stage {
	struct ms_address_map *places;
	struct ms_engine_shard *shard;
	struct ms_engine *engine;
};

static bool free_on(const struct stage *stage, uint64_t start, struct ms_engine_range *was)
{
	return stage->places != NULL ? ms_address_map_free_object(stage->places, start, was)
				     : ms_engine_free_object(stage->shard, start, was);
}

static void play(const struct stage *s, const struct step *step)
{
	uint64_t from = BASE + step->from, to = BASE + step->to;
	const struct ms_engine_range variables[2] = { { from, from + 16, step->data },
						      { to - 16, to, step->data + 1 } };
	struct ms_engine_range was;

	switch (step->action) {
	case PLACE:
		s->places != NULL
			? ms_address_map_add_object(s->places, from, to - from, step->data)
			: ms_engine_add_object(s->shard, from, to - from, step->data);
		break;
	case PASS:
		assert_true(s->places != NULL
				    ? ms_address_map_add_short_lived(s->places, from, to - from)
				    : ms_engine_add_short_lived(s->shard, from, to - from));
		break;
	case FREE:
		assert_true(free_on(s, from, &was));
		assert_int_equal(was.start, from);
		assert_int_equal(was.end, to);
		assert_int_equal(was.data, step->data);
		break;
	case NOT_FREE:
		assert_false(free_on(s, from, &was));
		break;
	case INNER:
		s->places != NULL
			? ms_address_map_add_nested(s->places, from, to - from, step->data)
			: ms_engine_add_nested_object(s->shard, from, to - from, step->data);
		break;
	case FREE_INNER:
		assert_true(s->places != NULL ? ms_address_map_free_nested(s->places, from, &was)
					      : ms_engine_free_nested_object(s->shard, from, &was));
		assert_int_equal(was.start, from);
		assert_int_equal(was.end, to);
		assert_int_equal(was.data, step->data);
		break;
	case NAME:
		s->places != NULL
			? ms_address_map_name_range(s->places, from, to - from, step->data)
			: ms_engine_name_range(s->shard, from, to - from, step->data);
		break;
	case UNNAME:
		s->places != NULL ? ms_address_map_unname_range(s->places, from)
				  : ms_engine_unname_range(s->shard, from);
		break;
	case MAP:
	case MAP_LOOSE:
		s->places != NULL
			? ms_address_map_map_region(s->places, from, to, step->data,
						    step->action == MAP)
			: ms_engine_map_region(s->shard, from, to, step->data, step->action == MAP);
		break;
	case UNMAP:
		s->places != NULL ? ms_address_map_unmap_range(s->places, from, to)
				  : ms_engine_unmap_range(s->shard, from, to);
		break;
	case MODULE:
		s->places != NULL ? ms_address_map_add_module(s->places, step->data, variables, 2)
				  : ms_engine_add_module(s->shard, step->data, variables, 2);
		break;
	case MODULE_GONE:
		s->places != NULL ? ms_address_map_remove_module(s->places, step->data)
				  : ms_engine_remove_module(s->shard, step->data);
		break;
	case END:
	case IS:
		break;
	}
}

/* The tag of a page, where there is one. */
static bool has_page_tag(const struct ms_address_map *places, uint64_t address, uint32_t wanted)
{
	uint32_t data = ms_address_map_get_tagged_data(places, address);

	assert_true(data == wanted || data == MS_ADDRESS_MAP_UNTAGGED);
	return data == wanted;
}

static void script_on_places(const struct script *script)
{
	const struct ms_engine_fallback_data special = { NOWHERE, FREED, 0 };
	struct ms_address_map places;

	ms_address_map_open(&places, &special);
	for (const struct step *step = script->step; step->action != END; step++) {
		struct ms_address_map_range *place;

		play(&(struct stage){ .places = &places }, step);
		if (step->action != IS)
			continue;
		uint32_t data = ms_address_map_find_data(&places, BASE + step->from, &place);
		if (data != step->data)
			fail_msg("%s:%d: step %td: data %u, expected %u", __FILE__, script->line,
				 step - script->step, data, step->data);
		has_page_tag(&places, BASE + step->from, step->data);
		/* What a slot remembers must hold for all of it. */
		if (place->size != 0 && BASE + step->from - place->start >= place->size)
			fail_msg("%s:%d: step %td: it lies outside its own place", __FILE__,
				 script->line, step - script->step);
	}
	ms_address_map_close(&places);
}

static uint64_t references(struct ms_engine *engine, uint32_t data)
{
	struct ms_engine_totals t;
	uint64_t n = 0;

	ms_engine_compute_totals(engine, &t);
	for (size_t i = 0; i < t.cells.n; i++)
		n += t.cells.at[i].data == data ? t.cells.at[i].references : 0;
	ms_engine_free_totals(&t);
	return n;
}

/* One slot makes all references. */
/* One execution, filtered by one shard; all must have the same address map. */
static void refer(struct ms_engine *engine, unsigned shards, unsigned filtering,
		  const uint64_t words[2])
{
	assert_int_equal(
		ms_engine_filter_executions(ms_engine_get_shard(engine, filtering), words, 2), 2);
	ms_engine_distribute_batch(ms_engine_get_shard(engine, filtering), 0);
	ms_engine_reset_filter(ms_engine_get_shard(engine, filtering));
	for (unsigned i = 0; i < shards; i++)
		ms_engine_simulate_batch(ms_engine_get_shard(engine, i), 0);
	ms_engine_finish_batch(engine, 0);
}

static void script_on_engine(const struct script *script, unsigned shards)
{
	static const struct ms_engine_block_ref ref = { 0, 1, MS_WIRE_READ, 0 };
	static const uint16_t exit_refs[1] = { 1 };
	static const struct ms_engine_block block = { 1, 1,    &ref, NULL, exit_refs, NULL,
						      1, NULL, 0,    0,    NULL };
	const struct ms_engine_fallback_data special = { NOWHERE, FREED, 0 };
	struct ms_machine machine = { .name = "places" };

	*ms_vec_add(&machine.levels) =
		(struct ms_machine_level){ .name = "L1", .ways = 2, .line = 16, .size = 256 };
	struct ms_engine *engine = ms_engine_open(&machine, shards, 1, &special);
	for (unsigned i = 0; i < shards; i++)
		ms_engine_add_block(ms_engine_get_shard(engine, i), &block);
	for (const struct step *step = script->step; step->action != END; step++) {
		const uint64_t words[2] = { ms_wire_head(MS_WIRE_EXEC, 2, 0), BASE + step->from };
		uint64_t before = step->action == IS ? references(engine, step->data) : 0;

		for (unsigned i = 0; i < shards; i++) {
			struct stage stage = { NULL, ms_engine_get_shard(engine, i), engine };

			play(&stage, step);
		}
		if (step->action != IS)
			continue;
		for (unsigned i = 0; i < shards; i++)
			refer(engine, shards, i, words);
		if (references(engine, step->data) != before + shards)
			fail_msg("%s:%d: step %td, %u shards: not data %u", __FILE__, script->line,
				 step - script->step, shards, step->data);
	}
	ms_engine_close(engine);
	ms_vec_free(&machine.levels);
}

static void found_by_places(void **state)
{
	(void)state;
	for (size_t i = 0; i < MS_COUNT(scripts); i++)
		script_on_places(&scripts[i]);
}

static void found_by_slots(void **state)
{
	(void)state;
	for (size_t i = 0; i < MS_COUNT(scripts); i++)
		for (unsigned shards = 1; shards <= 3; shards++)
			script_on_engine(&scripts[i], shards);
}

/* Many objects come and go: memory for places is used again, and every look-up stays right. */
static void many_objects(void **state)
{
	enum { OBJECTS = 3000, ROUNDS = 20 };
	const struct ms_engine_fallback_data special = { NOWHERE, FREED, 0 };
	struct ms_address_map places;
	struct ms_address_map_range *place;
	struct ms_engine_range was;

	(void)state;
	ms_address_map_open(&places, &special);
	for (uint64_t round = 0; round < ROUNDS; round++) {
		for (uint64_t i = 0; i < OBJECTS; i++)
			ms_address_map_add_object(&places, BASE + i * 48, 16 + (i + round) % 33,
						  (uint32_t)(i % 7));
		for (uint64_t i = 0; i < OBJECTS; i++) {
			assert_int_equal(ms_address_map_find_data(&places, BASE + i * 48, &place),
					 i % 7);
			assert_int_equal(place->size, 16 + (i + round) % 33);
			assert_true(has_page_tag(&places, BASE + i * 48, i % 7));
		}
		for (uint64_t i = 0; i < OBJECTS; i++)
			assert_true(ms_address_map_free_object(&places, BASE + i * 48, &was));
		for (uint64_t i = 0; i < OBJECTS; i += 100) {
			assert_int_equal(ms_address_map_find_data(&places, BASE + i * 48, &place),
					 FREED);
			assert_true(has_page_tag(&places, BASE + i * 48, FREED));
		}
	}
	ms_address_map_close(&places);
}

/* --- at random, compared with a table of all 8-byte units --- */

enum { WORLD = 6 * 4096 / 8, KINDS = 20, ROUNDS = 4000, NO_HEAP = 0 };

/* All of what lies between two variables is one place, up to heap objects' pages. */
static void between_variables(void **state)
{
	const struct ms_engine_fallback_data special = { NOWHERE, FREED, 0 };
	const struct ms_engine_range variables[2] = { { BASE, BASE + 16, 1 },
						      { BASE + 9000, BASE + 9016, 2 } };
	struct ms_address_map places;
	struct ms_address_map_range *place, *again;

	(void)state;
	ms_address_map_open(&places, &special);
	ms_address_map_map_region(&places, BASE, BASE + 16384, 7, true);
	ms_address_map_add_module(&places, 1, variables, 2);
	assert_int_equal(ms_address_map_find_data(&places, BASE + 5000, &place), 7);
	assert_int_equal(place->start, BASE + 16);
	assert_int_equal(place->size, 9000 - 16);
	assert_int_equal(ms_address_map_find_data(&places, BASE + 8999, &again), 7);
	assert_ptr_equal(again, place);
	ms_address_map_add_object(&places, BASE + 4096, 16, 3);
	assert_int_equal(place->size, 0);
	assert_int_equal(ms_address_map_find_data(&places, BASE + 5000, &again), 7);
	assert_int_equal(again->size, 0);
	ms_address_map_close(&places);
}

struct model {
	struct ms_address_map places;
	uint32_t region[WORLD];
	uint32_t heap[WORLD];
	uint64_t object[WORLD]; /* granules of the live heap object that starts here; 0: none */
	const struct ms_address_map_range *remembered[KINDS];
	uint64_t random;
	uint64_t nearby; /* how often a page had a tag */
};

static uint64_t below(struct model *m, uint64_t n)
{
	m->random = m->random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (m->random >> 33) % n;
}

static void set(uint32_t *table, uint64_t from, uint64_t to, uint32_t value)
{
	for (uint64_t i = from; i < to; i++)
		table[i] = value;
}

static void unmap(struct model *m, uint64_t from, uint64_t to)
{
	ms_address_map_unmap_range(&m->places, BASE + 8 * from, BASE + 8 * to);
	set(m->region, from, to, NOWHERE);
	set(m->heap, from, to, NO_HEAP);
	for (uint64_t i = 0; i < to; i++)
		if (i + m->object[i] > from)
			m->object[i] = 0;
}

static void place_or_free(struct model *m, uint64_t from, uint64_t to, uint32_t data)
{
	struct ms_engine_range was;

	if (m->object[from] > 0) {
		assert_true(ms_address_map_free_object(&m->places, BASE + 8 * from, &was));
		set(m->heap, from, from + m->object[from], FREED);
		m->object[from] = 0;
		return;
	}
	for (uint64_t i = from; i < to; i++)
		if (m->heap[i] != NO_HEAP && m->heap[i] != FREED)
			return;
	ms_address_map_add_object(&m->places, BASE + 8 * from, 8 * (to - from), data);
	set(m->heap, from, to, data);
	m->object[from] = to - from;
}

static void change(struct model *m)
{
	uint64_t from = below(m, WORLD), longest = below(m, 20) == 0 ? WORLD : 40;
	uint64_t to = from + 1 + below(m, WORLD - from < longest ? WORLD - from : longest);
	uint32_t data = 1 + (uint32_t)below(m, KINDS);
	uint64_t action = below(m, 8);

	if (action == 0)
		unmap(m, from, to);
	else if (action < 4)
		place_or_free(m, from, to, data);
	else {
		ms_address_map_map_region(&m->places, BASE + 8 * from, BASE + 8 * to, data,
					  action < 6);
		set(m->region, from, to, data);
	}
}

static uint32_t expected(const struct model *m, uint64_t i)
{
	return m->heap[i] != NO_HEAP ? m->heap[i] : m->region[i];
}

/* What is found is right, and so is what was remembered, as long as it has not ended. */
static void look(struct model *m)
{
	for (uint64_t i = 0; i < WORLD; i++) {
		const struct ms_address_map_range **slot = &m->remembered[below(m, KINDS)];
		struct ms_address_map_range *place;

		if (*slot != NULL && BASE + 8 * i - (*slot)->start < (*slot)->size)
			assert_int_equal((*slot)->data, expected(m, i));
		assert_int_equal(ms_address_map_find_data(&m->places, BASE + 8 * i, &place),
				 expected(m, i));
		m->nearby += has_page_tag(&m->places, BASE + 8 * i, expected(m, i));
		*slot = below(m, 10) == 0 ? place : *slot;
	}
}

static void as_the_model(void **state)
{
	static const struct ms_engine_fallback_data special = { NOWHERE, FREED, 0 };
	static struct model m;

	(void)state;
	ms_address_map_open(&m.places, &special);
	set(m.region, 0, WORLD, NOWHERE);
	for (int round = 0; round < ROUNDS; round++) {
		change(&m);
		if (round % 4 == 0)
			look(&m);
	}
	assert_true(m.nearby > 0);
	ms_address_map_close(&m.places);
}

/* As many threads with thread-local variables make: no shifting of all of them for each. */
static void many_regions(void **state)
{
	enum { REGIONS = 300000 };
	const struct ms_engine_fallback_data special = { NOWHERE, FREED, 0 };
	struct ms_address_map places;
	struct ms_address_map_range *place;

	(void)state;
	ms_address_map_open(&places, &special);
	/* 7 and REGIONS have no common factor: each of them once, from everywhere. */
	for (uint64_t i = 0; i < REGIONS; i++) {
		uint64_t k = i * 7 % REGIONS;

		ms_address_map_map_region(&places, BASE + k * 64, BASE + k * 64 + 48,
					  (uint32_t)(k % 5), true);
	}
	for (uint64_t k = 0; k < REGIONS; k++) {
		assert_int_equal(ms_address_map_find_data(&places, BASE + k * 64 + 47, &place),
				 k % 5);
		assert_int_equal(place->start, BASE + k * 64);
		assert_int_equal(ms_address_map_find_data(&places, BASE + k * 64 + 48, &place),
				 NOWHERE);
	}
	for (uint64_t i = 0; i < REGIONS; i++) {
		uint64_t k = i * 11 % REGIONS;

		ms_address_map_unmap_range(&places, BASE + k * 64, BASE + k * 64 + 64);
		assert_int_equal(ms_address_map_find_data(&places, BASE + k * 64, &place), NOWHERE);
	}
	assert_int_equal(places.regions.chunks.n, 0);
	ms_address_map_close(&places);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(found_by_places), cmocka_unit_test(found_by_slots),
		cmocka_unit_test(many_objects),    cmocka_unit_test(as_the_model),
		cmocka_unit_test(many_regions),    cmocka_unit_test(between_variables),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

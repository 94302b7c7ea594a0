/* engine/address_map/address_map_priv.h - what the files of the address map call of each other. */
#ifndef MS_ENGINE_ADDRESS_MAP_ADDRESS_MAP_PRIV_H
#define MS_ENGINE_ADDRESS_MAP_ADDRESS_MAP_PRIV_H

#include "engine/address_map/address_map.h"

/*
 * heap_objects.c, for address_map.c: the index of the range at address, or MS_ADDRESS_MAP_NONE, or
 * MS_ADDRESS_MAP_FREED.
 */
uint32_t ms_address_map_get_index(const struct ms_address_map *map, uint64_t address);
bool ms_address_map_has_no_objects(const struct ms_address_map *map, uint64_t start, uint64_t end);
/*
 * The data below the heap objects of the address's page, if it is the same for the whole page:
 * address_map.c sets it, and it holds until modules or regions change. False: unknown.
 */
bool ms_address_map_get_page_data(const struct ms_address_map *map, uint64_t address,
				  uint32_t *data);
void ms_address_map_set_page_data(struct ms_address_map *map, uint64_t address, uint32_t data);
void ms_address_map_clear_objects(struct ms_address_map *map, uint64_t start, uint64_t end);
void ms_address_map_close_heap(struct ms_address_map *map);
uint64_t ms_address_map_measure_heap(const struct ms_address_map *map);
/* For nested_objects.c: calls f at least once for each object in [start, end). */
void ms_address_map_visit_objects(struct ms_address_map *map, uint64_t start, uint64_t end,
				  void (*f)(uint32_t index, void *arg), void *arg);
struct ms_address_map_range *ms_address_map_enter_object(struct ms_address_map *map, uint64_t start,
							 uint64_t size, uint32_t data);
void ms_address_map_fill_range(struct ms_address_map *map, uint64_t start, uint64_t end,
			       uint32_t index);
/* Replaces index `from` by `to` in the range. */
void ms_address_map_replace_index(struct ms_address_map *map, uint64_t start, uint64_t end,
				  uint32_t from, uint32_t to);
bool ms_address_map_free_simple_object(struct ms_address_map *map, uint64_t start,
				       struct ms_engine_range *was);
/* nested_objects.c, for heap_objects.c. */
bool ms_address_map_free_outer(struct ms_address_map *map, uint64_t start,
			       struct ms_engine_range *was);
void ms_address_map_drop_outer(struct ms_address_map *map, uint32_t index);
/* address_map.c, for heap_objects.c: heap objects will be added in [start, end). */
void ms_address_map_uncover_pages(struct ms_address_map *map, uint64_t start, uint64_t end);
/*
 * address_map.c, for module_gaps.c: the last variable of a module that does not start above
 * address; n: none.
 */
size_t ms_address_map_find_variable(const struct ms_address_map_module *m, uint64_t address);
/*
 * module_gaps.c, for address_map.c: the part of the region around an address, on a page of some
 * module, that contains neither variables nor heap objects; NULL: heap objects are near.
 */
struct ms_address_map_range *ms_address_map_find_gap(struct ms_address_map *map,
						     const struct ms_address_map_region *region,
						     uint64_t address);
void ms_address_map_drop_gaps(struct ms_address_map *map);
/* large_objects.c, for heap_objects.c: the same for the list of the largest objects. */
bool ms_address_map_overlaps_large(const struct ms_address_map *map, uint64_t start, uint64_t end);
const uint32_t *ms_address_map_find_large(const struct ms_address_map *map, uint64_t address);
void ms_address_map_add_large(struct ms_address_map *map, uint64_t start, uint64_t end,
			      uint32_t index);
/* Removes [start, end) from the list; the parts outside on either side stay. */
void ms_address_map_cut_large(struct ms_address_map *map, uint64_t start, uint64_t end);
void ms_address_map_visit_large(struct ms_address_map *map, uint64_t start, uint64_t end,
				void (*f)(uint32_t index, void *arg), void *arg);
void ms_address_map_replace_large(struct ms_address_map *map, uint64_t start, uint64_t end,
				  uint32_t from, uint32_t to);
struct ms_address_map_range *ms_address_map_new_range(struct ms_address_map *map, uint64_t start,
						      uint64_t size, uint32_t data);
void ms_address_map_end_range(struct ms_address_map *map, struct ms_address_map_range *range);

#endif

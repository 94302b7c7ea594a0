/* name/data_types.c - finds the type of data in the debug information. */
#include "name/name_priv.h"

/* A heap object's type was named by one of the modules on its way. */
static struct ms_name_type find_heap_type(struct ms_bins *binder,
					  const struct ms_bins_bound_data *bound,
					  const struct ms_run_data *data)
{
	struct ms_bins_bound_pc pcs[MS_WIRE_MAX_PATH];
	struct ms_name_type known = { NULL, 0, data->largest };
	size_t n = ms_bins_node_path(binder, bound->node, pcs, MS_WIRE_MAX_PATH);

	for (size_t i = 0; data->type != NULL && i < n && i < MS_WIRE_MAX_PATH; i++) {
		struct ms_symbols_module *module = ms_bins_symbols(binder, pcs[i].module);

		known.type = module != NULL ? ms_symbols_module_type(module, data->type) : 0;
		if (known.type != 0) {
			known.module = module;
			break;
		}
	}
	return known;
}

struct ms_name_type ms_name_find_type(struct ms_bins *binder, uint32_t bound,
				      const struct ms_run_data *data)
{
	const struct ms_bins_bound_data *of = ms_bins_get_data(binder, bound);

	if (of->variable != NULL && of->variable->type_die != 0)
		return (struct ms_name_type){ ms_bins_symbols(binder, of->module),
					      of->variable->type_die, 0 };
	if (of->kind == MS_BOUND_HEAP)
		return find_heap_type(binder, of, data);
	return (struct ms_name_type){ NULL, 0, 0 };
}

/* store/schema_priv.h - the larger steps of the schema. */
#ifndef MS_STORE_SCHEMA_PRIV_H
#define MS_STORE_SCHEMA_PRIV_H

/* Rows of a run are deleted with it. */
#define MS_SCHEMA_RUN "run integer not null references run (id) on delete cascade"

extern const char ms_store_schema_1[], ms_store_schema_4[], ms_store_schema_6[],
	ms_store_schema_9[], ms_store_schema_spatial[], ms_store_schema_25[],
	ms_store_schema_slices[], ms_store_schema_28[], ms_store_schema_30[], ms_store_schema_31[],
	ms_store_schema_32[], ms_store_schema_33[], ms_store_schema_34[];

#endif

/* store/schema_priv.h - the larger ones of the steps in which the tables came about. */
#ifndef MS_STORE_SCHEMA_PRIV_H
#define MS_STORE_SCHEMA_PRIV_H

/* What belongs to a run goes with it. */
#define MS_SCHEMA_RUN "run integer not null references run (id) on delete cascade"

extern const char ms_schema_1[], ms_schema_4[], ms_schema_6[], ms_schema_9[];

#endif

/*
 * store/schema_newest.c - the tables of a new database, composed from the migration steps: a column
 * that was added later is in its table at once, and what was dropped is omitted. SQLite parses the
 * whole schema for each added column, so all the steps take 20 milliseconds, and this takes three.
 * A test compares the results of both.
 */
#include <string.h>

#include "base/text.h"
#include "base/vec.h"
#include "store/store_priv.h"

struct schema_statements {
	MS_VEC(struct ms_text) at; /* "create ..."; empty if it was dropped */
};

static bool begins(const char *text, size_t n, const char *with)
{
	return n >= strlen(with) && strncmp(text, with, strlen(with)) == 0;
}

/* The statement that begins with "create KIND NAME ". */
static struct ms_text *find(struct schema_statements *all, const char *kind, const char *name,
			    size_t n)
{
	struct ms_text head = MS_TEXT_INIT;
	struct ms_text *found = NULL;

	ms_text_addf(&head, "create %s %.*s ", kind, (int)n, name);
	for (size_t i = 0; i < all->at.n && found == NULL; i++)
		if (begins(ms_text_get(&all->at.at[i]), all->at.at[i].n, head.at))
			found = &all->at.at[i];
	ms_text_free(&head);
	return found;
}

/* After the last column; constraints of the whole table come last. */
static size_t end_of_columns(const char *table)
{
	const char *key = strstr(table, ",\n\tprimary key (");

	return (size_t)((key != NULL ? key : strrchr(table, ')')) - table);
}

static void add_column(struct schema_statements *all, const char *alter, size_t n)
{
	static const char before_name[] = "alter table ", before_column[] = " add column ";
	const char *name = alter + strlen(before_name);
	const char *column = strstr(name, before_column);
	struct ms_text *table = find(all, "table", name, (size_t)(column - name));
	struct ms_text with = MS_TEXT_INIT;
	size_t end = end_of_columns(table->at);

	column += strlen(before_column);
	ms_text_addf(&with, "%.*s, %.*s%s", (int)end, table->at, (int)(alter + n - column), column,
		     table->at + end);
	ms_text_free(table);
	*table = with;
}

static void drop(struct schema_statements *all, const char *kind, const char *statement, size_t n)
{
	size_t verb = strlen("drop  ") + strlen(kind);

	ms_text_clear(find(all, kind, statement + verb, n - verb));
}

/* Updates and inserts change rows, and a new database has none. */
static void take(struct schema_statements *all, const char *statement, size_t n)
{
	if (begins(statement, n, "alter table "))
		add_column(all, statement, n);
	else if (begins(statement, n, "drop view "))
		drop(all, "view", statement, n);
	else if (begins(statement, n, "drop table "))
		drop(all, "table", statement, n);
	else if (!begins(statement, n, "update ") && !begins(statement, n, "insert "))
		ms_text_addf(ms_vec_add(&all->at), "%.*s", (int)n, statement);
}

void ms_store_newest_schema(struct ms_text *sql)
{
	struct schema_statements all = { MS_VEC_INIT };

	for (int v = 0; v < MS_STORE_SCHEMA; v++) {
		const char *rest = ms_store_migrations[v];
		const char *end;

		for (; (end = strstr(rest, ";\n")) != NULL; rest = end + 2)
			take(&all, rest, (size_t)(end - rest));
	}
	for (size_t i = 0; i < all.at.n; i++) {
		if (all.at.at[i].n > 0)
			ms_text_addf(sql, "%s;\n", all.at.at[i].at);
		ms_text_free(&all.at.at[i]);
	}
	ms_vec_free(&all.at);
}

# docs/formats/database.md names every table, view and column of the schema, with its type, and no other.
db=$("$DBS/make" matmul)
sqlite3 "$db" "select s.name, c.name, c.type from sqlite_schema s, pragma_table_info(s.name) c
	where s.type in ('table', 'view') and s.name not like 'sqlite_%'" | sort >real
awk -F' *[|] *' '
	/^### / { table = substr($0, 5) }
	/^[|]/ && $2 != "column" && $2 != "---" { print table "|" $2 "|" $3 }
' "$SRC/docs/formats/database.md" | sort >documented
diff documented real && echo "the same"
# The numbers in the file's header too.
grep -o "application_id. is [0-9]*" "$SRC/docs/formats/database.md" | grep -o '[0-9]*$'
sqlite3 "$db" 'pragma application_id; pragma user_version'
# What the unit tests' store writes is what the stored dump holds: the dump is not out of date.
"$BUILD/tests/unit/store/basic" --write fresh.db
schema='select type, name, sql from sqlite_schema order by type, name'
sqlite3 fresh.db "$schema" >fresh.sql
sqlite3 "$db" "$schema" | diff - fresh.sql && echo "up to date"

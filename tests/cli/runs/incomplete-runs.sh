# A run that was saved before its program ended is marked as incomplete everywhere: as running while the collecting process
# exists, as interrupted after that, as unknown for a process of another boot or container.
db=$("$DBS/make" matmul)
system="$(cat /proc/sys/kernel/random/boot_id) $(readlink /proc/self/ns/pid)"
start=$(sed 's/.*) //' /proc/$$/stat | cut -d' ' -f20)
checkpoint() {
	sqlite3 "$db" "update run set ended = 'incomplete', wall_seconds = 3723.5 where id = 1; delete from checkpoint;
		insert into checkpoint values (1, 0, $1, $2, '$3', '2026-11-15T11:33:05Z', 0)"
	"$MEMSPY" runs --db "$db" | sed -n 's/.*26.6M  //p' | cut -d' ' -f1
	"$MEMSPY" runs --db "$db" --csv | cut -d, -f1,8,26 | tr -d '\r'
	"$MEMSPY" runs --db "$db" --json | grep -o '"checkpoint": {.*}}' | sed "s/$$/PID/"
	"$MEMSPY" report --db "$db" | sed -n 2p
	"$MEMSPY" report --db "$db" --json | grep '"checkpoint"' | tr -d '\n ' | sed "s/$$/PID/"
	echo
}
checkpoint $$ "$start" "$system"
checkpoint $$ 1 "$system"
checkpoint $$ "$start" "another boot pid:[1]"
"$MEMSPY" diff --db "$db" 1 1 | grep -m1 -o 'incomplete; figures.*'

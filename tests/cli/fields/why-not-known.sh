# Members that are not known: the report says why, and what to do about it.
"$MEMSPY" run -q --observed-lines all --db r.db --l1 32K,8,64 --ll 1M,16,64 "$PROGRAMS/line-use" >/dev/null
why() { "$MEMSPY" fields --db r.db --width 100 "$1" | sed -n '/^MEMBERS/,/^$/p'; }
echo "observed:"
why table
echo "no lines observed:"
python3 - <<'END'
import sqlite3
db = sqlite3.connect('r.db')
data = db.execute("select data from data where name = 'slot.slots'").fetchone()
db.execute('delete from line_use where cell in (select cell from cell where data = ?)', data)
for table in ['member_access', 'member_thread', 'member_stay', 'member']:
    db.execute('delete from ' + table)
db.commit()
END
why slots

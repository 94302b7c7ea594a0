# A program that allocates from 5000 call paths, none of which matters by itself: reports show its heap data by type, and say
# so; --group shows other groups, or none, which add up to the same. Groups and what is in them are found by their names.
python3 - >many.c <<'END'
LEAVES, CALLERS = 100, 50
print("""#include <stdlib.h>
struct Node { struct Node *next; long pad[29]; };
struct Edge { struct Node *next; long pad[9]; };
struct Label { struct Node *next; long pad[3]; };
struct Node *all;
#define FUNCTION __attribute__((noinline, noclone)) void""")
for leaf in range(LEAVES):
    kind = ("Node", "Node", "Node", "Edge", "Label")[leaf % 5]
    print(f"""FUNCTION make{leaf}(void)
{{
	struct {kind} *made = malloc(sizeof(*made));
	made->next = all;
	all = (struct Node *)made;
}}""")
for caller in range(CALLERS):
    print(f"FUNCTION call{caller}(void)\n{{")
    print("\n".join(f"\tmake{leaf}();" for leaf in range(LEAVES)))
    print("\t__asm__ volatile(\"\");\n}")
print("int main(void)\n{")
print("\n".join(f"\tcall{caller}();" for caller in range(CALLERS)))
print("""	long sum = 0;
	for (int i = 0; i < 5; i++)
		for (struct Node *at = all; at != NULL; at = at->next)
			sum += at->pad[0] + at->pad[2];
	return sum == 1;
}""")
END
gcc -g -O1 -w many.c -o many || exit
"$MEMSPY" run -q --machine dash --db run.db ./many 2>log || { cat log; exit 1; }
"$MEMSPY" report --db run.db --width 2000 | grep '^Grouped: ' | sed 's/[0-9.]*%/P%/g; s/[0-9][0-9]* heap/N heap/'
shares() {
	"$MEMSPY" report --json --db run.db "$@" | python3 -c '
import json, sys
report = json.load(sys.stdin)
all = report["totals"]["stall_cycles"]
rows = [(entry["name"], entry["stall_cycles"]) for entry in report["data"]]
print(sys.argv[1:], "adds up" if sum(s for _, s in rows) == all else "differs", sorted(n for n, s in rows if s > 0.05 * all))
grouped = report["run"].get("grouped", {"by": "none", "data": 0, "groups": 0})
print(sum(n.startswith("make") and n.endswith("()") for n, _ in rows), "functions, grouped:", grouped["by"], grouped["groups"],
      grouped["data"] == sum(entry.get("grouped", 0) for entry in report["data"]), len(report["hints"]), "hints")' "$@"
}
shares
shares --group none
shares --group type
shares --group function
show() {
	"$MEMSPY" show --db run.db --width 300 "$@" | grep -E '^DETAILED|^Percentage of total memory|in [0-9]+ groups' |
		sed 's/[0-9.]*%/P%/g; s/[0-9][0-9]* heap/N heap/'
}
show --data 'Node.*'
one=$("$MEMSPY" data --csv --group none --db run.db | python3 -c '
import csv, sys
print(next(row["name"] for row in csv.DictReader(sys.stdin) if row["name"].startswith("Node.")))')
[ "$(show --data "$one" | grep -cF "OUTPUT: $one in")" = 1 ] && echo "a single one is found"
"$MEMSPY" diff --db run.db 1 1 | grep -o 'Heap data is compared in groups'
"$MEMSPY" diff --db run.db 1 1 --fail-if 'stall of Node.* > 1' 2>&1 >diff | grep -o 'stall of Node.*:' || cat diff
"$MEMSPY" diff --db run.db 1 1 --fail-if "stall of $one > 1" 2>&1 >diff | grep -cF "stall of $one:" || cat diff
# A name that a rule has given is not grouped.
"$MEMSPY" combine --db run.db first "$one" >/dev/null
"$MEMSPY" show --db run.db --data first | grep -c 'OUTPUT: first in'

# A program that allocates from 20,000 call paths, none of which matters by itself: the report says which types and which
# functions have the stall time, and --group shows them as groups that add up to the same.
python3 - >many.c <<'END'
LEAVES, CALLERS = 200, 100
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
"$MEMSPY" report --db run.db --width 2000 >report
grep -o '^Hint: [0-9]* heap data structures with less than 1% each' report | sed 's/[0-9][0-9]*/N/g'
grep -o 'By type: .*' report | sed 's/ [0-9.]*%/ P%/g; s/make[0-9]*()/makeN()/g'
shares() {
	"$MEMSPY" report --json --db run.db "$@" | python3 -c '
import json, sys
report = json.load(sys.stdin)
all = report["totals"]["stall_cycles"]
rows = [(entry["name"], entry["stall_cycles"]) for entry in report["data"]]
print(sys.argv[1:], "adds up" if sum(s for _, s in rows) == all else "differs", sorted(n for n, s in rows if s > 0.05 * all))
print(sum(n.startswith("make") and n.endswith("()") for n, _ in rows), "functions,", len(report["hints"]), "hints")' "$@"
}
shares --group type
shares --group function
"$MEMSPY" show --db run.db --group type --data 'Node.*' | grep -o 'Node\.\*' | sort -u

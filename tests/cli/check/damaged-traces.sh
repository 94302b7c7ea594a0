# memspy check says where a damaged trace breaks, and exits with status 1.
"$MEMSPY" run -q --db live.db --trace good.trace -- "$PROGRAMS/walk"
size=$(stat -c %s good.trace)

try() {
	"$MEMSPY" check "$@" | sed '1,/^$/d'
	echo "exit status ${PIPESTATUS[0]}"
}

head -c $((size - 5)) good.trace >tail.trace
try tail.trace
{ cat good.trace; echo more; } >longer.trace
try longer.trace
{ head -c 3000 good.trace; printf XXXX; tail -c +3005 good.trace; } >damaged.trace
try damaged.trace
{ head -c $((size - 1)) good.trace; printf X; } >magic.trace
try magic.trace
# Only the first chunk is whole.
second=$(grep -abo CHNK good.trace | sed -n '2s/:.*//p')
head -c $((second + 7)) good.trace >one.trace
try one.trace
{ cat good.trace; printf +; } >plus.trace
try plus.trace

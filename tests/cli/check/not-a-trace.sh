# memspy check refuses files that are no traces, and wrong arguments.
exec 2>&1
try() {
	"$MEMSPY" check "$@"
	echo "exit status $?"
}

try
try one two
try missing.trace
try .
try - </dev/null
cat /dev/null | try /dev/stdin
"$MEMSPY" replay --format memspy - </dev/null
echo "exit status $?"
: >empty
try empty
echo 'not a trace, but long enough to be looked at' >foreign
try foreign
try --json foreign
try --top 0 foreign

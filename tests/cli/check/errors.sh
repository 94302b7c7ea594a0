# What is no trace at all.
exec 2>&1
try() {
	"$MEMSPY" check "$@"
	echo "exit status $?"
}

try
try one two
try missing.trace
try .
: >empty
try empty
echo 'not a trace, but long enough to be looked at' >foreign
try foreign
try --json foreign
try --top 0 foreign

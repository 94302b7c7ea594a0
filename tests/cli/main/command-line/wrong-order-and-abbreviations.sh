# memspy --help COMMAND is memspy help COMMAND; options that are abbreviated are suggested; messages name what is wrong with a
# folder in place of a program and a program in place of a number.
cmp <("$MEMSPY" --help run) <("$MEMSPY" help run) && cmp <("$MEMSPY" -h run) <("$MEMSPY" help run) && echo "the help of run"
try() {
	"$MEMSPY" "$@" 2>&1
	echo "status $?"
}
try --help nothing
try run --procs 2 true
try run --processor 2 true
try run .
try run ./
try run -p /bin/true
try run --processors=two /bin/true

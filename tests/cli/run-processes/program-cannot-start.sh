# Programs that cannot be started are reported with the reason and status 126 or 127; failures of memspy itself have status 125.
# refuses STATUS WORDS ARGUMENTS
. "$SRC/tests/cli/run/lib.bash"
refuses() {
	local want=$1 words=$2
	shift 2
	"$MEMSPY" run --db none.db "$@" >out 2>err
	local got=$?
	# shellcheck disable=SC2053 # a pattern
	[[ $got == $want ]] || fail "$*: exit status $got, expected $want"
	[ ! -s out ] || fail "$*: on standard output: $(cat out)"
	grep -q "^memspy: .*$words" err || fail "$*: says: $(head -n 5 err)"
	[ "$(wc -l <err)" -le 3 ] || fail "$*: says too much: $(head -n 5 err)"
	[ ! -e none.db ] || fail "$*: makes a database for nothing"
	rm -f none.db
}

# patch FILE OFFSET BYTES: a copy of a program with other bytes there
patch() {
	cp "$PROGRAMS/walk" "$1"
	# shellcheck disable=SC2059 # escapes
	printf "$3" | dd of="$1" bs=1 seek="$2" conv=notrunc status=none
}

refuses 127 'no-such-program: no such program' no-such-program
refuses 127 './no-such-program: no such program' ./no-such-program
refuses 127 'no such program' ''
cp "$PROGRAMS/walk" here
refuses 127 'here: no such program in PATH; to run the one in this folder: ./here' here
refuses 127 'no such program' walk/walk
mkdir folder
refuses 126 './folder: is a folder, expected a program' ./folder
: >empty
chmod +x empty
refuses 126 './empty: neither an ELF program nor a script' ./empty
printf 'echo hello\n' >text
chmod +x text
refuses 126 './text: neither an ELF program nor a script' ./text
cp "$PROGRAMS/walk" locked
chmod -x locked
refuses 126 './locked: may not be executed' ./locked
cp "$PROGRAMS/walk" other-rights
for rights in u+s g+s; do
	chmod $rights other-rights
	refuses 126 "./other-rights: runs with its owner's rights (setuid or setgid), and cannot be followed" ./other-rights
	chmod ${rights/+/-} other-rights
done
patch foreign 18 '\xf3\x00' # RISC-V
refuses 126 './foreign: a program for another architecture' ./foreign
patch small 4 '\x01'
refuses 126 './small: a 32-bit program' ./small
head -c 100 "$PROGRAMS/walk" >"cut"
chmod +x cut
refuses 126 'cut' ./cut
head -c 30 "$PROGRAMS/walk" >stump
chmod +x stump
refuses 126 'stump' ./stump
printf '#!/no/such/interpreter\n' >orphan
chmod +x orphan
refuses 12[67] 'orphan' ./orphan
mkfifo pipe
chmod +x pipe
refuses 126 './pipe: not a file that can be run' ./pipe
ln -s loop loop
refuses 12[67] 'loop' ./loop

refuses 125 'which program' --
refuses 125 "unknown option '--frobnicate'" --frobnicate -- true
refuses 125 'no machine' --machine no-such-machine true
refuses 125 '--l1 expects' --l1 rubbish true
refuses 125 'workers' --workers 0 true
refuses 125 'add --trace' --trace-limit 1M true
refuses 125 'frontend' --frontend magic true

# Scripts run under their interpreter.
# shellcheck disable=SC2016 # the script's own $1
printf '#!/bin/sh\necho script "$1"\nexit 4\n' >script
chmod +x script
"$MEMSPY" run -q ./script 'an argument' >out 2>err
got=$?
[ $got = 4 ] || fail "script: exit status $got, expected 4"
[ "$(cat out)" = 'script an argument' ] || fail "script: $(cat out err)"
finish

# memspy run --attach works with programs whose threads sleep in system calls, all or only the first, and no signal is lost.
. "$SRC/tests/cli/run/lib.bash"
gcc -std=gnu17 -O1 -g -pthread -Wall -Wextra -o waits "$SRC/tests/cli/native-attach/sleeping-threads.c" || fail gcc
mkfifo in

# start MODE: it has begun; its input is descriptor 9
start() {
	./waits $1 <in >$1.out &
	program=$!
	exec 9>in
	until grep -q ready $1.out; do sleep 0.01; done
}

# attach MODE
attach() {
	timeout -s KILL 60 "$MEMSPY" run -q --attach $program --duration 1 --db $1.db 2>$1.err || fail "$1: exit status $?: $(cat $1.err)"
}

# ends MODE STATUS TEXT
ends() {
	exec 9>&-
	wait $program
	[ $? = $2 ] || fail "$1: it ends otherwise"
	[ "$(tail -n 1 $1.out)" = "$3" ] || fail "$1: it prints $(cat $1.out)"
}

start reads
sleep 0.2 # until it waits
attach reads
ends reads 5 'read 0'

start joins
attach joins
ends joins 6 ready
[ "$(sqlite3 joins.db "select sum(writes) > 4096 from bin where code = 'fill'")" = 1 ] || fail "joins: what it does is not seen"

start signals
attach signals
ends signals 7 'lost 0, with their values 0'

# When memspy has left, it runs natively again: the call that it waits in is the C library's own, not one that is made for it.
start works
attach works
kill -USR1 $program
for ((i = 0; i < 300; i++)); do
	pc=$(sed 's/.* //' /proc/$program/syscall)
	where=$(python3 -c '
import sys
pc = int(sys.argv[2], 16) if sys.argv[2].startswith("0x") else 0
for line in open("/proc/%s/maps" % sys.argv[1]):
	start, end = (int(x, 16) for x in line.split()[0].split("-"))
	if start <= pc < end:
		print(line.split()[-1].split("/")[-1])
' $program "$pc")
	[[ $where == libc.so* ]] && break
	sleep 0.1
done
[[ $where == libc.so* ]] || fail "works: at $pc, in $where"
ends works 8 ready
finish

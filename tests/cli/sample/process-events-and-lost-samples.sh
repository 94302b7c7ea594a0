# Forks, exec, signals, thousands of threads, a full buffer and no samples at all: recorded samples are kept, lost ones are
# counted by reason.
. "$SRC/tests/cli/sample/lib.bash"
sample() {
	"$MEMSPY" sample --event page-faults -q --db runs.db "$@" >/dev/null 2>err
	echo "status $?"
	sed "/samples are lost/d; s|$PROGRAMS/||; s/used .* of proc/used T of proc/; s/took .* of proc/took T of proc/" err
}
# What `first` has, and the reasons of losses.
show_losses() {
	"$MEMSPY" report --db runs.db --json | python3 -c '
import json, sys
report = json.load(sys.stdin)
print([d["events"] for d in report["data"] if d["name"] == "char.first"], report["run"]["end"],
      # A reader that is slow may lose some.
      sorted(l["reason"] for l in report["run"]["hardware"]["lost"] if "buffer was full" not in l["reason"]))'
}
for what in fork exec kill threads; do
	echo "-- $what"
	sample --period 1 --buffer 2M "$PROGRAMS/pages" $what
	show_losses
done
# Starts it, and waits until it has stopped itself.
start_stopping() {
	"$MEMSPY" sample --event page-faults --period 1 -q --db runs.db "$PROGRAMS/pages" stop >"$1" &
	memspy=$!
	until_true has_stopped
}
has_stopped() {
	child=$(cat "/proc/$memspy/task/$memspy/children")
	[ -n "$child" ] && [ "$(cut -d' ' -f3 "/proc/${child% }/stat")" = T ]
}
echo "-- stop"
start_stopping out
kill -CONT $child
wait $memspy
echo "status $?"
show_losses
echo "-- memspy is killed, and the program runs on"
start_stopping out2
kill -KILL $memspy
wait $memspy 2>/dev/null
kill -CONT $child
until_true grep -q done out2
cat out2
echo "-- a buffer of one page"
# On a busy machine memspy may be let in between all pages of the program; not every time.
for _ in 1 2 3 4 5 6; do
	sample --period 1 --buffer 4K "$PROGRAMS/pages" >small.txt
	"$MEMSPY" report --db runs.db | grep -q "the kernel's buffer was full" && break
done
cat small.txt
"$MEMSPY" report --db runs.db --json | python3 -c '
import json, sys
hardware = json.load(sys.stdin)["run"]["hardware"]
lost = {l["reason"]: l["samples"] for l in hardware["lost"]}
# Those that came and those that did not are all there were.
print("lost some:", lost.get("the kernel'"'"'s buffer was full", 0) > 0, 7700 < hardware["samples"] < 7950)'
"$MEMSPY" report --db runs.db | grep -o "the kernel's buffer was full"
echo "-- no sample"
sample --period 1000000000 "$PROGRAMS/walk" | sed 's/processor time; .*/processor time/'
"$MEMSPY" report --db runs.db | grep '^Sampled'
echo "-- another program uses the time: it is followed"
sample --event timer --period 1000000000 sh -c "$PROGRAMS/stalls chase; exit 3"
echo "-- not these"
try() {
	"$MEMSPY" sample --db runs.db "$@" 2>&1 | sed "s|$PROGRAMS/||; s/Rebuild it for .*/Rebuild it/"
}
try
try missing
try --event page-faults --period 5 --rate 5 true
try --event page-faults --buffer 5000 true
try --event page-faults --pmu-event X true
try --event rain true
{ printf '\177ELF\001\001\001'; head -c 200 /dev/zero; } >old && chmod +x old && try ./old
# A real one too, where the assembler makes such: dynamically linked or not, started, attached to, executed by another.
printf '.globl _start\n_start: mov $100000,%%ecx\n1: dec %%ecx\njnz 1b\ncmpl $1,(%%esp)\njne _start\nmov $1,%%eax\nmov $7,%%ebx\nint $0x80\n' >small.s
real=yes
gcc -m32 -nostdlib -static -o small small.s 2>/dev/null && ./small
[ $? = 7 ] || real= # no such compiler, or no such kernel
if [ $real ]; then
	gcc -m32 -nostdlib -pie -Wl,--dynamic-linker=/lib/ld-linux.so.2 -o small-linked small.s
	try ./small
	try ./small-linked
	./small for ever &
	small=$!
	try --attach $small | sed "s/$small/PID/"
	kill $small
	wait $small 2>/dev/null
	sample --event timer sh -c './small; test $? = 7 || exit 1; exec ./small' | grep -v 'no samples'
else
	sed -n '/small: /,/has replaced/p' "$SRC/tests/cli/sample/process-events-and-lost-samples.sh.stdout.exact"
fi
printf 'int main(void) { return 0; }' >static.c && gcc -static -o static static.c && try --event page-faults ./static

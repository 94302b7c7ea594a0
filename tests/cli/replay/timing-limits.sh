# Reports of imported traces say which part of the timing model does not apply: without instructions none of it, without
# registers there are no dependences. Several processors and sampled sets are not modelled, either.
for ((i = 0; i < 2000; i++)); do
	printf '0 %x\n' $((0x100000 + 4096 * (i % 300))) >>plain.din
	printf '2 %x\n0 %x\n' $((0x400 + 4 * (i % 4))) $((0x100000 + 4096 * (i % 300))) >>code.din
	printf 'I  %08x,4\n L %08x,8\n' $((0x400 + 4 * (i % 4))) $((0x100000 + 4096 * (i % 300))) >>code.lackey
done
cat >my.ini <<'END'
[machine]
text = a core that executes out of order
core = out-of-order
[level L1]
size = 32K
ways = 8
line = 64
[memory]
latency = 200
END
core() { sed -n '/^ .*out-of-order core/,/^$/p' | tr -s '\n ' ' ' && echo; }
"$MEMSPY" replay --db runs.db -m ./my.ini -f din plain.din | core
"$MEMSPY" replay --db runs.db -m ./my.ini -f din code.din | core
"$MEMSPY" replay --db runs.db -m ./my.ini -f lackey code.lackey | core
"$MEMSPY" replay --db runs.db -m ./my.ini -p 2 -f din code.din | core
"$MEMSPY" replay --db runs.db -m ./my.ini --sample-sets 1/4 -f din code.din | core
for run in 1 2 4 5; do
	"$MEMSPY" report --db runs.db @$run --json | grep '"time"\|"timing_limit"'
done
"$MEMSPY" report --db runs.db @3 --cost latency --json | grep '"time"\|"timing_limit"'

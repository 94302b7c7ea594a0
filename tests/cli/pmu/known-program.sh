# A program with known misses, two arrays that evict each other from two lines, sampled by all kinds of monitors at once.
"$MEMSPY" run -q --machine memspy-1992-matmul --l1 32K,1,64 --pmu misses@L1/100 --pmu evictions@L1/70 --pmu latency/2000 \
	--pmu misses@L1/100000000 --pmu misses/auto --overhead 10% -o report -- "$PROGRAMS/collide" || echo "status $?"
grep ^Next report
"$MEMSPY" pmu | sed -n '/^MONITORS/,/^+/p; /^MONITOR [45]/,/^$/p' | sed 's/[0-9][0-9,.]*/N/g; s/  */ /g'
# The one that adapts has some twenty samples for each: one of them may be of data that the environment moves.
"$MEMSPY" pmu --csv | tr -d '\r' | awk -F, '$5 == "eviction_lines" && $20 && ($1 != 5 || $16 > 0.7) { print $1, $6, $7, $8, $10, ($16 > ($1 == 5 ? 0.7 : 0.95)) }' | sort
# Samples add up to interrupts, of one kind or another; the undisturbed part is the run's own.
sqlite3 memspy.db "select 'samples', pmu from pmu where interrupts != (select coalesce(sum(count), 0) from pmu_sample s
		where s.run = pmu.run and s.pmu = pmu.pmu);
	select 'events', pmu from pmu where events < (select coalesce(sum(events), 0) from pmu_sample s
		where s.run = pmu.run and s.pmu = pmu.pmu);
	select 'effective', pmu from pmu where effective > interrupts + 1e-6;
	select 'unreached', pmu from pmu join pmu_level l using (run, pmu) join level using (run, level)
		where interrupts = 0 and (l.misses != level.misses or monitor_misses != 0 or cycles != clean_cycles);
	select 'overhead', pmu, cycles, clean_cycles from pmu where adaptive and cycles > clean_cycles * (1 + wish);
	select 'victims', count(*) from pmu_sample where monitor > count or (victim is not null and monitor > 0) having count(*) > 0;
	select count(*) from pmu_sample where victim is not null and pmu < 2 having count(*) = 0;
	pragma foreign_key_check"
# Without names and lines, and in a cache of one line.
strip -o stripped "$PROGRAMS/collide"
"$MEMSPY" run -q --l1 64,1,64 --pmu misses/1000 -o report -- ./stripped || echo "status $?"
# Of the few misses at the start, which depend on the environment, one more or less is sampled.
"$MEMSPY" pmu | sed -n '/^BY LINE/,/^$/p' | awk '$1 == 1 && $2 > 95 { sub(/0x[0-9a-f]+/, "N"); print $(NF - 1), $NF }'

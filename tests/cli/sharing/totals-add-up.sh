# In runs of several processors no figure exceeds the one that it is a part of, and every invalidation miss has its writer, with
# caches of all shapes.
check() { # what SQL: that there are none of these
	n=$(sqlite3 memspy.db "$2") || echo "$1: sqlite3 failed"
	[ "$n" = 0 ] || echo "$run: $1: $n"
}
all='first + replaced + invalidated'
checks() {
	check "more false than invalidated" "select count(*) from miss where falsely > invalidated"
	check "more answers than misses" "select count(*) from miss where peer + remote > $all"
	check "remote before the last level" "select count(*) from miss where remote > 0 and
		level < (select max(level) from level l where l.run = miss.run)"
	check "more misses than references" "select count(*) from miss join cell using (run, cell) where $all > refs"
	check "weights out of range" "select count(*) from miss join run on run.id = miss.run
		where weighted > ($all) * 1.000001 or weighted < ($all) * 0.999999 / processors"
	check "lines whose instructions do not add up" "select count(*) from line where instructions > 0 and instructions !=
		(select sum(instructions) from line_time t where t.run = line.run and t.line = line.line)"
	check "weights of lines out of range" "select count(*) from line_time t join run on run.id = t.run where
		weighted > t.instructions * 1.000001 or weighted < t.instructions * 0.999999 / processors"
	check "invalidations without a writer" "select count(*) from (select run, cell, max(invalidated) most,
		sum(invalidated) sum, max(falsely) false from miss group by run, cell) m left join (select run, cell,
		sum(truly + falsely) n, sum(falsely) f from sharing group by run, cell) s using (run, cell)
		where coalesce(n, 0) < most or coalesce(n, 0) > sum or coalesce(f, 0) < false"
	check "more sharing answered by peers than misses" "select count(*) from (select run, cell, sum(peer) p, sum(remote) r
		from sharing group by run, cell) s join (select run, cell, sum(peer) mp, sum(remote) mr from miss
		group by run, cell) m using (run, cell) where p > mp or r > mr"
	check "processors that take lines from themselves" "select count(*) from sharing s
		join cell a on a.run = s.run and a.cell = s.cell join cell b on b.run = s.run and b.cell = s.writer
		where a.processor = b.processor"
	check "bytes outside of lines" "select count(*) from sharing where offset >= 64 or writer_offset >= 64"
	check "no sharing at all" "select count(*) = 0 from sharing"
}
for run in '--l1 1K,2,32 --l2 4K,4,64' '--machine dash' '--machine amd-zen3' '--machine host'; do
	rm -f memspy.db
	"$MEMSPY" run -q --processors 8 $run "$BUILD/tests/programs/sharing" near 8 || echo "status $?"
	"$MEMSPY" run -q --processors 4 $run "$BUILD/examples/tri" parallel 4 >/dev/null || echo "status $?"
	checks
	sqlite3 memspy.db 'pragma foreign_key_check'
done
echo checked

# Where functions of libraries are added to their callers, no row has less with all that it calls than by itself: functions that
# no code of the program has called keep what they cost.
"$MEMSPY" run -q --call-paths --machine dash --db run.db /bin/true || echo "status $?"
"$MEMSPY" matrix --db run.db --width 120 >matrix
grep -q '^Folded into their callers' matrix || { echo "nothing is folded"; cat matrix; }
awk '$1 == "Code" { rows = $2 == "Tot.%" && $3 == "Incl.%" }
	rows && $1 !~ /^(Code|total|rest)$/ && $2 + 0 > $3 + 0.1 { print "less with all that it calls:", $0 }
	/^Folded/ { rows = 0 }' matrix
echo ok

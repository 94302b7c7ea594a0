# In windows, paths begin where a window begins; misses of paths are scaled, and add up to all misses.
"$MEMSPY" run -q --trace callers.trace --db whole.db --l1 32K,8,64 --l2 256K,8,64 "$PROGRAMS/callers" >/dev/null
"$MEMSPY" replay -q --call-paths --sample 1/2 --window 100K --db sampled.db --l1 32K,8,64 --l2 256K,8,64 callers.trace >/dev/null
sqlite3 sampled.db "select level, sum(misses) = (select sum(first + replaced + invalidated) from miss m where m.level = p.level) from path_miss p group by level"
"$MEMSPY" callers --db sampled.db --csv touch | tr -d '\r' | awk -F, '$1 == 0 { print $2 }' | sort -u
# Runs that cannot have paths say how to get some.
"$MEMSPY" replay -q --call-paths --sample-sets 1/2 --db sets.db --l1 32K,8,64 --l2 256K,8,64 callers.trace >/dev/null
"$MEMSPY" callers --db sets.db touch || echo "status $?"
# Windows of several processors.
"$MEMSPY" replay -q --call-paths --processors 2 --sample 1/2 --window 100K --db processors.db --l1 32K,8,64 --l2 256K,8,64 callers.trace >/dev/null
"$MEMSPY" callers --db processors.db --csv touch | tr -d '\r' | awk -F, '$1 == 0 { print $2 }' | sort -u

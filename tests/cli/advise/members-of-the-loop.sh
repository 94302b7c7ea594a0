# tests/programs/loop-members.cc: the finding names the member that its loop uses, not those of other loops of main().
"$MEMSPY" run -q --db r.db --machine intel-skylake-sp --l2 256K,8,64 --ll 1M,16,64 --processors 1 "$PROGRAMS/loop-members" >/dev/null
"$MEMSPY" advise --db r.db | grep -E 'uses the member|vector<float>'

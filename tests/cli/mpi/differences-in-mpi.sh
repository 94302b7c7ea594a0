# How ranks differ in functions of MPI is shown for each of them: least, most and deviation of a sum are not known.
. "$SRC/tests/cli/mpi/lib.bash"
. "$SRC/tests/cli/ranks/lib.bash"
make_library || exit 1
for rank in 0 1 2; do
	as_rank 7 $rank 3 "$MEMSPY" run -q --machine intel-skylake-sp --processors 1 ./program $((20000 * (rank + 1)))
done
"$MEMSPY" ranks --json >ranks.json
"$MEMSPY" report --by code --top 200 | grep -c ' <MPI>$'
python3 - <<'END'
import json
bins = json.load(open("ranks.json"))["bins"]
print(any(b["code"] == "MPI_Send" for b in bins), any(b["code"].startswith("<MPI") for b in bins))
# Of three figures with this mean, one is the most: the deviation is at least that of the most and two equal ones.
print([b for b in bins if b["deviation"] < 0.99 * b["above_mean"] / 2 ** 0.5 - 1])
END
"$MEMSPY" html -o page.html && echo page

# What MPI allocates for itself and its variables are one data structure; they take no bins of the program's. What it
# allocates for the program (MPI_Alloc_mem) is the program's.
. "$SRC/tests/cli/mpi/lib.bash"
make_library || exit 1
"$MEMSPY" run -q --machine dash --max-paths 2 --db a.db ./program 10
"$MEMSPY" data --db a.db --csv >data.csv
python3 - <<'END'
import csv
rows = {r["name"]: r for r in csv.DictReader(open("data.csv"))}
for name in ("double.field", "double.halo"):
    print(name, rows[name]["reads"], rows[name]["writes"])
print("<MPI runtime>", int(rows["<MPI runtime>"]["writes"]) >= 4096)
print([n for n in rows if "libmpi" in n or "queue" in n or "{" in n])
END

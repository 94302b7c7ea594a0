# The figures of the matrix do not depend on the width of the page, which COLUMNS says, too.
export MEMSPY_DB=$("$DBS/make" matmul)
"$MEMSPY" matrix --width 200 >200.txt
for width in 40 60 80 100; do
	"$MEMSPY" matrix --width $width >$width.txt
	COLUMNS=$width "$MEMSPY" matrix >columns.txt
	cmp $width.txt columns.txt || echo "COLUMNS=$width differs"
	echo "width $width: $(sed -n 2p $width.txt | wc -w) columns"
	# Code, total and the columns that are shown are the first ones of the widest page; the rest follows.
	python3 - 200.txt $width.txt <<'END' || exit
import sys
def rows(path):
    lines = [line for line in open(path).read().split("\n\n")[0].splitlines() if line and line[0] != "P"]
    return [line.split() for line in lines]
wide, narrow = rows(sys.argv[1]), rows(sys.argv[2])
assert len(wide) == len(narrow)
for a, b in zip(wide[1:], narrow[1:]):
    assert b[1] == a[1], (a, b)
END
done
COLUMNS=nonsense "$MEMSPY" matrix | cmp - 100.txt && echo "no number: the default"

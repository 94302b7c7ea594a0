# The bounds of a gain are wider in a sampled run, whose stall time is an estimate.
for name in parallel windows; do
	"$MEMSPY" advise --db "$("$DBS/make" $name)" @1 | grep 'Predicted'
done

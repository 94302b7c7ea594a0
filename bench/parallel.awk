# bench/parallel.awk - the table of parallel programs of bench/run, from the same results as table.awk's; the
# tools memspy4 and memspy-n4 are memspy and memspy-n with four simulated processors. part: head, row (of the
# program `name`), or foot.

BEGIN {
	columns = split("native none cachegrind callgrind memspy memspy4 memspy-n memspy-n4", tool_at, " ")
	line = "%-12s %7s %7s %7s %7s %7s %7s %7s %7s   %7s %7s   %7s %7s %6s   %7s %7s %6s\n"
	if (part == "head") {
		print "\nParallel programs of four threads; memspy with one and with four simulated processors, by both front-ends:"
		printf line, "", "native", "none", "cache-", "call-", "memspy", "memspy", "mem.-n", "mem.-n", \
			"four/", "four/", "ns/ref", "ns/ref", "four/", "n: one", "n: four", "four/"
		printf line, "program", "", "", "grind", "grind", "one", "four", "one", "four", \
			"cacheg.", "callg.", "one", "four", "one", "ns/ref", "ns/ref", "one"
		exit
	}
}

!($2 in known) && (part != "row" || $2 == name) { known[$2]; order[++programs] = $2 }

$1 == "time" && (!(($2, $3) in best) || $4 < best[$2, $3]) { best[$2, $3] = $4 }
$1 == "failed" { failed[$2, $3] = $4; delete best[$2, $3] }
$1 == "count" { references[$2, $3] = $4 }

function has(p, tool) { return (p, tool) in best }

function seconds(p, tool) { return has(p, tool) ? best[p, tool] : 0 }

# Of the elapsed time of the whole run: starting up is a part of it.
function nanoseconds(p, tool) {
	return (p, tool) in references ? ratio(1e9 * seconds(p, tool), references[p, tool]) : 0
}

function ratio(a, b) { return a > 0 && b > 0 ? a / b : 0 }

function cell(value) { return value > 0 ? sprintf("%.2f", value) : "-" }

function cost(p, tool) { return ratio(nanoseconds(p, tool "4"), nanoseconds(p, tool)) }

# Who waits and how often depends on the order of the threads; the work does not. The native front-end
# sees other code of the C library than Valgrind does.
function far(p, tool, d) {
	if (!((p, tool) in references) || !((p, "cachegrind") in references))
		return 0
	d = references[p, tool] / references[p, "cachegrind"] - 1
	return d > 0.02 || d < -0.02
}

function row(p, i, text, four) {
	four = seconds(p, "memspy4")
	text = sprintf("%-12s", p)
	for (i = 1; i <= columns; i++)
		text = text sprintf(" %7s", has(p, tool_at[i]) ? sprintf("%.2f", best[p, tool_at[i]]) : "-")
	printf "%s   %7s %7s   %7s %7s %6s   %7s %7s %6s\n", text, cell(ratio(four, seconds(p, "cachegrind"))), \
		cell(ratio(four, seconds(p, "callgrind"))), cell(nanoseconds(p, "memspy")), \
		cell(nanoseconds(p, "memspy4")), cell(cost(p, "memspy")), cell(nanoseconds(p, "memspy-n")), \
		cell(nanoseconds(p, "memspy-n4")), cell(cost(p, "memspy-n"))
	for (i = 1; i <= columns; i++) {
		if ((p, tool_at[i]) in failed)
			printf "  FAILED: %s: %s\n", tool_at[i], failed[p, tool_at[i]]
		if (tool_at[i] ~ /^memspy4?$/ && far(p, tool_at[i]))
			printf "  WARNING: %s counted %.0f references, cachegrind %.0f\n", tool_at[i], \
				references[p, tool_at[i]], references[p, "cachegrind"]
	}
}

# How many programs have figures; prints their mean.
function sum_up(tool, what, i, c, sum, n, worst, worst_of) {
	for (i = 1; i <= programs; i++) {
		c = cost(order[i], tool)
		if (c > 0) { sum += log(c); n++ }
		if (c > worst) { worst = c; worst_of = order[i] }
	}
	if (n > 0)
		printf "%sa reference on four processors costs %.2f times one on one (geometric mean), " \
			"at worst %.2f (%s)\n", what, exp(sum / n), worst, worst_of
	return n
}

function foot(i, n, bad) {
	for (i = 1; i <= programs; i++)
		bad += (order[i], "memspy") in failed || (order[i], "memspy4") in failed || \
			(order[i], "memspy-n") in failed || (order[i], "memspy-n4") in failed || \
			far(order[i], "memspy") || far(order[i], "memspy4")
	n = sum_up("memspy", "")
	sum_up("memspy-n", "natively, ")
	print "Counted: " n + 0 " of " programs " programs" (n < programs ? "; the others are listed above" : "")
	return bad > 0
}

END {
	if (part == "row")
		row(name)
	else if (part == "foot")
		exit foot()
}

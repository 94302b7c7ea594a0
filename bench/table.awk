# bench/table.awk - the table of bench/run, from its results: lines of
#   time    PROGRAM TOOL SECONDS USER SYSTEM     one round
#   failed  PROGRAM TOOL WHY
#   count   PROGRAM TOOL REFERENCES MISSES       of the first level
# part: head, row (of the program `name`), foot, or json.

BEGIN {
	columns = split("native none cachegrind callgrind memspy memspy-n", tool_at, " ")
	ratios = split("memspy/cachegrind memspy/none memspy/callgrind memspy-n/cachegrind memspy-n/native", ratio_at, " ")
	if (part == "head") {
		print "memspy-n is memspy with its native front-end: the program is not under Valgrind."
		printf "%-12s %7s %7s %7s %7s %7s %8s   %7s %7s %7s %8s %8s   %6s %7s %6s\n", "", "native", \
			"none", "cache-", "call-", "memspy", "memspy-n", "memspy/", "memspy/", "memspy/", \
			"memsp-n/", "memsp-n/", "memspy", "million", "L1"
		printf "%-12s %7s %7s %7s %7s %7s %8s   %7s %7s %7s %8s %8s   %6s %7s %6s\n", "program", "", \
			"", "grind", "grind", "", "", "cacheg.", "none", "callg.", "cacheg.", "native", \
			"cores", "refs", "miss%"
		exit
	}
	for (k = 1; k <= ratios; k++) {
		split(ratio_at[k], pair, "/")
		of[k] = pair[1]
		peer[k] = pair[2]
	}
}

!($2 in known) && (part != "row" || $2 == name) { known[$2]; order[++programs] = $2 }

$1 == "time" && (!(($2, $3) in best) || $4 < best[$2, $3]) {
	best[$2, $3] = $4
	cores[$2, $3] = $4 > 0 ? ($5 + $6) / $4 : 0
}
$1 == "failed" { failed[$2, $3] = $4; delete best[$2, $3] }
$1 == "count" { references[$2, $3] = $4; misses[$2, $3] = $5 }

function has(p, tool) { return (p, tool) in best }

function ratio(p, k) {
	return has(p, of[k]) && has(p, peer[k]) && best[p, peer[k]] > 0 ? \
		best[p, of[k]] / best[p, peer[k]] : 0
}

# Columns of memspy-n are wider.
function width(tool) { return tool == "memspy-n" ? 8 : 7 }

function cell(format, value, shown) { return shown ? sprintf(format, value) : "-" }

function difference(p, what) {
	return what[p, "cachegrind"] > 0 ? \
		what[p, "memspy"] / what[p, "cachegrind"] - 1 : what[p, "memspy"] > 0
}

# Both saw the same program, so both must have seen the same references. Misses depend a little on
# where the stack and the heap lie.
function both_counted(p) { return (p, "memspy") in references && (p, "cachegrind") in references }

function far(p, what, limit, d) {
	d = both_counted(p) ? difference(p, what) : 0
	return d > limit || d < -limit
}

function compare(p) {
	if (far(p, references, 0.01))
		printf "  WARNING: memspy counted %.0f references, cachegrind %.0f (%+.1f %%)\n", \
			references[p, "memspy"], references[p, "cachegrind"], \
			100 * difference(p, references)
	if (far(p, misses, 0.05))
		printf "  WARNING: memspy counted %.0f first-level misses, cachegrind %.0f (%+.1f %%)\n", \
			misses[p, "memspy"], misses[p, "cachegrind"], 100 * difference(p, misses)
}

function row(p, i, line, r) {
	line = sprintf("%-12s", p)
	for (i = 1; i <= columns; i++)
		line = line sprintf(" %*s", width(tool_at[i]), \
			(has(p, tool_at[i]) ? sprintf("%.2f", best[p, tool_at[i]]) : "-"))
	line = line "  "
	for (i = 1; i <= ratios; i++) {
		r = ratio(p, i)
		line = line sprintf(" %*s", width(of[i]), cell("%.2f", r, r > 0))
	}
	r = references[p, "memspy"]
	printf "%s   %6s %7s %6s\n", line, cell("%.1f", cores[p, "memspy"], has(p, "memspy")), \
		cell("%.0f", r / 1e6, r > 0), cell("%.2f", r > 0 ? 100 * misses[p, "memspy"] / r : 0, r > 0)
	for (i = 1; i <= columns; i++)
		if ((p, tool_at[i]) in failed)
			printf "  FAILED: %s: %s\n", tool_at[i], failed[p, tool_at[i]]
	compare(p)
}

function foot(i, k, r, sum, n, worst, worst_of, line, worst_list) {
	line = sprintf("%-63s", "geometric mean")
	for (k = 1; k <= ratios; k++) {
		sum[k] = n[k] = 0
		for (i = 1; i <= programs; i++) {
			r = ratio(order[i], k)
			if (r > 0) { sum[k] += log(r); n[k]++ }
			if (r > worst[k]) { worst[k] = r; worst_of[k] = order[i] }
		}
		line = line sprintf(" %*s", width(of[k]), n[k] > 0 ? sprintf("%.2f", exp(sum[k] / n[k])) : "-")
	}
	print line
	for (k = 1; k <= ratios; k++)
		if (n[k] > 0)
			worst_list = worst_list sprintf("%s %.2f %s (%s)", worst_list == "" ? "worst:" : ",", \
				worst[k], ratio_at[k], worst_of[k])
	if (worst_list != "")
		print worst_list
	print "Counted: " n[1] " of " programs " programs" \
		(n[1] < programs ? "; the others are listed above" : "")
}

# memspy failed, or counted other references than the other tools.
function bad(i, n) {
	for (i = 1; i <= programs; i++)
		n += (order[i], "memspy") in failed || (order[i], "memspy-n") in failed || \
			far(order[i], references, 0.01)
	return n + 0
}

function known_or_null(format, what, p) {
	return (p, "memspy") in what ? sprintf(format, what[p, "memspy"]) : "null"
}

function json(i, k, t, p) {
	printf "{\"programs\": ["
	for (i = 1; i <= programs; i++) {
		p = order[i]
		printf "%s\n {\"name\": \"%s\", \"seconds\": {", (i > 1 ? "," : ""), p
		t = 0
		for (k = 1; k <= columns; k++)
			if (has(p, tool_at[k]))
				printf "%s\"%s\": %s", (t++ ? ", " : ""), tool_at[k], best[p, tool_at[k]]
		if (has(p, "memspy4"))
			printf ", \"memspy4\": %s", best[p, "memspy4"]
		printf "}, \"memspy_cores\": %s, \"references\": %s, \"first_level_misses\": %s}", \
			known_or_null("%.2f", cores, p), known_or_null("%.0f", references, p), \
			known_or_null("%.0f", misses, p)
	}
	print "\n]}"
}

END {
	if (part == "row")
		row(name)
	else if (part == "foot") {
		foot()
		exit bad() > 0
	} else if (part == "json")
		json()
}

# bench/overview.awk - the table of bench/overview, from its results: lines of
#   time    PROGRAM TOOL SECONDS                  one round
#   failed  PROGRAM TOOL WHY
#   count   PROGRAM REFERENCES MISSES SECONDS     of the whole run; seconds of the program in it
# part: head, row (of the program `name`), foot, or more (start, and the programs of `parallel`).

BEGIN {
	tools = split("native cachegrind callgrind whole tenth hundredth timer", tool_at, " ")
	ratios = split("whole/cachegrind whole/callgrind whole/native tenth/native hundredth/native timer/native", ratio_at, " ")
	if (part == "head") {
		line = "%-12s %7s %7s %7s %7s %7s %7s %7s   %7s %7s %7s %6s %6s %6s   %6s %6s %7s %6s\n"
		printf line, "", "native", "cache-", "call-", "run", "1/10", "1/100", "sample", "run/", "run/", "run/", \
			"1/10", "1/100", "sample", "ns a", "rest", "million", "L1"
		printf line, "program", "", "grind", "grind", "", "", "", "", "cacheg.", "callg.", "native", "", "", "", \
			"ref", "%", "refs", "miss%"
		exit
	}
}

!($2 in known) && (part != "row" || $2 == name) { known[$2]; order[++programs] = $2 }
$1 == "time" && (!(($2, $3) in best) || $4 < best[$2, $3]) { best[$2, $3] = $4 }
$1 == "failed" { failed[$2, $3] = $4; delete best[$2, $3] }
$1 == "count" { references[$2] = $3; misses[$2] = $4; inside[$2] = $5 }

function ratio(p, k, pair) {
	split(ratio_at[k], pair, "/")
	return (p, pair[1]) in best && (p, pair[2]) in best && best[p, pair[2]] > 0 ? \
		best[p, pair[1]] / best[p, pair[2]] : 0
}

function width(k) { return k <= 3 ? 7 : 6 }

function cell(format, value) { return value > 0 ? sprintf(format, value) : "-" }

# Start, names and saving: what is left of the whole run without the program.
function rest(p) {
	return inside[p] > 0 && best[p, "whole"] > inside[p] ? 100 * (best[p, "whole"] - inside[p]) / best[p, "whole"] : 0
}

function row(p, i, text) {
	text = sprintf("%-12s", p)
	for (i = 1; i <= tools; i++)
		text = text sprintf(" %7s", cell("%.2f", best[p, tool_at[i]]))
	text = text "  "
	for (i = 1; i <= ratios; i++)
		text = text sprintf(" %*s", width(i), cell("%.2f", ratio(p, i)))
	printf "%s   %6s %6s %7s %6s\n", text, \
		cell("%.1f", references[p] > 0 ? 1e9 * best[p, "whole"] / references[p] : 0), cell("%.0f", rest(p)), \
		cell("%.0f", references[p] / 1e6), cell("%.2f", references[p] > 0 ? 100 * misses[p] / references[p] : 0)
	for (i = 1; i <= tools; i++)
		if ((p, tool_at[i]) in failed)
			printf "  FAILED: %s: %s\n", tool_at[i], failed[p, tool_at[i]]
}

function foot(i, k, r, sum, n, worst, worst_of, text, list) {
	text = sprintf("%-68s  ", "geometric mean")
	for (k = 1; k <= ratios; k++) {
		sum = n = 0
		for (i = 1; i <= programs; i++) {
			r = ratio(order[i], k)
			if (r > 0) { sum += log(r); n++ }
			if (r > worst[k]) { worst[k] = r; worst_of[k] = order[i] }
		}
		text = text sprintf(" %*s", width(k), n > 0 ? sprintf("%.2f", exp(sum / n)) : "-")
		if (n > 0)
			list = list sprintf("%s %.2f %s (%s)", list == "" ? "worst:" : ",", worst[k], ratio_at[k], worst_of[k])
	}
	print text
	print list
}

function above(tool) {
	return ("start", tool) in best ? sprintf("%.0f", 1000 * (best["start", tool] - best["start", "native"])) : "-"
}

function more(names, n, i, p, r, sum, counted, text) {
	printf "\nstart and end of /bin/true, ms above native: run %s, run --sample 1/10 %s, sample %s\n", \
		above("whole"), above("tenth"), above("timer")
	n = split(parallel, names, " ")
	for (i = 1; i <= n; i++) {
		p = names[i]
		if (!((p, "one") in best) || !((p, "four") in best))
			continue
		r = best[p, "four"] / best[p, "one"]
		sum += log(r)
		counted++
		text = text sprintf(", %s %.2f", p, r)
	}
	if (counted > 0)
		printf "natively, four simulated processors / one: %.2f%s\n", exp(sum / counted), text
}

END {
	if (part == "row")
		row(name)
	else if (part == "foot")
		foot()
	else if (part == "more")
		more()
}

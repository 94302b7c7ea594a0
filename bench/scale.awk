# bench/scale.awk - the rows of one case of bench/scale, from lines of
#   NAME SIZE  SECONDS CPU OWN_KIB TOOL_KIB (of run)  SECONDS CPU OWN_KIB TOOL_KIB (of report)  BYTES
# and how it grows. part=head: the table's head.

BEGIN {
	if (part == "head") {
		printf "%-12s %9s %9s %9s %9s %9s %9s %9s %9s\n", "", "", "run", "us a unit", \
			"memspy", "bytes a", "tool", "report", "database"
		printf "%-12s %9s %9s %9s %9s %9s %9s %9s %9s\n", "case", "size", "s", "more", \
			"MB", "unit more", "MB", "s", "MB"
		exit
	}
}

{
	n++
	size[n] = $2
	cpu[n] = $4; own[n] = $5 / 1024; tool[n] = $6 / 1024
	report[n] = $8; database[n] = $11 / 1048576
	printf "%-12s %9d %9.2f %9s %9.1f %9s %9.1f %9.2f %9.1f\n", $1, size[n], cpu[n], \
		further(cpu, 1e6), own[n], further(own, 1048576), tool[n], report[n], database[n]
}

# What each unit more than in the row above has cost: starting up is in both.
function further(what, scale) {
	if (n == 1)
		return "-"
	return sprintf("%.2f", (what[n] - what[n - 1]) * scale / (size[n] - size[n - 1]))
}

# t = a + b * n^p at n = 1/4, 1/2 and 1: the constant falls out of the differences, and their
# ratio is 2^p. What grows by less than `least` is flat, whatever its curve.
function growth(what, least, low, high) {
	low = what[2] - what[1]
	high = what[3] - what[2]
	if (what[3] - what[1] < least || high <= 0)
		return "flat"
	if (low <= 0)
		return "noisy"
	return sprintf("%.2f", log(high / low) / log(2))
}

function tell(name, what, least, g) {
	g = growth(what, least)
	grows = grows sprintf("%s%s %s%s", (grows == "" ? "" : ", "), name, g, \
		(g + 0 > 1.2 ? " SUPERLINEAR" : ""))
}

END {
	if (n < 3)
		exit
	tell("run", cpu, 0.5)
	tell("memspy's memory", own, 16)
	tell("the tool's memory", tool, 16)
	tell("report", report, 0.2)
	tell("database", database, 1)
	print "  growth by " unit ": " grows
}

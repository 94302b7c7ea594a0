# bench/compile-again.awk - whether memory grows, from lines of
#   MINUTE PEAK_MB
# Each half of the run has several compilations, the minutes may have parts of them: halves are compared. What the second has more than the first is growth, unless it
# is less than a tenth or 16 MB, by which runs differ.

{ peak[++n] = $2 }

END {
	for (i = 1; i <= n; i++) {
		half = i <= n / 2 ? 1 : 2
		if (peak[i] > most[half])
			most[half] = peak[i]
	}
	printf "  peak of the first half %.1f MB, of the second %.1f MB: ", most[1], most[2]
	if (most[2] > 1.1 * most[1] && most[2] > most[1] + 16) {
		print "GROWS"
		exit 1
	}
	print "flat"
}

// intervals.js - intervals of the figures of a sampled run. In tables the 95% interval is shown below its figure,
// as an attribute that tables.css displays: cells that are reused stay plain text.

// Whether anything in the run has intervals.
function isSampled(run) {
	return Boolean(run.run.sampling || run.run.hardware || isMeasured(run));
}

// The interval {low, high} of a figure of a row; null: there is none. figure: as docs/formats/report-json.md names it
// below "intervals" ("stall_share", "levels.0.miss_rate"); runs sampled on the real machine have one of their share.
function boundsOf(run, of, row, figure) {
	// Time of joined runs was measured; their other figures have intervals if windows were simulated.
	const hardware = Boolean(run.run.hardware) || (isMeasured(run) && (figure === "stall_share" || !run.run.sampling)),
		table = hardware ? run.tables[of] : run.tables.intervals,
		at = hardware ? row : run.intervalRow(of, row);
	if (row < 0 || at === undefined || (hardware && figure !== "stall_share")) return null;
	const path = hardware ? "share_" : figure + ".",
		low = table.get(at, path + "low");
	return low === null ? null : { low, high: table.get(at, path + "high") };
}

// The same for an entry of the commands' JSON, such as a source line.
function boundsIn(run, entry, figure) {
	if (isMeasured(run) && figure === "stall_share" && entry.measured && entry.measured.share_low !== null)
		return { low: entry.measured.share_low, high: entry.measured.share_high };
	if (!run.run.hardware) return entry.intervals ? pathOf(entry.intervals, figure) : null;
	return figure === "stall_share" && entry.share_low !== null && entry.share_low !== undefined
		? { low: entry.share_low, high: entry.share_high }
		: null;
}

// "12.3–14.5%"
function between(bounds, text, unit) {
	if (bounds === null || bounds.high === 0) return ""; // no window has any: the true number need not be 0
	const low = text(bounds.low),
		high = text(bounds.high);
	return (low === high ? low : low + "\u2013" + high) + (unit || "");
}

function betweenShares(bounds, digits = 1) {
	return between(bounds, (v) => (v * 100).toFixed(digits), "%");
}

// Of a count; or of a share, multiplied by all.
function betweenCounts(bounds, all = 1) {
	return between(bounds, (v) => count(Math.round(v * all)));
}

// Of references: their share, multiplied by the range of all references if these were not counted.
function betweenReferences(run, bounds) {
	const all = run.total("references.read") + run.total("references.write"),
		s = run.run.sampling;
	if (bounds === null || !isEstimate(s)) return betweenCounts(bounds, all);
	const part = all / s.total;
	return betweenCounts({ low: bounds.low * part * s.total_low, high: bounds.high * part * s.total_high });
}

function isEstimate(sampling) {
	return Boolean(sampling) && sampling.total > 0 && sampling.total_low < sampling.total_high;
}

// For an entry of the commands' JSON, in a table of a sampled run.
function betweenIn(run, figure) {
	return run.run.sampling ? (e) => betweenCounts(boundsIn(run, e, figure)) : null;
}

function betweenMeans(bounds) {
	return between(bounds, (v) => fixed(v, 1));
}

// Next to a figure in a sentence.
function intervalText(text) {
	return text ? h("span", { class: "interval", title: HELP.interval }, " 95%: " + text) : null;
}

const CAUSE_INTERVALS =
	"A line that occurs in no earlier window may have been used between windows: first references are at most all such lines, extrapolated, or the lines of the data, and replacements are the remaining misses.";

// What the intervals of a part mean, and which figures have none.
const NO_INTERVALS = {
	overview:
		"Normalized time and the bars of functions have no intervals of their own: the parts Code and Threads have those of compute and stall time.",
	matrix:
		CAUSE_INTERVALS +
		" Shares of a cause have none, its numbers do. The rest row and column, which are differences of the figures shown, have none (memspy report has those of its rest), nor have pairs after the first 2000 (memspy show has them).",
	code:
		CAUSE_INTERVALS +
		" Compute time is assumed to vary between windows like the references of the same lines; if all instructions were counted it is exact and has none. Code without references has none. Normalized time has none: windows do not show which processors were busy between them.",
	data:
		CAUSE_INTERVALS +
		" Shares of the caches have none: they are the contents that windows found. Evictors are those in windows; <not seen> is what evicted data between windows. Objects and sizes are exact: allocations are recorded between windows, too.",
	source: "",
	evictions:
		"Intervals are of numbers of lines, not of shares. Evictions by data, and of data, are at most the lines that its misses bring in, and at least these minus the capacity of the level; each of its lines may have been brought in once more between windows. A pair is assumed to vary between windows like the misses of the evicting data, by the square root of its share in them, plus a quarter, and never exceeds the misses of either. The line that an unknown reference evicts is not known either: a pair may have all of those of its evictor, or none. Fewer than ten simulated events have no interval.",
	timeline:
		"Steps and misses here are those in windows, not estimates for the whole program. Misses of a slice are assumed to vary between windows like all misses of their data, by the square root of their share in them, plus a quarter; the interval is that of the misses in that part of the program, a tenth of it if a tenth was simulated.",
	sharing:
		"An invalidation miss is certain if the processor had used the line in the same window; otherwise the line may have been lost in another way. Parts of these misses, such as those of one line, are assumed to vary between windows like all of them, by the square root of their share, plus a quarter. Fewer than ten simulated events have no interval.",
	threads:
		"Compute time is assumed to vary between windows like the references of the same lines, plus or minus a window; if all instructions were counted it is exact. A thread is assumed to vary like its processor, by the square root of its share in it, plus a quarter. Waiting and busy processors between windows are not recorded: with several processors waiting, idle and normalized time have no intervals.",
};
// Shown without opening the note.
const NOTES = {
	evictions: "the small figures are 95% intervals of numbers of lines, not of shares",
	data: "the small figures are 95% intervals. Shares of the caches have none: they are the contents that windows found",
	overview: "the small figures are 95% intervals. The bars of functions have none",
	matrix: "the small figures are 95% intervals. The rest, and shares of a cause, have none",
	code: "the small figures are 95% intervals. Compute time of code without references has none",
	timeline:
		"the band is the 95% interval of the misses of all data. Contents of a cache have none: a window finds what earlier windows have left, which is not a sample of what the program had there",
	sharing: "the small figures are 95% intervals. Stall cycles and answering caches have none: windows do not record which cache answered",
	threads: "the small figures are 95% intervals. Waiting, idle and normalized time of several processors have none",
};

function noteOf(run, part) {
	const plain = "the small figures are 95% intervals";
	return run.run.hardware || !run.run.sampling ? plain : NOTES[part] || plain;
}

// The same for the details of one entry.
function detailNote(run) {
	if (!run.run.sampling) return null;
	return h(
		"p",
		{ class: "quiet" },
		"Sampled: " +
			(run.several
				? "false and true sharing and answering caches have no intervals here (the part Sharing has those of sharing), nor have "
				: "without intervals are ") +
			"stall cycles per read and per write.",
	);
}

function samplingNote(run, part) {
	if (!isSampled(run)) return null;
	const shares = run.run.hardware || !run.run.sampling;
	const meaning = shares
			? "The 95% interval of a share is below it: with a probability of 95% it contains the true share."
			: "The 95% interval of a figure is below it: with a probability of 95% it contains the true figure, including the error of the estimate for references of which windows do not know whether they hit. Figures that occur in no window or in few have none." +
				(isEstimate(run.run.sampling)
					? " Intervals of counts include the range of the number of all references."
					: " All references of the program were counted.");
	return h(
		"details",
		{ class: "sampling-note" },
		h("summary", {}, (isMeasured(run) ? "Measured: " : "Sampled: ") + noteOf(run, part)),
		h("p", {}, meaning + " ", shares ? "" : NO_INTERVALS[part]),
	);
}

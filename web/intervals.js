// intervals.js - how far the figures of a sampled run may be off. In tables the 95 % interval stands below its figure,
// as an attribute that tables.css shows: cells that are used again stay plain text.

// Whether anything in the run has intervals.
function isSampled(run) {
	return Boolean(run.run.sampling || run.run.hardware);
}

// The interval {low, high} of a figure of a row; null: there is none. figure: as docs/formats/report-json.md names it
// below "intervals" ("stall_share", "levels.0.miss_rate"); runs sampled on the real machine have one of their share.
function boundsOf(run, of, row, figure) {
	const hardware = Boolean(run.run.hardware),
		table = hardware ? run.tables[of] : run.tables.intervals,
		at = hardware ? row : run.intervalRow(of, row);
	if (row < 0 || at === undefined || (hardware && figure !== "stall_share")) return null;
	const path = hardware ? "share_" : figure + ".",
		low = table.get(at, path + "low");
	return low === null ? null : { low, high: table.get(at, path + "high") };
}

// Likewise of an entry of the commands' JSON, such as a line of source.
function boundsIn(run, entry, figure) {
	if (!run.run.hardware) return entry.intervals ? pathOf(entry.intervals, figure) : null;
	return figure === "stall_share" && entry.share_low !== null && entry.share_low !== undefined
		? { low: entry.share_low, high: entry.share_high }
		: null;
}

// "12.3–14.5%"
function between(bounds, text, unit) {
	if (bounds === null || bounds.high === 0) return ""; // what no window has met is not known to be none
	const low = text(bounds.low),
		high = text(bounds.high);
	return (low === high ? low : low + "\u2013" + high) + (unit || "");
}

function betweenShares(bounds, digits = 1) {
	return between(bounds, (v) => (v * 100).toFixed(digits), "%");
}

// Of a count; or of a share, times all.
function betweenCounts(bounds, all = 1) {
	return between(bounds, (v) => count(Math.round(v * all)));
}

// Of references: their share, times as many as there may have been where nobody has counted them.
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

// Of an entry of the commands' JSON, in a table of a sampled run.
function betweenIn(run, figure) {
	return run.run.sampling ? (e) => betweenCounts(boundsIn(run, e, figure)) : null;
}

function betweenMeans(bounds) {
	return between(bounds, (v) => fixed(v, 1));
}

// Beside a figure in a sentence.
function intervalText(text) {
	return text ? h("span", { class: "interval", title: HELP.interval }, " 95 %: " + text) : null;
}

const CAUSE_INTERVALS =
	"A line that no window has seen before may have been used between windows: first references are at most all such lines, times what each stands for, or as many as the data has, and replacements what is left of the misses.";

// What the small figures of a part are, and what has none.
const NO_INTERVALS = {
	overview:
		"Normalised time and the bars of functions have no interval of their own: the parts Code and Threads have those of computing and of stall time.",
	matrix:
		CAUSE_INTERVALS +
		" Shares of a cause have none, its numbers do. Nor have the rest row and column, which are differences of what is shown (memspy report has those of its rest), and pairs behind the first 2000: memspy show has those.",
	code:
		CAUSE_INTERVALS +
		" Computing differs from window to window as the references of the same lines do; where all instructions were counted it is exact, and has none, nor has code without references. Normalised time has none: windows do not tell who was busy between them.",
	data:
		CAUSE_INTERVALS +
		" Shares of the caches have none: they are what windows found there. What pushes data out is named of what windows saw; <not seen> stands where they saw nothing do it. Objects and sizes are exact: allocations are seen outside of windows, too.",
	source: "",
	evictions:
		"Intervals are of numbers of lines, not of shares. What data pushes out, and what is pushed out of it, is at most as many lines as its misses bring in, and at least these without what the level has room for; each of its lines may have come in once more where no window was. A pair is taken to differ from window to window as the misses of the evicting data do, by the root of its part in them, and a quarter more, and is never more than the misses of either. Of misses that nobody is sure of, the line that they push out is not known either: a pair may have all of those of its evictor, or none. What was seen less than ten times has no interval.",
	timeline:
		"Steps and misses here are those in windows, not estimates for the whole program. Misses of a slice are taken to differ from window to window as all misses of their data do, by the root of their part in them, and a quarter more; the interval is that of the misses in that stretch of the program, a tenth of it where a tenth was seen.",
	sharing:
		"A miss because of another processor is sure where the missing one had used the line in the same window; else it may have lost the line otherwise. Some of all such misses, as those of one line, are taken to differ from window to window as all do, by the root of their part, and a quarter more. What was seen less than ten times has no interval.",
	threads:
		"Computing differs from window to window as the references of the same lines do, and a window more or less; where all instructions were counted it is exact. A thread is taken to differ as its processor does, by the root of its part in it, and a quarter more. Who waited between windows, and who was busy then, nobody saw: of several processors waiting, idle and normalised time have none.",
};
// What a reader should know without opening the note.
const NOTES = {
	evictions: "the small figures are 95 % intervals of numbers of lines, not of shares",
	data: "the small figures are 95 % intervals. Shares of the caches have none: they are what windows found there",
	overview: "the small figures are 95 % intervals. The bars of functions have none",
	matrix: "the small figures are 95 % intervals. The rest, and shares of a cause, have none",
	code: "the small figures are 95 % intervals. Code without references has none of its computing",
	timeline:
		"the band is the 95 % interval of all data's misses. What is in a cache has none: a window finds there what earlier windows have left, which is no sample of what the program had there",
	sharing: "the small figures are 95 % intervals. Stall cycles and who answered have none: windows do not keep apart whose cache answered",
	threads: "the small figures are 95 % intervals. Waiting, idle and normalised time of several processors have none",
};

function noteOf(run, part) {
	const plain = "the small figures are 95 % intervals";
	return run.run.hardware ? plain : NOTES[part] || plain;
}

// Likewise of the details of one thing.
function detailNote(run) {
	if (!run.run.sampling) return null;
	return h(
		"p",
		{ class: "quiet" },
		"Sampled: " +
			(run.several
				? "false and true sharing and who answered have no intervals here (the part Sharing has those of sharing), nor have "
				: "no intervals have ") +
			"stall cycles of reads and of writes for each of them.",
	);
}

function samplingNote(run, part) {
	if (!isSampled(run)) return null;
	const meaning = run.run.hardware
			? "Below a share stands its 95 % interval: in 95 of 100 cases the true one lies there."
			: "Below a figure stands its 95 % interval: in 95 of 100 cases the true one lies there, if every reference of which nobody knows whether it hit may have done either. What no or few windows have met has none." +
				(isEstimate(run.run.sampling)
					? " In counts stands, too, how far the number of all references may be off."
					: " All references of the program were counted.");
	return h(
		"details",
		{ class: "sampling-note" },
		h("summary", {}, "Sampled: " + noteOf(run, part)),
		h("p", {}, meaning + " ", run.run.hardware ? "" : NO_INTERVALS[part]),
	);
}

// in_range.js - what is known of a range of time in parts whose own figures are of the whole run. Slices have the misses of
// pairs of code and data and of lines, with their causes, and the latency of threads.

const IN_RANGE_ROWS = 30;

// Of rows {value}, those with the most.
function mostOf(rows) {
	return rows
		.filter((e) => e.value > 0)
		.sort((a, b) => b.value - a.value)
		.slice(0, IN_RANGE_ROWS);
}

// Rows of a table of the range with the most of a figure: [{i, value}].
function mostInRange(table, figure) {
	return mostOf(Array.from({ length: table.length }, (_, i) => ({ i, value: figure(i) || 0 })));
}

function wholeRunNote(words) {
	return h("p", { class: "whole-run" }, words);
}

function inRangeTable(caption, note, rows, columns, words, address) {
	return [
		h("h3", {}, caption),
		h("p", { class: "quiet" }, note),
		rows.length > 0 ? new ListTable({ caption, rows, words, address, columns }).element : h("p", {}, "Nothing is recorded for this range."),
	];
}

function stallInRange(part, table) {
	return {
		key: "stall",
		label: "Stall",
		help: "stall",
		value: (e) => e.value,
		cell: (e) => percent(table.get(e.i, "stall_cycles"), part.totals.stall_cycles),
	};
}

// Misses of a level by cause; get(path) has the figures.
function causesInRange(get, level) {
	return causesBar((path) => Math.round(get(path) || 0), level, () => null);
}

function levelsInRange(part) {
	if (!part.rangeCauses) return null;
	const get = (path) => (path.includes(".causes.") ? part.total(path) : 0);
	return [
		h("h3", {}, "Cache levels in this range"),
		h(
			"div",
			{ class: "cards", id: "levels-in-range" },
			part.totals.levels.map((level, l) =>
				h("article", { class: "card" }, h("h4", {}, level.name), h("p", {}, h("b", {}, count(Math.round(level.misses.read))), " misses"), causesInRange(get, l)),
			),
		),
	];
}

// What the range waited for. A model of time has parts of the whole run: those of a level, or memory, by the misses that it
// answered, others by the stall time.
function waitingInRange(part) {
	const run = part.whole,
		misses = (of, l) => (of.levels[l] ? of.total("levels." + l + ".misses.read") + of.total("levels." + l + ".misses.write") : 0),
		answered = (of, l) => misses(of, l) - misses(of, l + 1),
		all = part.totals.stall_cycles / run.totals.stall_cycles,
		level = (p) => run.levels.findIndex((_, l) => p.of === "series-" + (l + 1)),
		rate = (l) => (l < 0 ? all : Math.max(0, answered(part, l)) / Math.max(1, answered(run, l))),
		parts = hasParts(run) ? waitingParts(run).map((p) => Object.assign(p, { value: p.value * rate(level(p)) })) : waitingParts(part),
		sum = parts.reduce((s, p) => s + p.value, 0);
	return parts.map((p) => Object.assign(p, { value: (p.value * part.totals.stall_cycles) / sum })).filter((p) => p.value > 0);
}

function timeInRange(part) {
	const slices = slicesOf(part.whole),
		{ from, to } = part.range,
		compute = part.whole.totals.compute_cycles * ((slices.ends[to - 1] - slices.start(from)) / slices.steps);
	return h(
		"section",
		{ id: "time-in-range" },
		h("h3", {}, "Time of this range"),
		h("p", { class: "quiet" }, "Estimated: computing by the steps of the range, waiting by its misses."),
		timeParts(part.whole, compute, waitingInRange(part)),
	);
}

function overviewInRange(part) {
	const run = part.whole;
	return [
		warnings(run),
		timeInRange(part),
		heatMap(part),
		timeByCode(part),
		levelsInRange(part),
		pairsInRange(part),
		wholeRunNote("Findings, phases and what follows are not stored by time: they are of the whole run."),
		findingsPart(run),
		phasesPart(run),
		unattributedPart(run),
		facts(run),
		helpFor("overview"),
	];
}

function pairsInRange(part) {
	const t = part.bins,
		code = (e) => t.get(e.i, "code"),
		data = (e) => t.get(e.i, "data"),
		words = (e) => part.dataName(data(e)) + " in " + part.codeName(code(e));
	return inRangeTable(
		"Waiting in this range",
		"Shares of the stall time of the range, estimated from its misses.",
		mostInRange(t, (i) => t.get(i, "stall_cycles")),
		[{ key: "name", label: "Data in code", text: true, value: words, cell: (e) => name(words(e)) }, stallInRange(part, t)],
		words,
		(e) => "#" + binAddress(part, code(e), data(e)),
	);
}

// Figures of each level, by the part of their name after it.
function levelColumns(part, figure, help, get) {
	return part.levels.map((level, l) => {
		const value = (e) => get(e, "levels." + l + "." + figure);
		return { key: level.name + figure, label: level.name, help, value, cell: (e) => count(Math.round(value(e))) };
	});
}

function sumOfLevels(part, figure, get) {
	return part.levels.reduce((sum, _, l) => sum + (get("levels." + l + "." + figure) || 0), 0);
}

// A table of the range with a figure of each level: of data, or of pairs.
function dataByLevel(part, caption, note, figure, help, more = []) {
	const t = part.dataTable,
		words = (e) => part.dataName(e.i),
		get = (e, path) => t.get(e.i, path);
	return inRangeTable(
		caption,
		note,
		mostInRange(t, (i) => sumOfLevels(part, figure, (path) => t.get(i, path))),
		[{ key: "name", label: "Data", text: true, value: words, cell: (e) => name(words(e)) }].concat(levelColumns(part, figure, help, get), more),
		words,
		(e) => "#" + dataAddress(part, e.i),
	);
}

function pairsByLevel(part, caption, note, figure, help, more = []) {
	const t = part.bins,
		code = (e) => t.get(e.i, "code"),
		data = (e) => t.get(e.i, "data"),
		words = (e) => part.dataName(data(e)) + " in " + part.codeName(code(e)),
		get = (e, path) => t.get(e.i, path);
	return inRangeTable(
		caption,
		note,
		mostInRange(t, (i) => sumOfLevels(part, figure, (path) => t.get(i, path))),
		[{ key: "name", label: "Data in code", text: true, value: words, cell: (e) => name(words(e)) }].concat(levelColumns(part, figure, help, get), more),
		words,
		(e) => "#" + binAddress(part, code(e), data(e)),
	);
}

// Lines of source, where slices have them.
function linesByLevel(part, caption, figure, help) {
	const at = new Map(part.figures.map((path, k) => [path, k]));
	if (!hasLinesByTime(part)) return null;
	const rows = Array.from(slicesOf(part.whole).linesIn(part.range.from, part.range.to), ([key, sums]) => {
			const [file, line] = key.split("\n");
			return { file, line: Number(line), sums, value: sumOfLevels(part, figure, (path) => sums[at.get(path)]) };
		}),
		words = (e) => baseName(e.file) + ":" + e.line;
	return inRangeTable(
		caption,
		"Each slice has the lines with the most latency.",
		mostOf(rows),
		[{ key: "line", label: "Line", text: true, value: words, cell: (e) => sourceLink(part, e.file, e.line) }].concat(levelColumns(part, figure, help, (e, path) => e.sums[at.get(path)])),
		words,
	);
}

// A line that comes into a full cache evicts another one.
function evictorsInRange(part) {
	return [
		dataByLevel(
			part,
			"Data that brought lines in",
			"Misses in this range, by level. Each line that comes in evicts one as soon as its set is full; what it evicted is not stored by time.",
			"misses.read",
			"misses",
		),
		linesByLevel(part, "Where lines came in", "misses.read", "misses"),
	];
}

// Of the stall of a pair, the part of its invalidation misses, by latency.
function invalidationStall(part, bin) {
	const by = latencyByCause(part, bin, false),
		all = Array.from(by.values()).reduce((sum, cycles) => sum + cycles, 0);
	return all > 0 ? (part.bins.get(bin, "stall_cycles") * (by.get("invalidation") || 0)) / all : 0;
}

// False sharing of data, as in the whole run.
function falseSharingOf(part) {
	const rates = new Map(part.data.sharing.data.map((d) => [d.name, d.misses > 0 ? d.false_sharing / d.misses : 0]));
	return (e) => (rates.has(part.dataName(e.i)) ? rates.get(part.dataName(e.i)) : null);
}

function sharersInRange(part) {
	const slices = slicesOf(part.whole),
		at = new Map(part.figures.map((path, k) => [path, k])),
		rows = Array.from(slices.byProcessor.keys(), (processor) => {
			const sums = slices.sumsIn(part.range.from, part.range.to, processor);
			return { processor, sums, value: sumOfLevels(part, "causes.invalidation", (path) => sums[at.get(path)]) };
		}),
		words = (e) => processorWords(part, e.processor);
	return inRangeTable("Processors that missed", "With the threads that ran there last.", mostOf(rows), [
		{ key: "processor", label: "Processor", text: true, value: words, cell: (e) => name(words(e)) },
	].concat(levelColumns(part, "causes.invalidation", "invalidation", (e, path) => e.sums[at.get(path)])), words);
}

function sharingInRange(part) {
	const figure = "causes.invalidation",
		rate = falseSharingOf(part),
		stall = (e) => invalidationStall(part, e.i);
	if (!part.rangeCauses) return h("p", {}, "Causes of misses are not stored by time in this run.");
	if (sumOfLevels(part, figure, (path) => part.total(path)) === 0) return h("p", {}, "No processor missed in this range because another one had written the line.");
	return [
		dataByLevel(part, "Data shared in this range", "Invalidation misses by level. The share of false sharing is that of the whole run.", figure, "invalidation", [
			{ key: "false", label: "False", help: "false_sharing", value: rate, cell: (e) => (rate(e) === null ? "" : share(rate(e))) },
		]),
		pairsByLevel(part, "Data in code", "Invalidation misses by level, and the share of the range's stall that they have, estimated.", figure, "invalidation", [
			{ key: "stall", label: "Stall", help: "stall", value: stall, cell: (e) => percent(stall(e), part.totals.stall_cycles) },
		]),
		sharersInRange(part),
		linesByLevel(part, "Lines of source that missed", figure, "invalidation"),
	];
}

// Whether slices have lines of source: those of older runs have none, nor code without debug information.
function hasLinesByTime(part) {
	const t = part.tables.slice_lines;
	return Boolean(t) && t.length > 0;
}

function functionsInRange(part, note) {
	const t = part.code,
		words = (e) => part.codeName(e.i);
	return inRangeTable(
		"Functions in this range",
		note,
		mostInRange(t, (i) => t.get(i, "stall_cycles")),
		[
			{ key: "name", label: "Function", text: true, value: words, cell: (e) => name(words(e)) },
			{ key: "file", label: "Begins at", text: true, value: (e) => t.get(e.i, "file") || "", cell: (e) => sourceLink(part, t.get(e.i, "file"), t.get(e.i, "line")) },
			stallInRange(part, t),
		],
		words,
		(e) => "#" + codeAddress(part, e.i),
	);
}

function threadName(run, thread) {
	const all = run.data.threads ? run.data.threads.threads : [],
		found = all.find((t) => t.thread === thread);
	return "thread " + thread + (found && found.name ? " (" + found.name + ")" : "");
}

// Latency of misses of threads, or processors: [[what, words]].
function latencyTable(part, caption, note, label, rows) {
	const all = slicesOf(part.whole).latencyIn(part.range.from, part.range.to);
	return inRangeTable(caption, note, mostOf(rows), [
		{ key: "name", label, text: true, value: (e) => e.words, cell: (e) => name(e.words) },
		{ key: "latency", label: "Cycles", value: (e) => e.value, cell: (e) => count(Math.round(e.value)) },
		{ key: "share", label: "Share", value: (e) => e.value, cell: (e) => percent(e.value, all) },
	]);
}

function threadsInRange(part) {
	const slices = slicesOf(part.whole),
		{ from, to } = part.range,
		sum = (row) => row.subarray(from, to).reduce((s, v) => s + v, 0),
		threads = Array.from(slices.byThread, ([thread, row]) => ({ words: threadName(part, thread), value: sum(row) })),
		processors = Array.from(slices.byProcessor, ([processor, row]) => ({ words: processorWords(part, processor), value: sum(row) })),
		all = slices.latencyIn(from, to),
		rest = all - threads.reduce((s, e) => s + e.value, 0);
	if (threads.length > 0 && rest > all * 0.001) threads.push({ words: "other threads", value: rest });
	return [
		threads.length > 0
			? latencyTable(part, "Latency of misses by thread in this range", "Before overlap with other work; the lanes of the timeline show its course.", "Thread", threads)
			: h("p", {}, "Latency by thread is not stored by time in this run."),
		part.several && latencyTable(part, "Latency of misses by processor in this range", "With the threads that ran there last.", "Processor", processors),
		functionsInRange(part, "Estimated from their misses in this range."),
	];
}

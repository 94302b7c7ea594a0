// in_range.js - what is known of a range of time in parts whose own figures are of the whole run. Slices have the misses of
// pairs of code and data and of lines, with their causes, and the latency of threads.

const IN_RANGE_ROWS = 30;

// Rows of a table of the range with the most of a figure: [{i, value}].
function mostInRange(table, path) {
	return Array.from({ length: table.length }, (_, i) => ({ i, value: table.get(i, path) || 0 }))
		.filter((e) => e.value > 0)
		.sort((a, b) => b.value - a.value)
		.slice(0, IN_RANGE_ROWS);
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

// Levels, and the pairs of code and data that waited.
function overviewInRange(part) {
	return [levelsInRange(part), pairsInRange(part)];
}

function pairsInRange(part) {
	const t = part.bins,
		code = (e) => t.get(e.i, "code"),
		data = (e) => t.get(e.i, "data"),
		words = (e) => part.dataName(data(e)) + " in " + part.codeName(code(e));
	return inRangeTable(
		"Waiting in this range",
		"Shares of the stall time of the range, estimated from its misses.",
		mostInRange(t, "stall_cycles"),
		[{ key: "name", label: "Data in code", text: true, value: words, cell: (e) => name(words(e)) }, stallInRange(part, t)],
		words,
		(e) => "#" + binAddress(part, code(e), data(e)),
	);
}

// A line that comes into a full cache evicts another one.
function evictorsInRange(part) {
	const t = part.dataTable,
		words = (e) => part.dataName(e.i);
	return inRangeTable(
		"Data that brought lines in",
		"Misses in this range, by level. Each line that comes in evicts one as soon as its set is full; what it evicted is not stored by time.",
		mostInRange(t, "levels.0.misses.read"),
		[{ key: "name", label: "Data", text: true, value: words, cell: (e) => name(words(e)) }].concat(
			part.levels.map((level, l) => ({
				key: level.name,
				label: level.name,
				help: "misses",
				value: (e) => t.get(e.i, "levels." + l + ".misses.read"),
				cell: (e) => count(Math.round(t.get(e.i, "levels." + l + ".misses.read"))),
			})),
		),
		words,
		(e) => "#" + dataAddress(part, e.i),
	);
}

// Whether slices have lines of source: those of older runs have none, nor code without debug information.
function hasLinesByTime(part) {
	const t = part.tables.slice_lines;
	return Boolean(t) && t.length > 0;
}

// Functions, where slices have no lines.
function functionsInRange(part) {
	const t = part.code,
		words = (e) => part.codeName(e.i);
	return inRangeTable(
		"Functions in this range",
		"Slices of this run have functions, not lines.",
		mostInRange(t, "stall_cycles"),
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

function threadsInRange(part) {
	const slices = slicesOf(part),
		{ from, to } = part.range,
		rows = Array.from(slices.byThread, ([thread, latency]) => ({ thread, value: latency.subarray(from, to).reduce((s, v) => s + v, 0) })).filter((e) => e.value > 0),
		all = slices.latencyIn(from, to),
		rest = all - rows.reduce((s, e) => s + e.value, 0),
		words = (e) => (e.thread === null ? "other threads" : threadName(part, e.thread));
	if (slices.byThread.size === 0) return null;
	if (rest > all * 0.001) rows.push({ thread: null, value: rest });
	rows.sort((a, b) => b.value - a.value);
	return inRangeTable("Latency of misses by thread in this range", "Before overlap with other work; the lanes of the timeline show its course.", rows, [
		{ key: "name", label: "Thread", text: true, value: words, cell: (e) => name(words(e)) },
		{ key: "latency", label: "Cycles", value: (e) => e.value, cell: (e) => count(Math.round(e.value)) },
		{ key: "share", label: "Share", value: (e) => e.value, cell: (e) => percent(e.value, all) },
	]);
}

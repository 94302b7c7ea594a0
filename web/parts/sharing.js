// sharing.js - sharing misses between processors.

function processorList(list) {
	const runs = [];
	for (const p of list) {
		const last = runs[runs.length - 1];
		if (last && last[1] === p - 1) last[1] = p;
		else runs.push([p, p]);
	}
	return runs.map(([a, b]) => (a === b ? String(a) : a + "-" + b)).join(",");
}

// In a sampled run: the interval of a number of misses.
function sharedBetween(entry, figure) {
	return entry.intervals ? betweenCounts(entry.intervals[figure]) : "";
}

function sharedColumns(run) {
	const between = (figure) => (run.run.sampling ? (d) => sharedBetween(d, figure) : null);
	return [
		{
			key: "stall",
			label: "Stall",
			help: "stall",
			value: (d) => d.stall_cycles,
			cell: (d) => share(d.stall_share),
		},
		{ key: "misses", label: "Misses", help: "invalidation", value: (d) => d.misses, between: between("misses") },
		{
			key: "false",
			label: "False sharing",
			help: "false_sharing",
			value: (d) => d.false_sharing,
			between: between("false_sharing"),
		},
		{ key: "true", label: "True sharing", value: (d) => d.true_sharing, between: between("true_sharing") },
		{ key: "peer", label: "Other cache", help: "peer", value: (d) => d.peer },
	];
}

// Processors that use a line have colors of their own, in the order of their numbers.
function processorsOfLine(line) {
	return Array.from(new Set(line.accesses.flatMap((a) => a.processors))).sort((a, b) => a - b);
}

function processorColor(all, processor) {
	const at = all.indexOf(processor);
	return at < MOST_COLORS ? "series-" + at : "others";
}

// "processor 2 (work)", with the threads that ran there last.
function processorWords(run, processor) {
	const threads = run.data.threads ? run.data.threads.threads.filter((t) => t.processor === processor) : [];
	return "processor " + processor + (threads.length ? " (" + threads.map((t) => t.name || "thread " + t.thread).join(", ") + ")" : "");
}

function accessWords(a) {
	const place = a.field ? (a.field.startsWith("[") ? "" : ".") + a.field : a.object_offset === null ? "" : "+" + a.object_offset;
	return a.access + " of " + a.data + place + " at byte " + a.offset + ", processors " + processorList(a.processors) + ", " + a.code;
}

const LINE_LANE = 12; // height of reads, and of writes

// One access: a part of its height for each processor.
function accessShapes(a, bytes, all) {
	const lanes = a.access === "read" ? [0] : a.access === "write" ? [1] : [0, 1], // an instruction may do both
		high = (LINE_LANE - 1) / a.processors.length,
		width = Math.max(4, Math.min(a.size, bytes - a.offset) * 10 - 1);
	return lanes.flatMap((lane) =>
		a.processors.map((p, k) =>
			svg(
				"rect",
				{ x: a.offset * 10, y: lane * LINE_LANE + k * high, width, height: high, class: "fill-" + processorColor(all, p) },
				svg("title", {}, accessWords(a)),
			),
		),
	);
}

// The bytes of one memory line: which processors read (above) and write (below) them.
function linePicture(run, line) {
	const bytes = run.levels[0].line,
		all = processorsOfLine(line);
	return svg(
		"svg",
		{
			class: "memory-line",
			viewBox: "0 0 " + bytes * 10 + " " + 2 * LINE_LANE,
			role: "img",
			preserveAspectRatio: "none",
			"aria-label": "Bytes of the line: " + line.accesses.map(accessWords).join("; "),
		},
		svg("rect", { class: "frame", width: bytes * 10, height: 2 * LINE_LANE }),
		line.accesses.map((a) => accessShapes(a, bytes, all)),
	);
}

// The picture and what its colors mean.
function lineWithLegend(run, line) {
	const all = processorsOfLine(line),
		element = h("div", { class: "line-picture" });
	return add(element, [
		linePicture(run, line),
		legend(
			all
				.slice(0, MOST_COLORS)
				.map((p) => ({ of: processorColor(all, p), label: processorWords(run, p) }))
				.concat(all.length > MOST_COLORS ? { of: "others", label: "other processors" } : []),
		),
		pictureIn("Reads above, writes below, of line 0x" + line.address.toString(16), () => element),
	]);
}

const SHARED_OF_DATA = 3; // lines that details show

// The lines of data that processors take from each other, in its details; null: there are none, or they are not in the page.
function sharedLinesOf(run, data) {
	const wanted = run.dataName(data),
		all = run.several && run.data.sharing ? run.data.sharing.lines.filter((l) => l.address !== null && l.accesses.some((a) => a.data === wanted)) : [];
	if (all.length === 0) return null;
	return h(
		"section",
		{ id: "shared-lines" },
		h("h4", {}, "Shared lines"),
		h("p", { class: "quiet" }, "Bytes of a line of memory by processor: reads above, writes below. Colors side by side are different bytes, which can be separated; one above the other, the same ones."),
		all.slice(0, SHARED_OF_DATA).map((line) => [
			h("p", {}, h("code", {}, "0x" + line.address.toString(16)), ": ", count(line.misses), missWord(line.misses), ", ", percent(line.false_sharing, line.misses), " false sharing, ", share(line.stall_share), " of stall"),
			lineWithLegend(run, line),
			h("p", { class: "quiet" }, fieldsOfLine(line)),
		]),
		all.length > SHARED_OF_DATA && h("p", { class: "quiet" }, "and ", link("sharing", plural(all.length - SHARED_OF_DATA, "more line"))),
	);
}

// "[1].count (processor 2), [2].count (processor 3)".
function fieldsOfLine(line) {
	const by = new Map();
	for (const a of line.accesses) {
		const key = a.field || "byte " + a.offset;
		by.set(key, new Set([...(by.get(key) || []), ...a.processors]));
	}
	return Array.from(by, ([field, processors], k) => [k > 0 && ", ", name(field), " (" + (processors.size > 1 ? "processors " : "processor ") + processorList(Array.from(processors).sort((a, b) => a - b)) + ")"]);
}

// parts: of what is copied, [heading, table]; this line is added.
function sharedLine(run, line, parts) {
	const heading = h(
			"summary",
			{},
			h(
				"code",
				{},
				line.address === null ? "lines not kept separately" : "0x" + line.address.toString(16),
			),
			" ",
			name(line.data),
			line.data_count > 1 && " and " + (line.data_count - 1) + " more",
			": ",
			count(line.misses),
			missWord(line.misses),
			intervalText(sharedBetween(line, "misses")),
			", ",
			percent(line.false_sharing, line.misses),
			" false, ",
			share(line.stall_share),
			" of stall",
		),
		table = new ListTable({
			caption: "Accesses",
			rows: line.accesses,
			columns: [
				{ key: "offset", label: "Byte", value: (a) => a.offset },
				{
					key: "field",
					label: "Field",
					text: true,
					value: (a) => a.field || "",
					cell: (a) => [
						name(a.data),
						name(
							a.field ||
								(a.object_offset === null ? "" : "+" + a.object_offset),
						),
					],
				},
				{
					key: "access",
					label: "Access",
					text: true,
					value: (a) => a.access,
					cell: (a) => a.access,
				},
				{
					key: "processors",
					label: "Processors",
					text: true,
					value: (a) => processorList(a.processors),
					cell: (a) => processorList(a.processors),
				},
				{
					key: "misses",
					label: "Misses",
					value: (a) => a.misses,
					between: run.run.sampling ? (a) => sharedBetween(a, "misses") : null,
				},
				{
					key: "causes",
					label: "Causes",
					value: (a) => a.causes_true_sharing + a.causes_false_sharing,
				},
				{
					key: "code",
					label: "Code",
					text: true,
					value: (a) => a.code,
					cell: (a) => codeLink(run, a.code),
				},
				{
					key: "line",
					label: "Line",
					text: true,
					value: (a) => baseName(a.file) + ":" + a.line,
					cell: (a) => sourceLink(run, a.file, a.line),
				},
			],
		});
	parts.push([heading, table]);
	return h("details", { class: "shared" }, heading, line.address !== null && lineWithLegend(run, line), table.element);
}

function sharingPart(run) {
	const s = run.data.sharing,
		where = (w) => [dataLink(run, w.data), " in ", codeLink(run, w.code), w.file && [" ", sourceLink(run, w.file, w.line)]];
	if (s.totals.misses === 0)
		return [helpFor("sharing"), h("p", {}, "No processor invalidated a line that another one used.")];
	const parts = [],
		copied = (table) => {
			parts.push([h("h3", {}, table.caption), table]);
			return table.element;
		},
		all = h(
			"p",
			{},
			h("b", {}, count(s.totals.misses)),
			missWord(s.totals.misses),
			intervalText(sharedBetween(s.totals, "misses")),
			" because another processor had written the line; ",
			h("b", {}, percent(s.totals.false_sharing, s.totals.misses)),
			" of them false sharing",
			run.run.sampling ? " (" + count(s.totals.false_sharing) + ")" : "",
			intervalText(sharedBetween(s.totals, "false_sharing")),
			", which costs ",
			h("b", {}, count(s.totals.false_stall_cycles)),
			" cycles.",
		);
	return [
		helpFor("sharing"),
		samplingNote(run, "sharing"),
		all,
		h("div", { class: "tools" }, copyButton(() => [all.textContent + "\n"].concat(parts.map(([heading, table]) => "**" + heading.textContent + "**\n\n" + table.markdown())).join("\n"))),
		h("h3", {}, "Data"),
		copied(new ListTable({
			caption: "Shared data",
			rows: s.data,
			words: (d) => d.name,
			address: (d) => "#" + dataAddress(run, run.rowOfData.get(d.name)),
			columns: [
				{
					key: "name",
					label: "Data",
					text: true,
					value: (d) => d.name,
					cell: (d) => name(d.name),
				},
			].concat(sharedColumns(run), [
				{ key: "lines", label: "Lines", value: (d) => d.lines },
				{
					key: "by",
					label: "Written by",
					text: true,
					value: (d) => processorList(d.written_by),
					cell: (d) => processorList(d.written_by),
				},
			]),
		})),
		h("h3", {}, "Missing and writing lines"),
		copied(new ListTable({
			caption: "Pairs of source lines",
			rows: s.pairs,
			words: (p) => p.missed.code + " " + p.written.code + " " + p.missed.data,
			columns: [
				{
					key: "missed",
					label: "Missed",
					text: true,
					value: (p) => p.missed.code,
					cell: (p) => where(p.missed),
				},
				{
					key: "written",
					label: "Written",
					text: true,
					value: (p) => p.written.code,
					cell: (p) => where(p.written),
				},
			].concat(sharedColumns(run)),
		})),
		h("h3", {}, "Memory lines"),
		s.lines.map((line) => sharedLine(run, line, parts)),
		s.line_count > s.lines.length &&
			h(
				"p",
				{ class: "quiet" },
				"and " + plural(s.line_count - s.lines.length, "more line") + ": ",
				h("code", {}, "memspy sharing --json" + (run.run.id === null ? "" : " @" + run.run.id)),
				" has them",
			),
	];
}

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

// The bytes of one memory line: which processors read and write them.
function linePicture(run, line) {
	const bytes = run.levels[0].line,
		shapes = [];
	for (const a of line.accesses)
		shapes.push(
			svg(
				"rect",
				{
					x: a.offset * 10,
					y: a.access === "read" ? 0 : 12,
					width: Math.max(4, Math.min(a.size, bytes - a.offset) * 10 - 1),
					height: 11,
					class: a.access === "read" ? "fill-compute" : "fill-stall",
				},
				svg(
					"title",
					{},
					a.access +
						" of " +
						(a.field || a.data) +
						" at byte " +
						a.offset +
						", processors " +
						processorList(a.processors) +
						", " +
						a.code,
				),
			),
		);
	return svg(
		"svg",
		{
			class: "memory-line",
			viewBox: "0 0 " + bytes * 10 + " 24",
			role: "img",
			preserveAspectRatio: "none",
			"aria-label":
				"Bytes of the line: " +
				line.accesses.map((a) => a.access + " at " + a.offset).join(", "),
		},
		svg("rect", { class: "frame", width: bytes * 10, height: 24 }),
		shapes,
	);
}

function sharedLine(run, line) {
	return h(
		"details",
		{ class: "shared" },
		h(
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
			" misses",
			intervalText(sharedBetween(line, "misses")),
			", ",
			percent(line.false_sharing, line.misses),
			" false, ",
			share(line.stall_share),
			" of stall",
		),
		line.address !== null && [
			legend([
				{ of: "compute", label: "read" },
				{ of: "stall", label: "written" },
			]),
			linePicture(run, line),
		],
		new ListTable({
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
					cell: (a) => name(a.code),
				},
				{
					key: "line",
					label: "Line",
					text: true,
					value: (a) => baseName(a.file) + ":" + a.line,
					cell: (a) => sourceLink(run, a.file, a.line),
				},
			],
		}).element,
	);
}

function sharingPart(run) {
	const s = run.data.sharing,
		where = (w) => [name(w.data), " in ", name(w.code), " ", sourceLink(run, w.file, w.line)];
	if (s.totals.misses === 0)
		return [helpFor("sharing"), h("p", {}, "No processor invalidated a line that another one used.")];
	return [
		helpFor("sharing"),
		samplingNote(run, "sharing"),
		h(
			"p",
			{},
			h("b", {}, count(s.totals.misses)),
			" misses",
			intervalText(sharedBetween(s.totals, "misses")),
			" because another processor had written the line; ",
			h("b", {}, percent(s.totals.false_sharing, s.totals.misses)),
			" of them false sharing",
			run.run.sampling ? " (" + count(s.totals.false_sharing) + ")" : "",
			intervalText(sharedBetween(s.totals, "false_sharing")),
			", which costs ",
			h("b", {}, count(s.totals.false_stall_cycles)),
			" cycles.",
		),
		h("h3", {}, "Data"),
		new ListTable({
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
		}).element,
		h("h3", {}, "Missing and writing lines"),
		new ListTable({
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
		}).element,
		h("h3", {}, "Memory lines"),
		s.lines.map((line) => sharedLine(run, line)),
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

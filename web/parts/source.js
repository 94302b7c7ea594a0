// source.js - the program's own source, annotated.

// A source line as a link, if the page has the file; unknown values are a dash.
function sourceLink(run, file, line) {
	if (file === null || file === undefined) return "-";
	const at = run.data.lines.files.findIndex((f) => f.file === file),
		text = name(baseName(file) + ":" + line, { title: file });
	return at < 0 ? text : link(lineAddress(run, at, line), text);
}

function fileWarnings(file) {
	const list = [];
	if (file.changed)
		list.push(
			file.changed === "after run"
				? "This file was changed after the run: line numbers may be wrong."
				: "This file is newer than the program: line numbers may be wrong.",
		);
	if (file.trouble) list.push("No text: " + file.trouble + ".");
	const beyond = file.trouble ? [] : file.lines.filter((l) => l.line > file.source_lines);
	if (beyond.length > 0)
		list.push(
			"The file has " +
				plural(file.source_lines, "line") +
				" now, but the run has line " +
				beyond[beyond.length - 1].line +
				": it was changed.",
		);
	return list.map((text) => h("p", { class: "warning", role: "note" }, text));
}

function sourceRow(run, line, i) {
	const data = line.data[0],
		stall = line.stall_share || 0,
		text = (figure, words) => (isSampled(run) ? words(boundsIn(run, line, figure)) : null);
	return h(
		"tr",
		{ id: "line-" + i + "-" + line.line, class: "hot", tabindex: -1 },
		h("th", { scope: "row", class: "figure" }, line.line),
		h(
			"td",
			{
				class: "figure heat heat-" + Math.min(STEPS, Math.ceil(Math.sqrt(stall) * STEPS)),
				title: amount(run, line.stall_cycles),
				"data-between": text("stall_share", betweenShares),
			},
			line.stall_cycles > 0 || text("stall_share", betweenShares) ? share(stall) : "",
		),
		h(
			"td",
			{
				class: "figure roomy",
				title: exact(line.references.read + line.references.write),
				"data-between": text("reference_share", (b) => betweenReferences(run, b)),
			},
			count(line.references.read + line.references.write),
		),
		line.levels.map((l, k) =>
			h(
				"td",
				{
					class: "figure roomy",
					title: exact(l.misses.read + l.misses.write),
					"data-between": text("levels." + k + ".misses", betweenCounts),
				},
				count(l.misses.read + l.misses.write),
			),
		),
		h(
			"td",
			{ class: "word roomy" },
			data && data.stall_cycles > 0 && run.rowOfData.has(data.name)
				? [
						link(dataAddress(run, run.rowOfData.get(data.name)), name(data.name)),
						line.data.length > 1 && [
							" and ",
							name(line.data[1].name),
							line.data.length > 2 && ", ...",
						],
					]
				: "",
		),
		h("td", { class: "source" }, line.text === null ? line.code.map((c) => c.name).join(", ") : line.text),
	);
}

function sourceFile(run, file, i) {
	const around = run.data.context.find((c) => c.file === file.file),
		hot = new Map(file.lines.map((l) => [l.line, l]));
	const all = file.lines
		.map((l) => l.line)
		.concat(around ? around.lines.map((l) => l[0]) : [])
		.sort((a, b) => a - b);
	const text = new Map(around ? around.lines : []),
		rows = [],
		width = 5 + run.levels.length;
	let last = 0;
	for (const n of all) {
		if (last > 0 && n > last + 1)
			rows.push(
				h(
					"tr",
					{ class: "skip-lines" },
					h("td", { colspan: width, "aria-label": "omitted lines" }, "\u22ee"),
				),
			);
		last = n;
		rows.push(
			hot.has(n)
				? sourceRow(run, hot.get(n), i)
				: h(
						"tr",
						{ class: "around" },
						h("th", { scope: "row", class: "figure" }, n),
						h("td", {}),
						h("td", { class: "roomy", colspan: width - 3 }),
						h("td", { class: "source" }, text.get(n)),
					),
		);
	}
	return h(
		"section",
		{ id: "file-" + i },
		h(
			"h3",
			{},
			name(file.file),
			" ",
			h("span", { class: "quiet" }, share(file.stall_share), " of " + weight(run).words),
			isSampled(run) && intervalText(betweenShares(boundsIn(run, file, "stall_share"))),
		),
		fileWarnings(file),
		h(
			"div",
			{ class: "scroll free" },
			h(
				"table",
				{ class: "lines" },
				h("caption", { class: "hidden" }, "Source " + baseName(file.file)),
				h(
					"thead",
					{},
					h(
						"tr",
						{},
						["Line", weight(run).head].map((t) => h("th", { scope: "col", class: "figure" }, t)),
						[run.run.hardware ? "Events" : "References"]
							.concat(run.levels.map((l) => l.name))
							.map((t) => h("th", { scope: "col", class: "figure roomy" }, t)),
						h("th", { scope: "col", class: "roomy" }, "Data"),
						h("th", { scope: "col" }, "Source"),
					),
				),
				h("tbody", {}, rows),
			),
		),
		file.rest.lines > 0 &&
			h(
				"p",
				{ class: "quiet" },
				"Not listed: " +
					plural(file.rest.lines, "line") +
					" with " +
					share(file.rest.stall_share) +
					" of " +
					weight(run).words +
					".",
			),
	);
}

// The user's files first: those with text. Others are listed, and unfolded on request.
function sourcePart(run) {
	const l = run.data.lines,
		files = l.files.map((file, i) => ({ file, i }));
	if (files.length === 0)
		return [
			helpFor("source"),
			h(
				"p",
				{},
				"No source line is known: the program has no debug information (compile it with -g).",
			),
		];
	const own = files.filter((f) => !f.file.trouble),
		others = files.filter((f) => f.file.trouble);
	const totals = [
		["Files that are not listed", l.rest],
		["Code without a line", l.unknown_line],
	].filter(([, r]) => r.stall_cycles > 0);
	return [
		helpFor("source"),
		samplingNote(run, "source"),
		h("p", { class: "quiet narrow" }, "On a wider screen each line also has its references, misses and data."),
		own.map((f) => sourceFile(run, f.file, f.i)),
		others.length > 0 &&
			h(
				"section",
				{},
				h("h3", {}, "Without their text"),
				others.map((f) => {
					const fold = h(
						"details",
						{ id: "fold-" + f.i },
						h(
							"summary",
							{},
							name(f.file.file),
							", ",
							share(f.file.stall_share),
							" of " + weight(run).words + ": ",
							f.file.trouble,
						),
					);
					fold.fill = () => {
						if (fold.children.length === 1) fold.append(sourceFile(run, f.file, f.i));
					};
					fold.addEventListener("toggle", () => fold.open && fold.fill());
					return fold;
				}),
			),
		totals.map(([label, r]) =>
			h("p", { class: "quiet" }, label, ": ", share(r.stall_share), " of " + weight(run).words + "."),
		),
	];
}

function showLine(i, line) {
	const fold = document.getElementById("fold-" + i);
	if (fold) fold.open = true;
	setTimeout(() => {
		const row = document.getElementById("line-" + i + "-" + line) || document.getElementById("file-" + i);
		if (row) {
			row.scrollIntoView({ block: "center" });
			row.focus({ preventScroll: true });
			row.classList.add("found");
		}
	}, 0);
}

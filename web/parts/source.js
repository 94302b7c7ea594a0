// source.js - the program's own source, annotated.

const LINES_OF_SLICE = 16, // at most: MS_RUN_SLICE_LINES_MOST
	DATA_ROOM = 20; // letters of a name beside a line

// A source line as a link, if the page has the file; unknown values are a dash.
function sourceLink(run, file, line) {
	if (file === null || file === undefined) return "-";
	const at = run.data.lines ? run.data.lines.files.findIndex((f) => f.file === file) : -1,
		text = name(baseName(file) + ":" + line, { title: file });
	if (run.later.has("lines")) return link("source/" + encodeURIComponent(file) + "/" + line, text);
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

// Bytes used of each fetched line of the first level, in runs that observed lines.
function usedColumn(run) {
	const level = run.levels[0],
		of = (line) => (line.line_use || []).find((u) => u.name === level.name && u.used_bytes !== undefined);
	return {
		key: "used",
		label: level.name + " bytes used",
		shown: true,
		value: (line) => (of(line) ? of(line).used_bytes : null),
		words: (bytes) => (bytes === null ? "" : fixed(bytes, 1)),
		between: () => null,
		title: (line) => {
			const use = of(line);
			return use ? usedWords({ level, used: use.used_bytes, low: use.low, high: use.high }) : "";
		},
	};
}

// Columns beside the text; the user chooses among them.
function sourceColumns(run) {
	const total = (rw) => rw.read + rw.write,
		counts = (key, label, of, bounds, shown) => ({
			key,
			label,
			shown,
			value: of,
			words: count,
			title: (line) => exact(of(line)),
			between: (line) => (isSampled(run) ? bounds(line) : null),
		}),
		columns = run.range
			? [] // slices have no references
			: [
					counts(
						"references",
						run.run.hardware ? "Events" : "References",
						(line) => total(line.references),
						(line) => betweenReferences(run, boundsIn(run, line, "reference_share")),
						true,
					),
				];
	run.levels.forEach((level, k) => {
		columns.push(
			counts(
				"misses-" + k,
				level.name,
				(line) => total(line.levels[k].misses),
				(line) => betweenCounts(boundsIn(run, line, "levels." + k + ".misses")),
				true,
			),
		);
		for (const cause of CAUSES)
			if ((run.several || cause.key !== "invalidation") && (!run.range || run.rangeCauses))
				columns.push(
					counts(
						cause.key + "-" + k,
						level.name + " " + cause.label,
						(line) => line.levels[k].causes[cause.key] || 0,
						(line) => betweenCounts(boundsIn(run, line, "levels." + k + ".causes." + cause.key)),
						false,
					),
				);
	});
	if (!run.range && run.data.lines.files.some((file) => file.lines.some((line) => line.line_use))) columns.push(usedColumn(run));
	return columns;
}

// Columns that the user has chosen, for all files.
class SourceChoice {
	constructor(run) {
		const lines = sourceLines(run).files.flatMap((file) => file.lines),
			data = Array.from(new Set(lines.flatMap((line) => (line.data || []).slice(0, 1).map((d) => d.name)))),
			short = shortened(data, DATA_ROOM);
		this.dataNames = new Map(data.map((text, i) => [text, short[i]]));
		this.columns = sourceColumns(run);
		this.tables = [];
		this.element = h(
			"details",
			{ class: "choose-columns" },
			h("summary", {}, "Columns"),
			this.columns.map((c) =>
				h(
					"label",
					{},
					h("input", {
						type: "checkbox",
						checked: c.shown,
						onchange: (e) => {
							c.shown = e.target.checked;
							this.apply();
						},
					}),
					" ",
					c.label,
				),
			),
		);
	}

	apply() {
		for (const table of this.tables)
			this.columns.forEach((c, k) => {
				for (const cell of table.querySelectorAll(".column-" + k)) cell.hidden = !c.shown;
			});
	}

	add(table) {
		this.tables.push(table);
		this.apply();
		return table;
	}
}

// Of several, the one with the most stall.
function dataOfLine(run, choice, line) {
	const data = line.data[0];
	if (!data || data.stall_cycles <= 0 || !run.rowOfData.has(data.name)) return "";
	return [
		link(dataAddress(run, run.rowOfData.get(data.name)), name(choice.dataNames.get(data.name))),
		line.data.length > 1 && " +" + (line.data.length - 1),
	];
}

// What has no room beside the figures is shown where the pointer is. file: of source text; false: they are names of code.
function textCell(text, file) {
	return h("td", { class: "source", title: text.length > 40 && text.trim() }, file ? colored(text, file) : text);
}

// The heat is left of the line number, the text right of it, then the data that it waits for and other figures.
function sourceRow(run, choice, file, line, i) {
	const stall = line.stall_share || 0,
		between = isSampled(run) ? betweenShares(boundsIn(run, line, "stall_share")) : null;
	return h(
		"tr",
		{ id: "line-" + i + "-" + line.line, class: "hot", tabindex: -1 },
		h(
			"td",
			{
				class: "figure heat heat-" + Math.min(STEPS, Math.ceil(Math.sqrt(stall) * STEPS)),
				title: amount(run, line.stall_cycles),
				"data-between": between,
			},
			line.stall_cycles > 0 || between ? share(stall) : "",
		),
		h("th", { scope: "row", class: "figure" }, line.code.length > 0 ? link("code/" + encodeURIComponent(line.code[0].name), String(line.line)) : line.line),
		textCell(line.text === null ? line.code.map((c) => c.name).join(", ") : line.text, line.text !== null && file),
		!run.range && h("td", { class: "word roomy", title: line.data.map((d) => d.name).join(", ") }, dataOfLine(run, choice, line)),
		choice.columns.map((c, k) =>
			h(
				"td",
				{ class: "figure roomy column-" + k, title: c.title(line), "data-between": c.between(line) },
				c.words(c.value(line)),
			),
		),
	);
}

function omittedLines() {
	return h("tr", { class: "skip-lines" }, h("td", { colspan: 3, "aria-label": "omitted lines" }, "\u22ee"));
}

function sourceRows(run, choice, file, i) {
	const around = run.data.context.find((c) => c.file === file.file),
		hot = new Map(file.lines.map((l) => [l.line, l])),
		text = new Map(around ? around.lines : []),
		rows = [];
	const all = Array.from(new Set([...hot.keys(), ...text.keys()])).sort((a, b) => a - b);
	all.forEach((n, k) => {
		if (k > 0 && n > all[k - 1] + 1) rows.push(omittedLines());
		rows.push(
			hot.has(n)
				? sourceRow(run, choice, file.file, hot.get(n), i)
				: h(
						"tr",
						{ class: "around" },
						h("td", {}),
						h("th", { scope: "row", class: "figure" }, n),
						textCell(text.get(n), file.file),
					),
		);
	});
	return rows;
}

function sourceTable(run, choice, file, i) {
	return choice.add(
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
					[weight(run).head, "Line"].map((t) => h("th", { scope: "col", class: "figure" }, t)),
					h("th", { scope: "col" }, "Source"),
					!run.range && h("th", { scope: "col", class: "roomy" }, "Data"), // slices have no data of lines
					choice.columns.map((c, k) => h("th", { scope: "col", class: "figure roomy column-" + k }, c.label)),
				),
			),
			h("tbody", {}, sourceRows(run, choice, file, i)),
		),
	);
}

// The lines and columns that are shown, with the intervals of figures.
function sourceMarkdown(table) {
	const [head, ...rows] = Array.from(table.rows, (row) => Array.from(row.cells)),
		shown = head.map((_, k) => k).filter((k) => head[k].checkVisibility());
	const text = (cell) => {
		if (!cell) return "";
		const words = cell.textContent.trim();
		return (words && cell.matches("td.source") ? codeText(words) : words) + (cell.dataset.between ? " (" + cell.dataset.between + ")" : "");
	};
	return markdownTable(
		[shown.map((k) => head[k].textContent)].concat(rows.map((cells) => shown.map((k) => text(cells[k])))),
		shown.map((k) => head[k].matches(".figure")),
	);
}

function sourceFile(run, choice, file, i) {
	const table = sourceTable(run, choice, file, i),
		heading = h(
			"h3",
			{},
			name(file.file),
			" ",
			h("span", { class: "quiet" }, share(file.stall_share), " of " + weight(run).words),
			isSampled(run) && intervalText(betweenShares(boundsIn(run, file, "stall_share"))),
		);
	return h(
		"section",
		{ id: "file-" + i },
		h("div", { class: "picture-head" }, heading, copyButton(() => "**" + heading.textContent + "**\n\n" + sourceMarkdown(table))),
		fileWarnings(file),
		h("div", { class: "scroll source-lines", tabindex: 0, role: "region", "aria-label": "Source " + baseName(file.file) }, table),
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

// Of the whole run, or of the range.
function sourceLines(run) {
	if (!run.range) return run.data.lines;
	if (run.lines === undefined) run.lines = rangedLines(run);
	return run.lines || run.data.lines;
}

function inRangeNote(run, lines) {
	const known = lines.files.reduce((sum, file) => sum + file.stall_share, 0);
	return h(
		"p",
		{ class: "quiet", id: "lines-in-range" },
		"Figures are of the range of time: each slice has its ",
		String(LINES_OF_SLICE),
		" lines with the most misses, by latency. Together these have ",
		share(Math.min(1, known)),
		" of the stall time of the range.",
	);
}

// The user's files first: those with text. Others are listed, and unfolded on request.
function sourcePart(run) {
	const l = sourceLines(run),
		files = l.files.map((file, i) => ({ file, i }));
	if (run.range) files.sort((a, b) => b.file.stall_share - a.file.stall_share || a.i - b.i);
	if (files.length === 0)
		return [
			helpFor("source"),
			h(
				"p",
				{},
				"No source line is known: the program has no debug information (compile it with -g).",
			),
		];
	const choice = new SourceChoice(run),
		own = files.filter((f) => !f.file.trouble),
		others = files.filter((f) => f.file.trouble);
	const totals = [
		["Files that are not listed", l.rest],
		["Code without a line", l.unknown_line],
	].filter(([, r]) => r.stall_cycles > 0);
	return [
		helpFor("source"),
		samplingNote(run, "source"),
		run.range && inRangeNote(run, l),
		h("p", { class: "quiet narrow" }, "On a wider screen each line also has its references, misses and data."),
		choice.element,
		own.map((f) => sourceFile(run, choice, f.file, f.i)),
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
						if (fold.children.length === 1) fold.append(sourceFile(run, choice, f.file, f.i));
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

// quietly: without marking it.
function showLine(i, line, quietly) {
	const fold = document.getElementById("fold-" + i);
	if (fold) fold.open = true;
	setTimeout(() => {
		const row = document.getElementById("line-" + i + "-" + line) || document.getElementById("file-" + i);
		if (row) {
			row.scrollIntoView({ block: "center" });
			const frame = row.closest(".source-lines");
			if (frame) frame.scrollIntoView({ block: "nearest" }); // with its headings
			if (quietly) return;
			row.focus({ preventScroll: true });
			row.classList.add("found");
		}
	}, 0);
}

// The line of the program's own source with the most stall time; null: there is none.
function hottestLine(run) {
	let most = null;
	sourceLines(run).files.forEach((file, i) => {
		if (file.trouble) return;
		for (const line of file.lines)
			if (line.stall_cycles > 0 && (most === null || line.stall_cycles > most.stall))
				most = { i, line: line.line, stall: line.stall_cycles };
	});
	return most;
}

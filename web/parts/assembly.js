// assembly.js - the instructions of a function, each with what its references cost. A page in a file has those of the
// hottest functions; a served one asks for others.

const ASSEMBLY_COLUMNS = ["line", "references", "stall", "first_misses", "last_misses"];

// An instruction: [offset, text], and of one that makes references its figures.
function instructionRows(f) {
	return f.instructions.map(([offset, text, ...figures]) => {
		const row = { offset, text, referenced: figures.length > 0 };
		ASSEMBLY_COLUMNS.forEach((key, i) => (row[key] = figures.length > 0 ? figures[i] : 0));
		return row;
	});
}

// The line in the source part, if that has the file of the function.
function instructionLine(run, f, line) {
	const file = run.code.get(f.code, "file"),
		at = file && run.data.lines ? run.data.lines.files.findIndex((s) => s.file === file && s.lines.some((l) => l.line === line)) : -1;
	return at < 0 ? String(line) : link(lineAddress(run, at, line), String(line));
}

function instructionTable(run, f) {
	const rows = instructionRows(f),
		last = run.levels.length - 1,
		figure = (key, label, help) => ({ key, label, help, value: (r) => r[key], cell: (r) => (r.referenced ? count(r[key]) : "") });
	return new ListTable({
		caption: "Instructions",
		rows,
		words: (r) => r.text,
		columns: [
			{
				key: "text",
				label: "Instruction",
				text: true,
				value: (r) => r.text,
				cell: (r) => name(r.text, { title: r.text }),
			},
			{
				key: "stall",
				label: "Stall",
				help: "stall",
				value: (r) => r.stall,
				cell: (r) => (r.referenced ? percent(r.stall, run.totals.stall_cycles) : ""),
			},
			figure("references", "References", "references"),
		].concat(
			last >= 0 ? figure("first_misses", run.levels[0].name, "misses") : [],
			last > 0 ? figure("last_misses", run.levels[last].name, "misses") : [],
			{ key: "line", label: "Line", value: (r) => r.line, cell: (r) => (r.line > 0 ? instructionLine(run, f, r.line) : "") },
			{ key: "offset", label: "Offset", value: (r) => r.offset, cell: (r) => r.offset.toString(16) },
		),
	});
}

// The instruction with the most stall, and what is before it.
function showHottest(table) {
	const stall = table.rows.map((r) => r.stall);
	table.scroll.scrollTo(0, Math.max(0, stall.indexOf(Math.max(...stall)) - 5) * ROW_HEIGHT);
	table.draw();
}

function showInstructions(run, f, body) {
	if (f === null) return replace(body, h("p", {}, "The instructions of this function are not known."));
	if (f.trouble) return replace(body, h("p", {}, "No instructions: " + f.trouble + "."));
	const table = instructionTable(run, f);
	replace(
		body,
		h("p", { class: "quiet" }, "Read from the program as it is now. Stall is the share of all stall time of the run."),
		table.element,
	);
	showHottest(table);
}

// Nothing where they cannot be had: the page is a file that does not have them.
function assemblyOf(run, code) {
	const inPage = (run.data.assembly || []).find((f) => f.code === code),
		asks = SERVER !== null && run.run.id !== null && !run.run.hardware;
	if (!inPage && !asks) return null;
	const body = h("div", { role: "status" }),
		details = h("details", { id: "assembly" }, h("summary", {}, "Instructions"), body);
	const show = (f) => {
		body.removeAttribute("role");
		showInstructions(run, f, body);
	};
	details.fill = () => {
		if (details.filled) return;
		details.filled = true;
		if (inPage) return show(inPage);
		body.textContent = "The program is being disassembled.";
		fetchJson("assembly/" + run.run.id + "/" + (code + 1) + ".json").then(show, (e) => {
			details.filled = false;
			replace(body, h("p", { class: "warning" }, goneText(e)));
		});
	};
	details.addEventListener("toggle", () => details.open && details.fill());
	return h("section", {}, details);
}

// matrix.js - code by data as a heat map: what the user chooses, and where the keyboard is. Small entries are combined
// in one row and one column, unless all are requested.

class Matrix extends MatrixTable {
	constructor(run) {
		super();
		this.run = run;
		this.sampled = isSampled(run);
		this.metrics = metricsOf(run);
		this.metric = this.metrics.find((m) => totalOf(run, m) > 0) || this.metrics[0];
		this.initial = this.metric;
		this.absolute = false;
		this.all = false;
		this.noSystem = false;
		this.byCause = false;
		this.byData = false;
		this.series = seriesOfData(run);
		this.divided = isDivided(run);
		this.sort = "total"; // of rows: "total", "name", or "data/" and the row of a data
		this.at = { row: 0, column: 0 }; // the cell that the keyboard is on
		this.c = [0, 0]; // columns that are drawn
		this.build();
		this.order();
	}

	build() {
		const option = (m) => h("option", { value: m.key, selected: m === this.metric }, m.label);
		this.figure = h("select", { id: "metric", onchange: () => this.setMetric() }, this.metrics.map(option));
		this.codeFilter = h("input", {
			type: "search",
			placeholder: "Code",
			"aria-label": "Filter code",
			oninput: () => this.order(),
		});
		this.dataFilter = h("input", {
			type: "search",
			placeholder: "Data",
			"aria-label": "Filter data",
			oninput: () => this.order(),
		});
		this.number = h("span", { class: "quiet", role: "status" });
		this.legend = h("div", { class: "heat-legend", "aria-hidden": "true" });
		this.head = h("thead");
		this.body = h("tbody", { onclick: (e) => this.click(e) });
		this.sight = new Sight(
			this.body,
			CELL_HEIGHT,
			() => this.makeRow(),
			(line, i) => this.fillRow(line, i),
		);
		this.table = h(
			"table",
			{
				class: "matrix",
				role: "grid",
				"aria-label": "Matrix of code and data",
				onmouseover: (e) => this.hover(e),
				onfocusin: (e) => this.arrive(e),
			},
			this.head,
			this.body,
		);
		const draw = beforeNextPicture(() => this.draw());
		this.scroll = h(
			"div",
			{ class: "scroll matrix-scroll", tabindex: -1, onscroll: draw, onkeydown: (e) => this.key(e) },
			this.table,
		);
		this.toggleAbsolute = toggle("Absolute", "Figures instead of shares", (on) => {
			this.absolute = on;
			this.figures = new Map();
			this.redraw();
			this.keep();
		});
		this.toggleAll = toggle("Show all", "All code and data instead of the largest", (on) => {
			this.all = on;
			this.order();
		});
		this.toggleSystem = toggle("Hide system", "Without functions and data of the C library and other system libraries", (on) => {
			this.noSystem = on;
			this.order();
		});
		this.toggleCauses = toggle("Causes", "The main cause of each cell, as a line of its color", (on) => {
			this.byCause = on;
			this.figures = new Map();
			this.redraw();
			this.keep();
		});
		this.toggleData = toggle("Data colors", "Each data structure has a color of its own, as in the flame graph; the stronger, the more", (on) => {
			this.byData = on;
			this.redraw();
			this.keep();
		});
		this.toggleCauses.hidden = !this.knowsCauses();
		this.causeKey = h("div", { hidden: true });
		this.dataKey = h("div", { hidden: true });
		this.summary = h("p", { class: "cell-summary", "aria-hidden": "true" });
		this.element = h(
			"div",
			{},
			h(
				"div",
				{ class: "tools" },
				h("label", { for: "metric" }, "Figure "),
				this.figure,
				this.toggleAbsolute,
				this.toggleAll,
				this.toggleSystem,
				this.toggleCauses,
				this.toggleData,
				this.codeFilter,
				this.dataFilter,
				copyButton(() => this.markdown()),
				pictureButton("Matrix", () => this.picture()),
				this.number,
			),
			this.legend,
			this.causeKey,
			this.dataKey,
			this.summary,
			this.scroll,
		);
	}

	knowsCauses() {
		const { run } = this;
		return run.levels.length > 0 && !run.run.hardware && (!run.range || run.rangeCauses);
	}

	// Rows and columns that are chosen, with their totals.
	markdown() {
		const run = this.run,
			head = ["", "Total"].concat(this.columns.map((c) => run.dataName(c.i))),
			total = ["total", this.text(this.whole)].concat(this.columns.map((c) => this.text(c.value)));
		const rows = this.rows.slice(0, COPIED_ROWS).map((row, i) => {
			const figures = this.figuresOf(i);
			return [run.codeName(row.i), this.text(row.value)].concat(
				this.columns.map((_, k) => (figures.has(k) ? this.text(figures.get(k)) : "")),
			);
		});
		return markdownTable(
			[head, total].concat(rows),
			head.map((_, k) => k > 0),
		);
	}

	// As on paper: the first rows and columns; then again what was in sight.
	picture() {
		const { scrollLeft, scrollTop } = this.scroll;
		this.drawn = null;
		this.draw(true);
		queueMicrotask(() => {
			this.redraw();
			this.scroll.scrollTo(scrollLeft, scrollTop);
		});
		return { pictures: [this.legend, this.table], from: this.element };
	}

	// What the user has chosen, as an address has it.
	keep() {
		keepChoices("matrix", {
			figure: this.metric === this.initial ? "" : this.metric.key,
			absolute: this.absolute ? "1" : "",
			all: this.all ? "1" : "",
			system: this.noSystem ? "0" : "",
			causes: this.byCause ? "1" : "",
			colors: this.byData ? "data" : "",
			sort: this.sort === "total" ? "" : this.sort === "name" ? "name" : "data/" + this.run.dataName(Number(this.sort.slice(5))),
			code: this.codeFilter.value,
			data: this.dataFilter.value,
		});
	}

	// Likewise from an address.
	choose(choices) {
		const sort = choices.get("sort") || "total",
			data = sort.startsWith("data/") ? sort.slice(5) : null;
		if (choices.toString() === "") return;
		this.restore({
			metric: choices.get("figure") || this.initial.key,
			absolute: choices.get("absolute") === "1",
			all: choices.get("all") === "1",
			noSystem: choices.get("system") === "0",
			byCause: choices.get("causes") === "1",
			byData: choices.get("colors") === "data",
			sort: data === null && sort !== "name" ? "total" : sort,
			data,
			code: choices.get("code") || "",
			dataFilter: choices.get("data") || "",
			row: null,
			column: null,
			focused: false,
			top: 0,
			left: 0,
		});
	}

	// The user's choices; the data to sort by is identified by its name.
	view() {
		const data = this.sort.startsWith("data/") ? this.run.dataName(Number(this.sort.slice(5))) : null;
		return {
			metric: this.metric.key,
			absolute: this.absolute,
			all: this.all,
			noSystem: this.noSystem,
			byCause: this.byCause,
			byData: this.byData,
			sort: this.sort,
			data,
			code: this.codeFilter.value,
			dataFilter: this.dataFilter.value,
			row: this.rows[this.at.row] ? this.run.codeName(this.rows[this.at.row].i) : null,
			column: this.columns[this.at.column] ? this.run.dataName(this.columns[this.at.column].i) : null,
			focused: this.body.contains(document.activeElement),
			top: this.scroll.scrollTop,
			left: this.scroll.scrollLeft,
		};
	}

	restore(view) {
		const data = view.data === null ? -1 : rowNamed(this.run.dataTable, view.data);
		this.metric = this.metrics.find((m) => m.key === view.metric) || this.metric;
		this.figure.value = this.metric.key;
		this.absolute = view.absolute;
		this.all = view.all;
		this.noSystem = Boolean(view.noSystem);
		this.byCause = Boolean(view.byCause) && !this.toggleCauses.hidden;
		this.byData = Boolean(view.byData);
		this.toggleData.setAttribute("aria-pressed", String(this.byData));
		this.toggleSystem.setAttribute("aria-pressed", String(this.noSystem));
		this.toggleCauses.setAttribute("aria-pressed", String(this.byCause));
		this.toggleAbsolute.setAttribute("aria-pressed", String(view.absolute));
		this.toggleAll.setAttribute("aria-pressed", String(view.all));
		this.sort = view.data === null ? view.sort : data >= 0 ? "data/" + data : "total";
		this.codeFilter.value = view.code;
		this.dataFilter.value = view.dataFilter;
		this.order();
		this.at = {
			row: Math.max(0, this.rows.findIndex((r) => this.run.codeName(r.i) === view.row)),
			column: Math.max(0, this.columns.findIndex((c) => this.run.dataName(c.i) === view.column)),
		};
		this.scroll.scrollTo(view.left, view.top);
		this.redraw();
		if (view.focused) this.focus(false);
	}

	setMetric() {
		this.metric = this.metrics.find((m) => m.key === this.figure.value);
		this.order();
		say("Matrix of " + this.metric.label);
	}

	pick(table, filter, few) {
		const word = filter.value.toLowerCase(),
			found = [];
		for (let i = 0; i < table.length; i++) {
			const value = sumOf(table, i, this.metric);
			if (this.noSystem && (table === this.run.code ? isSystem(table.get(i, "module")) : isOfSystem(this.run, i))) continue;
			if ((value > 0 || this.all) && (!word || table.get(i, "name").toLowerCase().includes(word)))
				found.push({ i, value });
		}
		found.sort((a, b) => b.value - a.value || a.i - b.i);
		return this.all || word ? found : found.filter((f) => f.value >= SMALL * this.whole).slice(0, few);
	}

	// Totals determine which rows there are, whatever they are sorted by.
	sorted(rows) {
		const run = this.run;
		if (this.sort === "total") return rows;
		if (this.sort === "name")
			return rows.sort((a, b) => (run.codeName(a.i) < run.codeName(b.i) ? -1 : 1));
		const data = Number(this.sort.slice(5)),
			at = new Map();
		for (const bin of run.rowsOf("bins", "data", data))
			at.set(run.bins.get(bin, "code"), sumOf(run.bins, bin, this.metric));
		return rows.sort((a, b) => (at.get(b.i) || 0) - (at.get(a.i) || 0) || b.value - a.value || a.i - b.i);
	}

	order() {
		const run = this.run;
		this.whole = totalOf(run, this.metric);
		this.rows = this.sorted(this.pick(run.code, this.codeFilter, FEW_ROWS));
		this.columns = this.pick(run.dataTable, this.dataFilter, FEW_COLUMNS);
		this.columnOf = new Map(this.columns.map((c, i) => [c.i, i]));
		this.shortData = shortNames(this.columns.length, (k) => run.dataName(this.columns[k].i), HEADING);
		this.shortCode = shortNames(this.rows.length, (k) => run.codeName(this.rows[k].i), besideRow());
		this.figures = new Map();
		this.addUp();
		this.number.textContent =
			grouped(this.rows.length) +
			" of " +
			plural(run.code.length, "function") +
			", " +
			grouped(this.columns.length) +
			" of " +
			plural(run.dataTable.length, "data structure") +
			(run.lacksBins ? "; the " + grouped(run.bins.length) + " largest of " + plural(run.entries("bins"), "pair") + ", the rest has the others" : "");
		this.at = { row: 0, column: 0 };
		this.scroll.scrollTo(0, 0);
		this.redraw();
		this.keep();
	}

	// The largest cell, and for each column the sum of the listed rows: the others are the rest.
	addUp() {
		this.most = 0;
		this.listed = new Array(this.columns.length).fill(0);
		for (const row of this.rows)
			for (const bin of this.run.rowsOf("bins", "code", row.i)) {
				const column = this.columnOf.get(this.run.bins.get(bin, "data"));
				if (column === undefined) continue;
				const value = sumOf(this.run.bins, bin, this.metric);
				this.most = Math.max(this.most, value);
				this.listed[column] += value;
			}
	}

	click(e) {
		const place = this.placeOf(e.target);
		if (!place || e.ctrlKey || e.metaKey || e.shiftKey) return;
		this.at = place;
		this.focus(false);
		this.openCell();
	}

	openCell() {
		const row = this.rows[this.at.row],
			column = this.columns[this.at.column];
		if (row && column) location.hash = binAddress(this.run, row.i, column.i);
	}

	key(e) {
		const moves = {
			ArrowUp: [-1, 0],
			ArrowDown: [1, 0],
			ArrowLeft: [0, -1],
			ArrowRight: [0, 1],
			PageUp: [-10, 0],
			PageDown: [10, 0],
			Home: [0, -1e9],
			End: [0, 1e9],
		};
		if (e.target.closest("a")) return;
		if (e.key === "Enter" || e.key === " ") {
			e.preventDefault();
			this.openCell();
		} else if (moves[e.key]) {
			e.preventDefault();
			this.move(moves[e.key]);
		}
	}

	move([rows, columns]) {
		this.at.row = Math.min(this.rows.length - 1, Math.max(0, this.at.row + rows));
		this.at.column = Math.min(this.columns.length - 1, Math.max(0, this.at.column + columns));
		this.focus(true);
	}

	// To another row; at first to the present cell.
	step(by) {
		this.move([this.body.contains(document.activeElement) ? by : 0, 0]);
	}

	// The keyboard continues from the cell with the focus, however it got there.
	arrive(e) {
		const place = this.placeOf(e.target);
		this.at = place || this.at;
		if (place) this.summarize(place);
	}

	// Why the pair of a cell waits, in one line above the matrix.
	summarize(place) {
		const run = this.run,
			code = this.rows[place.row].i,
			data = this.columns[place.column].i,
			bin = run.bin(code, data),
			get = (path) => (bin < 0 ? 0 : run.bins.get(bin, path) || 0);
		const levels = run.levels.map((level, k) => {
			const at = "levels." + k + ".",
				misses = get(at + "misses.read") + get(at + "misses.write"),
				known = !run.range || run.rangeCauses,
				causes = CAUSES.map((c) => ({ label: c.label, n: get(at + "causes." + c.key) })).sort((a, b) => b.n - a.n);
			return misses > 0 ? ", " + level.name + " misses " + count(Math.round(misses)) + (known ? " (" + causes[0].label + " " + percent(causes[0].n, misses) + ")" : "") : "";
		});
		replace(
			this.summary,
			name(run.dataName(data)),
			" in ",
			name(run.codeName(code)),
			bin < 0
				? run.lacksBins
					? ": too few for this page"
					: ": no references"
				: ": " + percent(get("stall_cycles"), run.totals.stall_cycles) + " of all " + weight(run).words + levels.join(""),
		);
	}

	// The title of a cell, set when it is pointed at: setting thousands of titles would take time.
	hover(e) {
		const cell = e.target.closest('[role="gridcell"]'),
			place = cell && this.placeOf(cell);
		if (place) this.summarize(place);
		if (!place) return;
		setAttribute(cell, "title", this.words(place.row, place.column, cell));
		if (cell.value !== null) this.linkIn(cell, place);
	}

	// A link, for a middle click, in the cell that is pointed at; fillCell() makes it a text again.
	linkIn(cell, { row, column }) {
		const address = "#" + binAddress(this.run, this.rows[row].i, this.columns[column].i),
			now = cell.firstElementChild;
		if (now) setAttribute(now, "href", address);
		else replace(cell, h("a", { href: address, class: "fills", tabindex: -1 }, cell.textContent));
	}

	// Scrolls to the cell first: it may not be drawn.
	focus(move) {
		if (move && !this.cellAt(this.at)) {
			this.scroll.scrollTop = Math.max(0, this.at.row * CELL_HEIGHT - 200);
			this.scroll.scrollLeft = Math.max(0, this.at.column * CELL_WIDTH - 200);
			this.draw();
		}
		this.follow(!move);
	}

	// The focus stays with its cell, not with an element that is reused for another one.
	follow(still = true) {
		const cell = this.cellAt(this.at);
		for (const old of this.body.querySelectorAll('td[tabindex="0"]')) if (old !== cell) old.tabIndex = -1;
		if (cell) {
			cell.tabIndex = 0;
			cell.focus({ preventScroll: still });
		} else this.scroll.focus({ preventScroll: true });
	}
}

// Libraries that come with the system: their functions are called, not written, by the user.
function isSystem(module) {
	return (
		/^(libc|ld|libm|libpthread|libstdc\+\+|libgcc_s|libgomp|libgfortran|libdl|librt)([-.]|$)/.test(baseName(module)) ||
		/^(\/usr)?\/lib(32|64|x32)?\/(.*\/)?(lib|ld-)[^/]*\.so[^/]*$/.test(module || "")
	);
}

// Variables, sections and files of such libraries: their full names end with it.
function isOfSystem(run, row) {
	const found = run.dataTable.get(row, "kind") !== "heap" && /(?:^| in | of )(\/[^,]*)/.exec(run.dataTable.get(row, "full_name") || "");
	return Boolean(found) && isSystem(found[1]);
}

function sumValues(list) {
	return list.reduce((sum, entry) => sum + entry.value, 0);
}

function toggle(label, title, change) {
	const button = h(
		"button",
		{
			type: "button",
			class: "toggle",
			"aria-pressed": "false",
			title,
			onclick: () => {
				const on = button.getAttribute("aria-pressed") !== "true";
				button.setAttribute("aria-pressed", String(on));
				change(on);
			},
		},
		label,
	);
	return button;
}

function matrixPart(run, page) {
	page.matrix = new Matrix(run);
	if (run.bins.length === 0) return [helpFor("matrix"), h("p", { class: "nothing" }, "Nothing was counted.")];
	return [helpFor("matrix"), samplingNote(run, "matrix"), page.matrix.element];
}

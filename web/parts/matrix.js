// matrix.js - code by data as a heat map. Only visible cells are drawn (sight.js); small entries are combined in one
// row and one column, unless all are requested.

const CELL_WIDTH = 76,
	CELL_HEIGHT = 30,
	FEW_ROWS = 30,
	FEW_COLUMNS = 14,
	STEPS = 8,
	SMALL = 0.001,
	HEADING = 17, // characters of a name above a column
	SIDE = 28, // and beside a row
	STILL = 120; // milliseconds without scrolling, until cells get their words

class Matrix {
	constructor(run) {
		this.run = run;
		this.sampled = isSampled(run);
		this.metrics = metricsOf(run);
		this.metric = this.metrics.find((m) => totalOf(run, m) > 0) || this.metrics[0];
		this.absolute = false;
		this.all = false;
		this.sort = "total"; // of rows: "total", "name", or "data/" and the row of a data
		this.at = { row: 0, column: 0 }; // the cell that the keyboard is on
		this.c = [0, 0]; // columns that are drawn
		this.build();
		this.order();
	}

	build() {
		const option = (m) => h("option", { value: m.key, selected: m === this.metric }, m.label);
		this.choose = h("select", { id: "metric", onchange: () => this.setMetric() }, this.metrics.map(option));
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
		});
		this.toggleAll = toggle("Show all", "All code and data instead of the largest", (on) => {
			this.all = on;
			this.order();
		});
		this.element = h(
			"div",
			{},
			h(
				"div",
				{ class: "tools" },
				h("label", { for: "metric" }, "Figure "),
				this.choose,
				this.toggleAbsolute,
				this.toggleAll,
				this.codeFilter,
				this.dataFilter,
				this.number,
			),
			this.legend,
			this.scroll,
		);
	}

	// The user's choices; the data to sort by is identified by its name.
	view() {
		const data = this.sort.startsWith("data/") ? this.run.dataName(Number(this.sort.slice(5))) : null;
		return {
			metric: this.metric.key,
			absolute: this.absolute,
			all: this.all,
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
		this.choose.value = this.metric.key;
		this.absolute = view.absolute;
		this.all = view.all;
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
		this.metric = this.metrics.find((m) => m.key === this.choose.value);
		this.order();
		say("Matrix of " + this.metric.label);
	}

	pick(table, filter, few) {
		const word = filter.value.toLowerCase(),
			found = [];
		for (let i = 0; i < table.length; i++) {
			const value = sumOf(table, i, this.metric);
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

	sortButton(key, text, words) {
		return h(
			"button",
			{
				type: "button",
				class: "sort" + (this.sort === key ? " sorted" : ""),
				title: "Sort code by " + words,
				"aria-label": text + ", sort code by " + words,
				"data-sort": key,
				onclick: () => {
					this.sort = key;
					this.order();
					this.head.querySelector('[data-sort="' + key + '"]').focus();
					say("Code sorted by " + words);
				},
			},
			text,
		);
	}

	sortedBy(key) {
		return this.sort === key ? (key === "name" ? "ascending" : "descending") : null;
	}

	order() {
		const run = this.run;
		this.whole = totalOf(run, this.metric);
		this.rows = this.sorted(this.pick(run.code, this.codeFilter, FEW_ROWS));
		this.columns = this.pick(run.dataTable, this.dataFilter, FEW_COLUMNS);
		this.columnOf = new Map(this.columns.map((c, i) => [c.i, i]));
		this.shortData = this.shorten(this.columns, (c) => run.dataName(c.i), HEADING);
		this.shortCode = this.shorten(this.rows, (r) => run.codeName(r.i), SIDE);
		this.figures = new Map();
		this.addUp();
		this.number.textContent =
			grouped(this.rows.length) +
			" of " +
			plural(run.code.length, "function") +
			", " +
			grouped(this.columns.length) +
			" of " +
			plural(run.dataTable.length, "data structure");
		this.at = { row: 0, column: 0 };
		this.scroll.scrollTo(0, 0);
		this.redraw();
	}

	// By row of the table. Of thousands, names are cut one by one as they are shown.
	shorten(entries, named, room) {
		const short = entries.length > 500 ? null : shortened(entries.map(named), room);
		return (entry, k) => (short ? short[k] : shortened([named(entry)], room)[0]);
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

	redraw() {
		this.drawn = null;
		this.drawLegend();
		this.draw();
	}

	text(value) {
		if (this.absolute || !this.whole) return count(value);
		const tenths = Math.round((value / this.whole) * 1000);
		return tenths === 0 && value > 0 ? "0.0" : (tenths / 10).toFixed(1);
	}

	// By the square root of the share of the largest cell, so that small shares can be distinguished.
	heat(value) {
		return value > 0 && this.most > 0 ? Math.max(1, Math.ceil(Math.sqrt(value / this.most) * STEPS)) : 0;
	}

	// The interval of a share, formatted as the cells are.
	between(bounds) {
		if (!this.absolute && this.whole) return between(bounds, (v) => (v * 100).toFixed(1));
		if (this.metric.counts === "reference_share") return betweenReferences(this.run, bounds);
		return betweenCounts(bounds, this.metric.counts === this.metric.interval ? this.whole : 1);
	}

	boundsOf(of, row) {
		const figure = this.absolute ? this.metric.counts : this.metric.interval;
		return this.sampled && figure ? boundsOf(this.run, of, row, figure) : null;
	}

	drawLegend() {
		const unit = this.absolute || !this.whole ? "" : "% of all " + this.metric.label;
		replace(
			this.legend,
			h("span", {}, "0"),
			Array.from({ length: STEPS }, (_, i) => h("span", { class: "heat heat-" + (i + 1) })),
			h("span", {}, this.text(this.most), " ", unit, this.sampled && !this.hasIntervals() && this.noIntervals()),
		);
	}

	noIntervals() {
		return this.metric.counts && !this.absolute
			? "; shares of a cause have no intervals, its numbers (Absolute) do"
			: "; this figure has no intervals";
	}

	// Which rows and columns are visible, and a few around them.
	seen(everything) {
		const n = this.rows.length,
			m = this.columns.length,
			s = this.scroll;
		if (everything) return { r: [0, Math.min(n, FEW_ROWS)], c: [0, Math.min(m, FEW_COLUMNS)] };
		return {
			r: n > 80 ? inSight(n, s.scrollTop, s.clientHeight || 600, CELL_HEIGHT, 2) : [0, n],
			c: m > 40 ? inSight(m, s.scrollLeft, s.clientWidth || 900, CELL_WIDTH, 1) : [0, m],
		};
	}

	draw(everything) {
		const { r, c } = this.seen(everything),
			first = this.drawn === null,
			aside = first || String(c) !== String(this.c);
		if (!aside && String(r) === this.drawn) return;
		const focused = this.body.contains(document.activeElement);
		this.drawn = String(r);
		this.c = c;
		if (first) this.drawFrame(c);
		if (aside) for (const strip of this.strips) strip.show(c[0], c[1], everything ? c[1] : this.columns.length);
		this.sight.show(r[0], r[1], everything ? r[1] : this.rows.length, aside);
		if (focused) this.follow();
		clearTimeout(this.still);
		if (first) this.describe();
		else this.still = setTimeout(() => this.describe(), STILL);
	}

	// The frame around the rows.
	drawFrame(c) {
		setAttribute(this.table, "aria-rowcount", this.rows.length + 3);
		setAttribute(this.table, "aria-colcount", this.columns.length + 3);
		this.table.style.setProperty("--cells", this.columns.length * CELL_WIDTH + "px");
		this.table.classList.toggle("complete", this.complete());
		this.table.classList.toggle("many", c[1] - c[0] < this.columns.length);
		this.strips = [];
		this.sight.show(0, 0, 0);
		replace(this.head, this.headRow(), this.totalRow());
		if (this.rest) this.rest.remove();
		this.rest = this.rows.length < this.run.code.length ? this.restRow() : null;
		if (this.rest) this.body.append(this.rest);
	}

	// The cells of a row that scroll horizontally; make(k): that of a column.
	strip(tag, make) {
		const strip = new Strip(tag, CELL_WIDTH, make);
		this.strips.push(strip);
		return [strip.left, strip.right];
	}

	headCell(column, k) {
		const full = this.run.dataTable.get(column.i, "full_name");
		return h(
			"th",
			{ scope: "col", class: "data", "aria-sort": this.sortedBy("data/" + column.i) },
			h("a", { href: "#" + dataAddress(this.run, column.i), title: full }, name(this.shortData(column, k))),
		);
	}

	headRow() {
		return h(
			"tr",
			{ "aria-rowindex": 1 },
			h(
				"th",
				{ class: "corner", scope: "col", "aria-sort": this.sortedBy("name") },
				this.sortButton("name", "Code", "name"),
			),
			h(
				"th",
				{ class: "sum", scope: "col", "aria-sort": this.sortedBy("total") },
				this.sortButton("total", "Total", "total"),
			),
			this.strip("th", (k) => this.headCell(this.columns[k], k)),
			!this.complete() &&
				h(
					"th",
					{ class: "rest", scope: "col" },
					"rest (" + (this.run.dataTable.length - this.columns.length) + ")",
				),
		);
	}

	complete() {
		return this.columns.length === this.run.dataTable.length;
	}

	totalCell(column) {
		return h(
			"td",
			{ class: "figure", title: exact(column.value), "data-between": this.between(this.boundsOf("data", column.i)) },
			this.sortButton("data/" + column.i, this.text(column.value), this.run.dataName(column.i)),
		);
	}

	totalRow() {
		const rest = Math.max(0, this.whole - sumValues(this.columns));
		return h(
			"tr",
			{ "aria-rowindex": 2, class: "total" },
			h("th", { scope: "row" }, "total"),
			h("td", { class: "figure", title: exact(this.whole) }, this.text(this.whole)),
			this.strip("td", (k) => this.totalCell(this.columns[k])),
			!this.complete() && h("td", { class: "figure rest", title: exact(rest) }, this.text(rest)),
		);
	}

	restRow() {
		const cell = (value) =>
			h("td", { class: "figure rest", title: exact(value) }, value > 0 ? this.text(value) : "");
		const listed = this.listed.reduce((s, v) => s + v, 0),
			rows = sumValues(this.rows),
			corner = this.whole - sumValues(this.columns) - (rows - listed);
		return h(
			"tr",
			{ class: "rest", "aria-rowindex": this.rows.length + 3 },
			h("th", { scope: "row" }, "rest (" + (this.run.code.length - this.rows.length) + ")"),
			cell(Math.max(0, this.whole - rows)),
			this.strip("td", (k) => cell(this.columns[k].value - this.listed[k])),
			!this.complete() && cell(Math.max(0, corner)),
		);
	}

	makeRow() {
		const line = h(
			"tr",
			{},
			h("th", { scope: "row" }, h("a", {}, name(""))),
			h("td", { class: "figure sum" }),
			gapCell(0, "td"),
			gapCell(0, "td"),
			!this.complete() && h("td", { class: "figure rest" }),
		);
		line.fields = [];
		return line;
	}

	// The values of a row's code by column.
	figuresOf(i) {
		if (!this.figures.has(i)) {
			const found = new Map(),
				bounds = new Map();
			let listed = 0;
			for (const bin of this.run.rowsOf("bins", "code", this.rows[i].i)) {
				const column = this.columnOf.get(this.run.bins.get(bin, "data"));
				if (column === undefined) continue;
				const value = sumOf(this.run.bins, bin, this.metric);
				listed += value;
				found.set(column, value);
				if (this.sampled) bounds.set(column, this.boundsOf("bins", bin));
			}
			found.listed = listed;
			found.bounds = bounds;
			this.figures.set(i, found);
		}
		return this.figures.get(i);
	}

	fillRow(line, i) {
		const row = this.rows[i],
			figures = this.figuresOf(i),
			c = this.c,
			heading = line.cells[0].firstChild;
		setAttribute(line, "aria-rowindex", i + 3);
		setAttribute(heading, "href", "#" + codeAddress(this.run, row.i));
		setAttribute(heading, "title", this.run.codeName(row.i));
		setText(heading.firstChild, this.shortCode(row, i));
		setText(line.cells[1], this.text(row.value));
		if (this.sampled) setAttribute(line.cells[1], "data-between", this.between(this.boundsOf("code", row.i)));
		this.resizeRow(line, c);
		for (let k = c[0]; k < c[1]; k++)
			this.fillCell(
				line.fields[k - c[0]],
				i,
				k,
				figures.has(k) ? figures.get(k) : null,
				figures.bounds.get(k) || null,
			);
		if (!this.complete()) {
			const rest = row.value - figures.listed;
			setText(line.lastChild, rest > 0 ? this.text(rest) : "");
		}
	}

	// As many cells as there are visible columns, between the two gaps.
	resizeRow(line, c) {
		const left = line.cells[2];
		while (line.fields.length > c[1] - c[0]) line.fields.pop().remove();
		while (line.fields.length < c[1] - c[0]) {
			const cell = h("td", { role: "gridcell", tabindex: -1 });
			(line.fields.length ? line.fields[line.fields.length - 1] : left).after(cell);
			line.fields.push(cell);
		}
		setWidth(left, c[0] * CELL_WIDTH);
		setWidth(line.cells[3 + line.fields.length], (this.columns.length - c[1]) * CELL_WIDTH);
	}

	fillCell(cell, i, k, value, bounds) {
		const here = i === this.at.row && k === this.at.column ? 0 : -1,
			of = "figure heat heat-" + this.heat(value || 0) + (value === null ? " none" : "");
		if (cell.className !== of) cell.className = of;
		if (cell.tabIndex !== here) cell.tabIndex = here;
		cell.value = value;
		cell.bounds = bounds;
		if (this.sampled) setAttribute(cell, "data-between", this.between(bounds));
		setText(cell, value === null ? "" : this.text(value));
	}

	// Labels for screen readers, set when scrolling has stopped.
	describe() {
		for (const line of this.sight.rows) {
			line.cells[1].title = exact(this.rows[line.shows].value);
			line.fields.forEach((cell, n) => {
				const k = this.c[0] + n;
				setAttribute(cell, "aria-colindex", k + 3);
				setAttribute(cell, "data-at", line.shows + "," + k);
				setAttribute(cell, "aria-label", this.words(line.shows, k, cell));
			});
		}
	}

	hasIntervals() {
		const figure = this.absolute ? this.metric.counts : this.metric.interval;
		return Boolean(figure) && (!this.run.run.hardware || figure === "stall_share");
	}

	words(i, k, { value, bounds }) {
		const here = this.run.codeName(this.rows[i].i) + " with " + this.run.dataName(this.columns[k].i) + ": ";
		if (value === null) return here + "no references";
		const between = bounds ? this.between(bounds) : "",
			known = between ? ", 95 %: " + between + (this.absolute ? "" : "%") : "";
		return here + exact(value) + " " + this.metric.unit + ", " + percent(value, this.whole) + " of all" + known;
	}

	// The position of an element of the matrix; null: it is not a cell.
	placeOf(element) {
		const cell = element.closest('[role="gridcell"]'),
			line = cell && cell.closest("tr");
		return line ? { row: line.shows, column: this.c[0] + line.fields.indexOf(cell) } : null;
	}

	cellAt(place) {
		const line = this.sight.rows[place.row - this.sight.first];
		return (line && line.fields[place.column - this.c[0]]) || null;
	}

	click(e) {
		const place = this.placeOf(e.target);
		if (!place) return;
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
		this.at = this.placeOf(e.target) || this.at;
	}

	// The title of a cell, set when it is pointed at: setting thousands of titles would take time.
	hover(e) {
		const cell = e.target.closest('[role="gridcell"]'),
			place = cell && this.placeOf(cell);
		if (place) setAttribute(cell, "title", this.words(place.row, place.column, cell));
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

// matrix.js - code by data as a heat map. Only what is in sight is drawn; what is small is one row
// and one column, unless all are asked for.

const CELL_WIDTH = 76,
	CELL_HEIGHT = 30,
	FEW_ROWS = 30,
	FEW_COLUMNS = 14,
	STEPS = 8,
	SMALL = 0.001;

class Matrix {
	constructor(run) {
		this.run = run;
		this.metrics = metricsOf(run);
		this.metric = this.metrics.find((m) => totalOf(run, m) > 0) || this.metrics[0];
		this.absolute = false;
		this.all = false;
		this.sort = "total"; // of rows: "total", "name", or "data/" and the row of a data
		this.at = { row: 0, column: 0 }; // the cell that the keyboard is on
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
		this.body = h("tbody");
		this.table = h(
			"table",
			{
				class: "matrix",
				role: "grid",
				"aria-label": "Matrix of code and data",
				onkeydown: (e) => this.key(e),
				onmouseover: (e) => this.hover(e),
				onfocusin: (e) => this.arrive(e),
			},
			this.head,
			this.body,
		);
		this.scroll = h("div", { class: "scroll matrix-scroll", onscroll: () => this.later() }, this.table);
		this.toggleAbsolute = toggle("Absolute", "Figures instead of shares", (on) => {
			this.absolute = on;
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

	// What the reader has chosen here; a data to sort by is told by its name.
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

	// Which rows there are depends on their totals, whatever they are sorted by.
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
		this.addUp();
		this.number.textContent =
			plural(this.rows.length, "function") +
			" of " +
			grouped(run.code.length) +
			", " +
			grouped(this.columns.length) +
			" data of " +
			grouped(run.dataTable.length);
		this.at = { row: 0, column: 0 };
		this.scroll.scrollTo(0, 0);
		this.redraw();
	}

	// The largest cell, and of each column what the listed rows have of it: the others are the rest.
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

	later() {
		if (!this.waiting)
			this.waiting = requestAnimationFrame(() => {
				this.waiting = 0;
				this.draw();
			});
	}

	text(value) {
		if (this.absolute || !this.whole) return count(value);
		const tenths = Math.round((value / this.whole) * 1000);
		return tenths === 0 && value > 0 ? "0.0" : (tenths / 10).toFixed(1);
	}

	// Small shares shall still be told apart: by the root of the share in the largest cell.
	heat(value) {
		return value > 0 && this.most > 0 ? Math.max(1, Math.ceil(Math.sqrt(value / this.most) * STEPS)) : 0;
	}

	drawLegend() {
		const unit = this.absolute || !this.whole ? "" : "% of all " + this.metric.label;
		replace(
			this.legend,
			h("span", {}, "0"),
			Array.from({ length: STEPS }, (_, i) => h("span", { class: "heat heat-" + (i + 1) })),
			h("span", {}, this.text(this.most), " ", unit),
		);
	}

	// Which rows and columns are in sight, and a few around.
	sight(everything) {
		const few = (n, from, length, each) => {
			const first = Math.max(0, Math.floor(from / each) - 2);
			return [first, Math.min(n, first + Math.ceil(length / each) + 4)];
		};
		const n = this.rows.length,
			m = this.columns.length;
		if (everything) return { r: [0, Math.min(n, FEW_ROWS)], c: [0, Math.min(m, FEW_COLUMNS)] };
		return {
			r:
				n > 80
					? few(n, this.scroll.scrollTop, this.scroll.clientHeight || 600, CELL_HEIGHT)
					: [0, n],
			c: m > 40 ? few(m, this.scroll.scrollLeft, this.scroll.clientWidth || 900, CELL_WIDTH) : [0, m],
		};
	}

	draw(everything) {
		const { r, c } = this.sight(everything),
			key = r + "/" + c;
		if (key === this.drawn) return;
		this.drawn = key;
		const focused = this.table.contains(document.activeElement);
		this.table.setAttribute("aria-rowcount", this.rows.length + 3);
		this.table.setAttribute("aria-colcount", this.columns.length + 3);
		replace(this.head, this.headRow(c), this.totalRow(c));
		const rows = [];
		if (r[0] > 0) rows.push(gapRow(r[0] * CELL_HEIGHT));
		for (let i = r[0]; i < r[1]; i++) rows.push(this.codeRow(i, c));
		if (r[1] < this.rows.length && !everything) rows.push(gapRow((this.rows.length - r[1]) * CELL_HEIGHT));
		if (this.rows.length < this.run.code.length) rows.push(this.restRow(c));
		replace(this.body, rows);
		if (focused) this.focus(false);
	}

	sides(c, cells, tag) {
		const left = c[0] * CELL_WIDTH,
			right = (this.columns.length - c[1]) * CELL_WIDTH;
		return [left > 0 && gapCell(left, tag), cells, right > 0 && gapCell(right, tag)];
	}

	headRow(c) {
		const heads = this.columns
			.slice(c[0], c[1])
			.map((column) =>
				h(
					"th",
					{ scope: "col", class: "data", "aria-sort": this.sortedBy("data/" + column.i) },
					h(
						"a",
						{
							href: "#data/" + column.i,
							title: this.run.dataTable.get(column.i, "full_name"),
						},
						name(this.run.dataName(column.i)),
					),
				),
			);
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
			this.sides(c, heads, "th"),
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

	totalRow(c) {
		const cells = this.columns
			.slice(c[0], c[1])
			.map((column) =>
				h(
					"td",
					{ class: "figure", title: exact(column.value) },
					this.sortButton(
						"data/" + column.i,
						this.text(column.value),
						this.run.dataName(column.i),
					),
				),
			);
		const listed = this.columns.reduce((sum, column) => sum + column.value, 0);
		return h(
			"tr",
			{ "aria-rowindex": 2, class: "total" },
			h("th", { scope: "row" }, "total"),
			h("td", { class: "figure", title: exact(this.whole) }, this.text(this.whole)),
			this.sides(c, cells, "td"),
			!this.complete() &&
				h(
					"td",
					{ class: "figure rest", title: exact(this.whole - listed) },
					this.text(Math.max(0, this.whole - listed)),
				),
		);
	}

	restRow(c) {
		const rest = (value) =>
			h("td", { class: "figure rest", title: exact(value) }, value > 0 ? this.text(value) : "");
		const sum = (list) => list.reduce((s, entry) => s + entry.value, 0),
			all = this.whole - sum(this.rows);
		const cells = this.columns
			.slice(c[0], c[1])
			.map((column, k) => rest(column.value - this.listed[c[0] + k]));
		const corner =
			this.whole - sum(this.columns) - (sum(this.rows) - this.listed.reduce((s, v) => s + v, 0));
		return h(
			"tr",
			{ class: "rest", "aria-rowindex": this.rows.length + 3 },
			h("th", { scope: "row" }, "rest (" + (this.run.code.length - this.rows.length) + ")"),
			rest(Math.max(0, all)),
			this.sides(c, cells, "td"),
			!this.complete() && rest(Math.max(0, corner)),
		);
	}

	codeRow(i, c) {
		const row = this.rows[i],
			bins = new Map();
		let listed = 0;
		for (const bin of this.run.rowsOf("bins", "code", row.i)) {
			const column = this.columnOf.get(this.run.bins.get(bin, "data"));
			if (column === undefined) continue;
			const value = sumOf(this.run.bins, bin, this.metric);
			listed += value;
			if (column >= c[0] && column < c[1]) bins.set(column, value);
		}
		const cells = [];
		for (let k = c[0]; k < c[1]; k++) cells.push(this.cell(i, k, bins.has(k) ? bins.get(k) : null));
		return h(
			"tr",
			{ "aria-rowindex": i + 3 },
			h(
				"th",
				{ scope: "row" },
				h(
					"a",
					{ href: "#code/" + row.i, title: this.run.codeName(row.i) },
					name(this.run.codeName(row.i)),
				),
			),
			h("td", { class: "figure sum", title: exact(row.value) }, this.text(row.value)),
			this.sides(c, cells, "td"),
			!this.complete() &&
				h(
					"td",
					{ class: "figure rest", title: exact(row.value - listed) },
					row.value > listed ? this.text(row.value - listed) : "",
				),
		);
	}

	cell(i, k, value) {
		const code = this.rows[i].i,
			data = this.columns[k].i,
			here = i === this.at.row && k === this.at.column;
		const label =
			this.run.codeName(code) +
			" with " +
			this.run.dataName(data) +
			": " +
			(value === null
				? "no references"
				: exact(value) +
					" " +
					this.metric.unit +
					", " +
					percent(value, this.whole) +
					" of all");
		return h(
			"td",
			{
				role: "gridcell",
				class: "figure heat heat-" + this.heat(value || 0) + (value === null ? " none" : ""),
				"aria-colindex": k + 3,
				tabindex: here ? 0 : -1,
				"aria-label": label,
				"data-at": i + "," + k,
				onclick: () => {
					this.at = { row: i, column: k };
					this.focus(false);
					this.openCell();
				},
			},
			value === null ? "" : this.text(value),
		);
	}

	openCell() {
		const row = this.rows[this.at.row],
			column = this.columns[this.at.column];
		if (row && column) location.hash = "bin/" + row.i + "/" + column.i;
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
			this.at.row = Math.min(this.rows.length - 1, Math.max(0, this.at.row + moves[e.key][0]));
			this.at.column = Math.min(
				this.columns.length - 1,
				Math.max(0, this.at.column + moves[e.key][1]),
			);
			this.focus(true);
		}
	}

	// However the focus came to a cell, the keyboard goes on from there.
	arrive(e) {
		if (!e.target.dataset.at) return;
		const [row, column] = e.target.dataset.at.split(",").map(Number);
		this.at = { row, column };
	}

	// What a cell says to those who point at it; a thousand titles that nobody reads would cost time.
	hover(e) {
		const cell = e.target.closest('[role="gridcell"]');
		if (cell) cell.setAttribute("title", cell.getAttribute("aria-label"));
	}

	// Brings the cell into sight first: it may not be drawn.
	focus(move) {
		const find = () => this.body.querySelector('[data-at="' + this.at.row + "," + this.at.column + '"]');
		if (move && !find()) {
			this.scroll.scrollTop = Math.max(0, this.at.row * CELL_HEIGHT - 200);
			this.scroll.scrollLeft = Math.max(0, this.at.column * CELL_WIDTH - 200);
			this.draw();
		}
		for (const old of this.body.querySelectorAll('td[tabindex="0"]')) old.setAttribute("tabindex", "-1");
		const cell = find();
		if (cell) {
			cell.setAttribute("tabindex", "0");
			cell.focus({ preventScroll: !move });
		}
	}
}

function gapRow(height) {
	const cell = h("td", {});
	cell.style.height = height + "px";
	return h("tr", { class: "space", "aria-hidden": "true" }, cell);
}

function gapCell(width, tag) {
	const cell = h(tag, { class: "gap", "aria-hidden": "true" });
	cell.style.minWidth = cell.style.width = width + "px";
	return cell;
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
	return [helpFor("matrix"), page.matrix.element];
}

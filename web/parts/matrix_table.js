// matrix_table.js - draws the matrix. Only visible cells exist (sight.js).

const CELL_WIDTH = 76,
	CELL_HEIGHT = 30,
	FEW_ROWS = 30,
	FEW_COLUMNS = 14,
	STEPS = 8,
	SMALL = 0.001,
	HEADING = 34, // characters of a name above a column, in at most three lines
	STILL = 120; // milliseconds without scrolling, until cells get their words

// Has run, rows, columns, metric, most, whole and listed of the matrix (matrix.js).
class MatrixTable {
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
		const unit = this.absolute || !this.whole ? " " : "% of all " + this.metric.label.replace(/^[A-Z](?=[a-z])/, (c) => c.toLowerCase());
		replace(
			this.legend,
			h("span", {}, "0"),
			Array.from({ length: STEPS }, (_, i) => this.colored(h("span"), "heat", i + 1, -1)),
			h("span", {}, this.text(this.most), unit, this.sampled && !this.hasIntervals() && this.noIntervals()),
		);
		this.causeKey.hidden = !this.byCause;
		if (this.byCause) replace(this.causeKey, legend(causeColors(this.run)));
		this.dataKey.hidden = !this.byData;
		if (this.byData) replace(this.dataKey, legend(dataColors(this.run, this.series)));
	}

	// A cell of these classes with the color of its heat, or of its data as strong as that; column -1: of no data.
	colored(cell, classes, heat, column) {
		const at = this.byData && column >= 0 ? this.series.get(this.columns[column].i) : undefined,
			of = classes + (this.byData && heat > 0 ? " tint" : " heat-" + heat);
		if (cell.className !== of) cell.className = of;
		const tint = this.byData && heat > 0 ? [at === undefined ? "var(--others)" : "var(--s" + at + ")", heat] : ["", ""];
		["--of", "--heat"].forEach((key, i) => cell.style.getPropertyValue(key) !== String(tint[i]) && cell.style.setProperty(key, tint[i]));
		return cell;
	}

	// The cause with most of the latency of a bin; of a figure of one level, with most of its misses there.
	causeOf(bin) {
		const causes = Array.from(latencyByCause(this.run, bin, this.divided, this.metric.level)).sort((a, b) => b[1] - a[1]);
		return causes.length > 0 ? causes[0][0] : null;
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
			r: n > 80 ? inSight(n, s.scrollTop, s.clientHeight || innerHeight, CELL_HEIGHT, 2) : [0, n],
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
			h("a", { href: "#" + dataAddress(this.run, column.i), title: full }, headingName(this.shortData(k))),
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
				bounds = new Map(),
				causes = new Map();
			let listed = 0;
			for (const bin of this.run.rowsOf("bins", "code", this.rows[i].i)) {
				const column = this.columnOf.get(this.run.bins.get(bin, "data"));
				if (column === undefined) continue;
				const value = sumOf(this.run.bins, bin, this.metric);
				listed += value;
				found.set(column, value);
				if (this.sampled) bounds.set(column, this.boundsOf("bins", bin));
				if (this.byCause) causes.set(column, this.causeOf(bin));
			}
			found.listed = listed;
			found.bounds = bounds;
			found.causes = causes;
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
		setText(heading.firstChild, this.shortCode(i));
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
				figures.causes.get(k),
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

	fillCell(cell, i, k, value, bounds, cause) {
		const here = i === this.at.row && k === this.at.column ? 0 : -1,
			classes = "figure heat" + (value === null ? " none" : "") + (cause ? " by-" + cause : "");
		this.colored(cell, classes, this.heat(value || 0), k);
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
		if (value === null) return here + (this.run.lacksBins ? "too few for this page" : "no references");
		const between = bounds ? this.between(bounds) : "",
			known = between ? ", 95%: " + between + (this.absolute ? "" : "%") : "";
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
}

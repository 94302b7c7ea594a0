// table.js - a table that sorts, filters, and draws only the visible rows.

const ROW_HEIGHT = 30,
	LEAST_WIDTH = 84, // of a column: any figure has room
	CARD_HEIGHT = 132,
	DRAW_ALL = 120,
	PRINTED = 50,
	NAME_WIDTH = 352, // of the first column at most, and its part of a small screen (tables.css)
	PADDING = 20;
const PHONE = matchMedia("(max-width: 599px)");
const TABLES = []; // all that were made; those of closed details are gone from the page

// For printing, the first rows of each. Afterwards the previous state is restored.
function printTables(begins) {
	for (const table of TABLES)
		if (document.contains(table.element)) {
			table.anew = true;
			table.draw(begins ? PRINTED : 0);
		}
}

// The page is redrawn.
function forgetTables() {
	TABLES.length = 0;
}

// columns: {key, label, help, text: true for words, value(row), cell(row), between(row): the interval of the figure};
// rows: numbers or objects; address(row): where its link leads; cards: on a phone each row is a card.
class ListTable {
	constructor(options) {
		Object.assign(this, { words: null, address: null }, options);
		TABLES.push(this);
		this.cards = Boolean(this.cards) && PHONE.matches;
		this.each = this.cards ? CARD_HEIGHT : ROW_HEIGHT;
		this.shown = this.rows.slice();
		this.sortKey = options.sort || null;
		this.down = options.down !== false;
		this.seen = [0, this.columns.length]; // columns that are drawn
		this.build();
		this.order();
	}

	build() {
		this.filter = h("input", {
			type: "search",
			placeholder: "Filter by name",
			"aria-label": "Filter: " + this.caption,
			oninput: () => this.order(),
		});
		this.number = h("span", { class: "quiet", role: "status" });
		this.body = h("tbody", { onclick: (e) => this.click(e), onmouseover: (e) => this.hover(e) });
		this.end = h("tr", {}, h("td", { colspan: this.columns.length, class: "quiet" }));
		this.sight = new Sight(
			this.body,
			this.each,
			() => this.makeRow(),
			(line, i) => this.fillRow(line, i),
		);
		this.heads = this.columns.map((c) => this.head(c));
		this.table = h(
			"table",
			{ "aria-rowcount": this.rows.length + 1, class: this.cards && "as-cards" },
			h("caption", { class: "hidden" }, this.caption),
			h("thead", {}, h("tr", { "aria-rowindex": 1 }, this.heads)),
			this.body,
		);
		this.scroll = h(
			"div",
			{
				class: "scroll",
				tabindex: 0,
				role: "region",
				"aria-label": this.caption,
				onscroll: beforeNextPicture(() => this.draw()),
			},
			this.table,
		);
		this.element = h(
			"div",
			{ class: "list" },
			this.words && this.rows.length > 8 && h("div", { class: "tools" }, this.filter, copyButton(() => this.markdown()), this.number),
			this.scroll,
		);
	}

	head(column) {
		if (!column.value) return h("th", { scope: "col" }, column.label);
		const button = h(
			"button",
			{ type: "button", title: HELP[column.help] || null, onclick: () => this.sortBy(column) },
			column.label,
		);
		return h("th", { scope: "col", class: column.text ? "word" : "figure" }, button);
	}

	sortBy(column) {
		this.down = this.sortKey === column.key ? !this.down : typeof column.value(this.rows[0]) !== "string";
		this.sortKey = column.key;
		this.order();
		say("Sorted by " + column.label + (this.down ? ", largest first" : ", smallest first"));
	}

	order() {
		const word = this.filter.value.toLowerCase(),
			column = this.columns.find((c) => c.key === this.sortKey);
		this.shown =
			word && this.words
				? this.rows.filter((row) => this.words(row).toLowerCase().includes(word))
				: this.rows.slice();
		if (column) {
			const sign = this.down ? -1 : 1,
				values = new Map(this.shown.map((row) => [row, column.value(row)]));
			this.shown.sort((a, b) => sign * compare(values.get(a), values.get(b)));
		}
		this.columns.forEach((c, i) => {
			if (c.value)
				this.heads[i].setAttribute(
					"aria-sort",
					c.key !== this.sortKey ? "none" : this.down ? "descending" : "ascending",
				);
		});
		this.number.textContent =
			this.shown.length === this.rows.length
				? plural(this.rows.length, "row")
				: grouped(this.shown.length) + " of " + plural(this.rows.length, "row");
		this.anew = true;
		this.cuts = [];
		this.draw();
	}

	widestName() {
		if (this.cards) return innerWidth * 0.6;
		return matchMedia("(max-width: 999px)").matches ? Math.min(NAME_WIDTH, innerWidth * 0.45) : NAME_WIDTH;
	}

	// The letters of the names in the first column.
	nameRoom() {
		return this.printed ? besideRow() : Math.floor(((this.fixed ? this.ends[0] : this.widestName()) - PADDING) / NAME_LETTER);
	}

	// A name that is too long for its column differs from those around it also when it is cut.
	cut(content, k, i) {
		const { value, room } = this.columns[k],
			text = room && content instanceof Element && content.matches("a") ? content.firstChild : content;
		if ((k > 0 && !room) || !isPlain(text) || !text.matches("bdi")) return content;
		if (!this.cuts[k])
			this.cuts[k] = shortNames(this.shown.length, (n) => visible(value(this.shown[n])), room || this.nameRoom());
		text.title = text.textContent;
		text.textContent = this.cuts[k](i);
		return content;
	}

	// The first of the rows that are shown, as the page shows them.
	markdown() {
		const columns = this.columns.filter((c) => c.value),
			cell = (c, row) => plainText(c.cell ? c.cell(row) : count(c.value(row)));
		return markdownTable(
			[columns.map((c) => c.label)].concat(this.shown.slice(0, COPIED_ROWS).map((row) => columns.map((c) => cell(c, row)))),
			columns.map((c) => !c.text),
		);
	}

	// Cells of these columns have new contents; others keep theirs, and the focus.
	refresh(keys) {
		this.columns.forEach((c, k) => {
			if (keys.includes(c.key)) for (const line of this.sight.rows) refill(line.cells[k], c.cell(this.shown[line.shows]));
		});
	}

	// The user's choices.
	view() {
		return {
			caption: this.caption,
			sort: this.sortKey,
			down: this.down,
			filter: this.filter.value,
			top: this.scroll.scrollTop,
			left: this.scroll.scrollLeft,
		};
	}

	restore(view) {
		this.sortKey = view.sort;
		this.down = view.down;
		this.filter.value = view.filter;
		this.order();
		this.scroll.scrollTo(view.left, view.top);
		this.draw();
	}

	// All rows if they are few; otherwise the visible ones. For printing: so many of the first.
	draw(printed) {
		const n = this.shown.length,
			few = n <= DRAW_ALL || printed;
		if (this.printed !== Boolean(printed)) this.cuts = [];
		this.printed = Boolean(printed);
		const [first, last] = few
			? [0, Math.min(n, printed || n)]
			: inSight(n, this.scroll.scrollTop, this.scroll.clientHeight || innerHeight, this.each, 2);
		const seen = few ? [0, this.columns.length] : this.columnsInSight(),
			wider = seen[0] < this.seen[0] || seen[1] > this.seen[1];
		this.leave(first, last);
		this.seen = seen;
		this.sight.show(first, last, printed ? last : n, this.anew || wider);
		this.anew = false;
		clearTimeout(this.still);
		if (seen[1] - seen[0] < this.columns.length) this.still = setTimeout(() => this.complete(), STILL);
		if (n === 0 || (printed && last < n)) this.body.append(this.end);
		else this.end.remove();
		const nothing = this.rows.length === 0 ? "none" : "no match";
		setText(this.end.firstChild, n === 0 ? nothing : "and " + plural(n - last, "more row"));
		if (!few && !this.fixed && !this.cards) this.fixWidths();
	}

	// The first and one past the last visible column, by their widths; before these are known, all.
	columnsInSight() {
		const n = this.columns.length;
		if (!this.fixed) return [0, n];
		const left = this.scroll.scrollLeft,
			right = left + this.scroll.clientWidth,
			last = this.ends.findIndex((end) => end >= right);
		return [this.ends.findIndex((end) => end > left), last < 0 ? n : last + 1];
	}

	// Columns next to the visible ones are filled when scrolling has stopped.
	complete() {
		this.seen = [0, this.columns.length];
		for (const line of this.sight.rows) this.fillRow(line, line.shows);
	}

	// The row with the focus may be reused for another one.
	leave(first, last) {
		const focused = document.activeElement.closest("tr");
		if (!focused || !this.body.contains(focused)) return;
		if (this.anew || focused.shows < first || focused.shows >= last)
			this.scroll.focus({ preventScroll: true });
	}

	// Column widths are those of the first rows, and of the longest name: then a row can be drawn without measuring the others.
	fixWidths() {
		const widths = this.heads.map((head) => head.getBoundingClientRect().width);
		if (!widths[0]) return; // it is not in the page yet
		const { text, value } = this.columns[0];
		let end = 0;
		if (text) {
			const longest = this.rows.reduce((n, row) => Math.max(n, String(value(row)).length), 0);
			widths[0] = Math.max(widths[0], Math.min(this.widestName(), longest * NAME_LETTER + PADDING));
		}
		this.fixed = true;
		this.ends = [];
		this.heads.forEach((head, i) => {
			const width = Math.ceil(Math.max(widths[i], LEAST_WIDTH));
			head.style.width = width + "px";
			this.ends.push((end += width));
		});
		this.table.classList.add("fixed");
		this.cuts = [];
		for (const line of this.sight.rows) this.fillRow(line, line.shows);
	}

	makeRow() {
		return h(
			"tr",
			{ class: this.address ? "opens" : null },
			this.columns.map((c, k) =>
				h(
					k === 0 ? "th" : "td",
					{ scope: k === 0 ? "row" : null, class: c.text ? "word" : "figure", "data-key": this.cards && c.key, "data-label": this.cards && c.label },
					k === 0 && this.address && h("a", { class: "plain" }),
				),
			),
		);
	}

	fillRow(line, i) {
		const row = this.shown[i];
		setAttribute(line, "aria-rowindex", i + 2);
		this.columns.forEach((c, k) => {
			if (k > 0 && (k < this.seen[0] || k >= this.seen[1])) return;
			const cell = k === 0 && this.address ? line.cells[0].firstChild : line.cells[k];
			if (k === 0 && this.address) setAttribute(cell, "href", this.address(row));
			refill(cell, this.cut(c.cell ? c.cell(row) : count(c.value(row)), k, i));
			if (c.between) setAttribute(line.cells[k], "data-between", c.between(row));
		});
	}

	// The exact figure of the cell that is pointed at; created only then.
	hover(e) {
		const cell = e.target.closest("td"),
			line = e.target.closest("tr");
		if (!cell || !this.sight.rows.includes(line)) return;
		const c = this.columns[cell.cellIndex];
		if (!c.text && !c.cell && c.value)
			cell.title =
				exact(c.value(this.shown[line.shows])) +
				(cell.dataset.between ? ", 95%: " + cell.dataset.between : "");
	}

	// Moves the focus by so many rows; at first to the first one.
	step(by) {
		const focused = document.activeElement.closest("tr"),
			at = focused && this.body.contains(focused) ? focused.shows + by : 0,
			row = Math.max(0, Math.min(this.shown.length - 1, at)),
			top = row * this.each;
		if (this.shown.length === 0) return;
		if (top < this.scroll.scrollTop) this.scroll.scrollTop = top;
		else if (top > this.scroll.scrollTop + this.scroll.clientHeight - 3 * this.each)
			this.scroll.scrollTop = top - this.scroll.clientHeight + 3 * this.each;
		this.draw();
		const line = this.sight.rows.find((r) => r.shows === row);
		if (!line) return;
		if (!this.address) line.tabIndex = -1; // its text does not take the focus
		(this.address ? line.cells[0].firstChild : line).focus();
	}

	click(e) {
		const line = e.target.closest("tr");
		if (!this.address || !this.sight.rows.includes(line)) return;
		// The whole row leads where its link does; links and fields in it work by themselves.
		if (!e.target.closest("button, a, input, label")) location.assign(this.address(this.shown[line.shows]));
	}
}

function compare(a, b) {
	if (typeof a === "string" || typeof b === "string") return String(a).localeCompare(String(b));
	return (a === null ? -1 : a) - (b === null ? -1 : b);
}

function say(text) {
	document.getElementById("status").textContent = visible(text);
}

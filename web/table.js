// table.js - a table that sorts, filters, and draws only the rows that are in sight.

const ROW_HEIGHT = 30,
	DRAW_ALL = 120,
	PRINTED = 50;
const TABLES = []; // all that were made; those of closed details are gone from the page

// Paper does not scroll: the first rows of each. Afterwards all is as it was.
function printTables(begins) {
	for (const table of TABLES)
		if (document.contains(table.element)) {
			table.drawn = null;
			table.draw(begins ? PRINTED : 0);
		}
}

// The page is drawn anew.
function forgetTables() {
	TABLES.length = 0;
}

// columns: {key, label, help, text: true for words, value(row), cell(row)}; rows: numbers or
// objects; open(row): what Enter and a click do.
class ListTable {
	constructor(options) {
		Object.assign(this, { words: null, open: null }, options);
		TABLES.push(this);
		this.shown = this.rows.slice();
		this.sortKey = options.sort || null;
		this.down = options.down !== false;
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
		this.body = h("tbody");
		this.heads = this.columns.map((c) => this.head(c));
		this.table = h(
			"table",
			{ "aria-rowcount": this.rows.length + 1 },
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
				onscroll: () => this.later(),
			},
			this.table,
		);
		this.element = h(
			"div",
			{ class: "list" },
			this.words && this.rows.length > 8 && h("div", { class: "tools" }, this.filter, this.number),
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
		say("Sorted by " + column.label + (this.down ? ", the most first" : ", the least first"));
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
		this.drawn = null;
		this.draw();
	}

	// What the reader has chosen here.
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

	later() {
		if (!this.waiting)
			this.waiting = requestAnimationFrame(() => {
				this.waiting = 0;
				this.draw();
			});
	}

	// All rows where they are few; else those in sight, between two empty rows as high as the rest.
	draw(everything) {
		const n = this.shown.length;
		let first = 0,
			last = n;
		if (n > DRAW_ALL && !everything) {
			const height = this.scroll.clientHeight || 600;
			first = Math.max(0, Math.floor(this.scroll.scrollTop / ROW_HEIGHT) - 4);
			first -= first % 2; // stripes stay where they are
			last = Math.min(n, first + Math.ceil(height / ROW_HEIGHT) + 8);
		} else if (everything) {
			last = Math.min(n, everything);
		}
		const key = first + "-" + last;
		if (key === this.drawn) return;
		this.drawn = key;
		const rows = [];
		if (first > 0) rows.push(this.space(first));
		for (let i = first; i < last; i++) rows.push(this.row(this.shown[i], i));
		if (last < n && !everything) rows.push(this.space(n - last));
		if (n === 0)
			rows.push(
				h(
					"tr",
					{},
					h(
						"td",
						{ colspan: this.columns.length, class: "quiet" },
						"nothing of that name",
					),
				),
			);
		if (everything && last < n)
			rows.push(
				h(
					"tr",
					{},
					h(
						"td",
						{ colspan: this.columns.length, class: "quiet" },
						"and " + plural(n - last, "more row"),
					),
				),
			);
		const focused = this.body.contains(document.activeElement) ? document.activeElement.dataset.row : null;
		replace(this.body, rows);
		if (focused !== null && focused !== undefined) {
			const again = this.body.querySelector('[data-row="' + focused + '"]');
			if (again) again.focus({ preventScroll: true });
		}
	}

	space(rows) {
		const cell = h("td", { colspan: this.columns.length });
		cell.style.height = rows * ROW_HEIGHT + "px";
		return h("tr", { class: "space", "aria-hidden": "true" }, cell);
	}

	row(row, i) {
		const cells = this.columns.map((c, k) => {
			const content = c.cell ? c.cell(row) : count(c.value(row));
			const open = k === 0 && this.open;
			return h(
				k === 0 ? "th" : "td",
				{
					scope: k === 0 ? "row" : null,
					class: c.text ? "word" : "figure",
					title: !c.text && !c.cell && c.value ? exact(c.value(row)) : null,
				},
				open
					? h(
							"button",
							{
								type: "button",
								class: "plain",
								"data-row": i,
								onclick: (e) => this.open(row, e),
							},
							content,
						)
					: content,
			);
		});
		const line = h("tr", { "aria-rowindex": i + 2 }, cells);
		if (this.open) {
			line.classList.add("opens");
			line.addEventListener("click", (e) => {
				if (!e.target.closest("button, a, input")) this.open(row, e);
			});
		}
		return line;
	}
}

function compare(a, b) {
	if (typeof a === "string" || typeof b === "string") return String(a).localeCompare(String(b));
	return (a === null ? -1 : a) - (b === null ? -1 : b);
}

function say(text) {
	document.getElementById("status").textContent = visible(text);
}

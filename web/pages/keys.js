// keys.js - what the keys do, and the dialog that says so.

const KEYS = [
	["/", "Search code, data and files"],
	["?", "This help"],
	["j, k", "Next and previous row of the list"],
	["Enter", "Open the row or the cell"],
	["Arrow keys", "In the matrix: from cell to cell"],
	["], [", "Next and previous part of the report"],
	["Escape", "Close the details, the search or this help"],
];

function keysDialog() {
	const dialog = h(
		"dialog",
		{ id: "keys", "aria-label": "Keys" },
		h("h2", {}, "Keys"),
		h(
			"dl",
			{ class: "facts" },
			KEYS.map(([key, what]) => [h("dt", {}, h("kbd", {}, key)), h("dd", {}, what)]),
		),
		h("form", { method: "dialog" }, h("button", {}, "Close")),
	);
	document.body.append(dialog);
	return dialog;
}

// Where there is no list: rows of annotated source, or links and charts. The first step leads to what is in sight.
function stepInText(section, by) {
	const seen = (what) => Array.from(section.querySelectorAll(what)).filter((e) => e.getClientRects().length > 0),
		rows = seen("tr.hot"),
		shown = rows.length > 0 ? rows : seen("a[href], summary, svg[tabindex], .scroll[tabindex]"),
		at = shown.findIndex((e) => e === document.activeElement || (rows.length > 0 && e.contains(document.activeElement))),
		next = shown[at < 0 ? Math.max(0, shown.findIndex((e) => e.getBoundingClientRect().top >= innerHeight / 3)) : at + by];
	if (next) {
		next.focus({ preventScroll: true });
		next.scrollIntoView({ block: "center" });
	}
}

// The list that has the focus, else the first one that is shown.
function listIn(section) {
	const lists = TABLES.filter((t) => section.contains(t.element) && t.element.getClientRects().length > 0);
	return lists.find((t) => t.element.contains(document.activeElement)) || lists[0];
}

// Keys of any page with lists; "/" filters the first list.
class ListKeyboard {
	constructor() {
		this.help = keysDialog();
		this.does = {
			"/": () => this.find(),
			"?": () => this.help.showModal(),
			j: () => this.step(1),
			k: () => this.step(-1),
			Enter: () => this.open(),
		};
		document.addEventListener("keydown", (e) => this.key(e));
	}

	find() {
		const field = document.querySelector('#main input[type="search"]');
		if (field) field.focus();
	}

	// Fields keep their keys; so does whoever is combined with Ctrl, Alt or Meta.
	key(e) {
		const writes = e.target.closest && e.target.closest("input, select, textarea, dialog");
		if (writes || e.ctrlKey || e.altKey || e.metaKey || !this.does[e.key]) return;
		if (e.key === "Enter" && !(document.activeElement && document.activeElement.matches("tr"))) return; // links and buttons do it themselves
		e.preventDefault();
		this.does[e.key]();
	}

	// Where the row that has the focus leads.
	open() {
		const link = document.activeElement.querySelector("a[href]");
		if (link) link.click();
	}

	step(by) {
		this.stepIn(document.getElementById("main"), by);
	}

	stepIn(section, by) {
		const list = listIn(section);
		if (list && section.querySelector("tr.hot") === null) list.step(by);
		else stepInText(section, by);
	}
}

// Keys of a report: also its parts, its matrix and its search.
class Keyboard extends ListKeyboard {
	constructor(page) {
		super();
		this.page = page;
		this.search = new Search();
		this.does["]"] = () => this.turn(1);
		this.does["["] = () => this.turn(-1);
	}

	find() {
		this.search.open(this.page.run, this.page.parts);
	}

	step(by) {
		if (this.page.part === "matrix") this.page.matrix.step(by);
		else this.stepIn(document.getElementById("part-" + this.page.part), by);
	}

	turn(by) {
		const parts = this.page.parts,
			at = parts.findIndex((p) => p.key === this.page.part) + by;
		// At once: after a new fragment, the event hashchange comes later than a second key may.
		history.pushState(null, "", partAddress(parts[(at + parts.length) % parts.length].key));
		this.page.go();
	}
}

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

// Rows of annotated source, where there is no list.
function stepInSource(section, by) {
	const rows = Array.from(section.querySelectorAll("tr.hot")).filter((row) => row.offsetParent !== null),
		at = rows.indexOf(document.activeElement.closest("tr")),
		row = rows[at < 0 ? 0 : at + by];
	if (row) {
		row.focus({ preventScroll: true });
		row.scrollIntoView({ block: "center" });
	}
}

class Keyboard {
	constructor(page) {
		this.page = page;
		this.search = new Search();
		this.help = keysDialog();
		this.does = {
			"/": () => this.search.open(page.run, page.parts),
			"?": () => this.help.showModal(),
			j: () => this.step(1),
			k: () => this.step(-1),
			"]": () => this.turn(1),
			"[": () => this.turn(-1),
		};
		document.addEventListener("keydown", (e) => this.key(e));
	}

	// Fields keep their keys; so does whoever is combined with Ctrl, Alt or Meta.
	key(e) {
		const writes = e.target.closest && e.target.closest("input, select, textarea, dialog");
		if (writes || e.ctrlKey || e.altKey || e.metaKey || !this.does[e.key]) return;
		e.preventDefault();
		this.does[e.key]();
	}

	step(by) {
		const section = document.getElementById("part-" + this.page.part),
			table = TABLES.find((t) => t.address && section.contains(t.element));
		if (this.page.part === "matrix") this.page.matrix.step(by);
		else if (table) table.step(by);
		else stepInSource(section, by);
	}

	turn(by) {
		const parts = this.page.parts,
			at = parts.findIndex((p) => p.key === this.page.part) + by;
		// At once: after a new fragment, the event hashchange comes later than a second key may.
		history.pushState(null, "", "#" + parts[(at + parts.length) % parts.length].key);
		this.page.go();
	}
}

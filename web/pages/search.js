// search.js - finds code, data, files and parts of the report by name.

const FOUND = 30; // entries that are listed

// What can be found: {kind, text, cost, address}.
function searchable(run, parts) {
	const list = parts.map((p) => ({ kind: "part", text: p.label, cost: 0, address: p.key })),
		all = run.totals.stall_cycles || 1;
	for (let i = 0; i < run.dataTable.length; i++)
		list.push({ kind: "data", text: run.dataName(i), cost: run.dataTable.get(i, "stall_cycles") / all, row: i });
	for (let i = 0; i < run.code.length; i++)
		list.push({ kind: "code", text: run.codeName(i), cost: run.code.get(i, "stall_cycles") / all, row: i });
	if (run.data.lines)
		run.data.lines.files.forEach((f, i) =>
			list.push({ kind: "source", text: baseName(f.file), cost: 0, address: "source/" + keyOf(run, "source", i) + "/1" }),
		);
	return list;
}

// 0: the whole name or its last component, 1: its beginning, 2: anywhere; -1: not at all.
function matchOf(text, word) {
	const lower = text.toLowerCase(),
		last = lower.slice(Math.max(lower.lastIndexOf("."), lower.lastIndexOf(":")) + 1);
	if (lower === word || last === word) return 0;
	if (lower.startsWith(word) || last.startsWith(word)) return 1;
	return lower.includes(word) ? 2 : -1;
}

// The best matches first, then the most costly.
function find(list, word) {
	const found = [];
	for (const entry of list) {
		const match = matchOf(entry.text, word);
		if (match >= 0) found.push({ entry, match });
	}
	found.sort((a, b) => a.match - b.match || b.entry.cost - a.entry.cost);
	return found.map((f) => f.entry);
}

class Search {
	constructor() {
		this.input = h("input", {
			type: "search",
			id: "search-input",
			role: "combobox",
			"aria-expanded": "true",
			"aria-controls": "search-found",
			"aria-label": "Search code, data and files",
			placeholder: "Code, data, file or part of the report",
			autocomplete: "off",
			oninput: () => this.list(),
			onkeydown: (e) => this.key(e),
		});
		this.found = h("ul", { id: "search-found", role: "listbox", "aria-label": "Found" });
		this.number = h("p", { class: "quiet", role: "status" });
		this.dialog = h("dialog", { id: "search", "aria-label": "Search" }, this.input, this.found, this.number);
		document.body.append(this.dialog);
	}

	open(run, parts) {
		this.run = run;
		this.take(parts);
		this.input.value = "";
		this.list();
		const coming = loading(run, ["lists", "lines"]);
		if (coming)
			coming.then(
				() => {
					this.take(parts);
					this.list();
				},
				(e) => (this.number.textContent = goneText(e)),
			);
		this.dialog.showModal();
		this.input.focus();
	}

	take(parts) {
		this.entries = searchable(this.run, parts);
	}

	addressOf(entry) {
		if (entry.address !== undefined) return entry.address;
		return entry.kind === "code" ? codeAddress(this.run, entry.row) : dataAddress(this.run, entry.row);
	}

	option(entry, i) {
		return h(
			"li",
			{ role: "option", id: "found-" + i, "aria-selected": String(i === this.at) },
			h(
				"a",
				{ href: "#" + this.addressOf(entry), tabindex: -1, onclick: () => this.dialog.close() },
				h("span", { class: "quiet kind" }, entry.kind),
				name(entry.text),
				entry.cost > 0 && h("span", { class: "quiet" }, percent(entry.cost, 1)),
			),
		);
	}

	list() {
		const word = this.input.value.trim().toLowerCase(),
			all = find(this.entries, word);
		this.at = 0;
		this.shown = all.slice(0, FOUND);
		replace(
			this.found,
			this.shown.map((entry, i) => this.option(entry, i)),
		);
		this.number.textContent =
			all.length === 0 ? "Nothing has this name." : all.length > FOUND ? "and " + grouped(all.length - FOUND) + " more" : "";
		this.mark();
	}

	mark() {
		Array.from(this.found.children).forEach((li, i) => li.setAttribute("aria-selected", String(i === this.at)));
		const li = this.found.children[this.at];
		setAttribute(this.input, "aria-activedescendant", li ? li.id : "");
		if (li) li.scrollIntoView({ block: "nearest" });
	}

	key(e) {
		const step = { ArrowDown: 1, ArrowUp: -1 }[e.key];
		if (e.key === "Escape") {
			// A browser would empty the field first.
			e.preventDefault();
			e.stopPropagation();
			this.dialog.close();
		} else if (step) {
			e.preventDefault();
			this.at = Math.max(0, Math.min(this.shown.length - 1, this.at + step));
			this.mark();
		} else if (e.key === "Enter" && this.shown[this.at]) {
			e.preventDefault();
			this.dialog.close();
			location.hash = this.addressOf(this.shown[this.at]);
		}
	}
}

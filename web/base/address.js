// address.js - addresses of what the page shows. They name code, data and files, so that a link to a page is valid for
// the page of the next run, too.

// Keys of the rows of a list: the first of the texts that no other row has, the last one if all are ambiguous.
class Keys {
	constructor(length, texts) {
		this.keys = new Array(length);
		this.rows = new Map();
		this.any = new Map(); // of texts that several rows have: the first of them
		const given = Array.from({ length }, (_, i) => texts(i)),
			uses = new Map();
		given.forEach((list, i) => {
			for (const text of new Set(list)) {
				uses.set(text, (uses.get(text) || 0) + 1);
				if (!this.any.has(text)) this.any.set(text, i);
			}
		});
		given.forEach((list, i) => {
			this.keys[i] = list.find((text) => uses.get(text) === 1) || list[list.length - 1];
			if (!this.rows.has(this.keys[i])) this.rows.set(this.keys[i], i);
		});
	}

	// -1: there is none. A number that is no key is the row itself.
	row(key) {
		if (this.rows.has(key)) return this.rows.get(key);
		if (this.any.has(key)) return this.any.get(key);
		return /^\d+$/.test(key) ? Number(key) : -1;
	}
}

const LISTS = {
	code: {
		length: (run) => run.code.length,
		texts: (run, i) => {
			const text = run.codeName(i),
				module = text + "@" + baseName(run.code.get(i, "module"));
			return [text, module, module + ":" + baseName(run.code.get(i, "file")) + ":" + run.code.get(i, "line")];
		},
	},
	data: {
		length: (run) => run.dataTable.length,
		texts: (run, i) => [run.dataName(i), run.dataTable.get(i, "full_name") || run.dataName(i)],
	},
	source: {
		length: (run) => run.data.lines.files.length,
		texts: (run, i) => [baseName(run.data.lines.files[i].file), run.data.lines.files[i].file],
	},
};

// list: code, data or source.
function keysOf(run, list) {
	if (!run.keys.has(list)) run.keys.set(list, new Keys(LISTS[list].length(run), (i) => LISTS[list].texts(run, i)));
	return run.keys.get(list);
}

function keyOf(run, list, row) {
	return encodeURIComponent(keysOf(run, list).keys[row] || String(row));
}

function codeAddress(run, row) {
	return "code/" + keyOf(run, "code", row);
}

function dataAddress(run, row) {
	return "data/" + keyOf(run, "data", row);
}

function binAddress(run, code, data) {
	return "bin/" + keyOf(run, "code", code) + "/" + keyOf(run, "data", data);
}

// Names that lead to the details of what has them, if that is in the page.
function codeLink(run, text) {
	const row = keysOf(run, "code").row(text);
	return row < 0 ? name(text) : link(codeAddress(run, row), name(text));
}

function dataLink(run, text) {
	const row = run.rowOfData.get(text);
	return row === undefined ? name(text) : link(dataAddress(run, row), name(text));
}

function lineAddress(run, file, line) {
	return "source/" + keyOf(run, "source", file) + "/" + line;
}

// "#matrix?code=main" has the parts ["matrix"] and the choice code=main.
function addressParts() {
	const text = location.hash.slice(1),
		at = text.indexOf("?");
	return {
		parts: (at < 0 ? text : text.slice(0, at)).split("/"),
		choices: new URLSearchParams(at < 0 ? "" : text.slice(at + 1)),
	};
}

// What the addresses of parts state besides the part: by part, choices that differ from what the page begins with; and for
// all parts, the range of time.
const CHOICES = { byPart: new Map(), range: {} };

// more: other choices than those.
function partAddress(part, more) {
	const chosen = Object.assign({}, CHOICES.byPart.get(part), CHOICES.range, more),
		query = new URLSearchParams(Object.entries(chosen).filter(([, value]) => value)).toString();
	return "#" + part + (query && "?" + query);
}

// The address of the part that is shown, without a step in the history, and where the tabs lead.
function showChoices() {
	const part = addressParts().parts[0];
	for (const tab of document.querySelectorAll("#nav a")) {
		tab.setAttribute("href", partAddress(tab.dataset.part));
		if (tab.dataset.part === part && addressParts().parts.length === 1) history.replaceState(null, "", partAddress(part));
	}
}

function keepChoices(part, choices) {
	CHOICES.byPart.set(part, choices);
	showChoices();
}

function keepChoice(part, choice, value) {
	const chosen = CHOICES.byPart.get(part) || {};
	if ((chosen[choice] || "") !== value) keepChoices(part, Object.assign({}, chosen, { [choice]: value }));
}

// What an address states beside the range of time; null: nothing.
function statedChoices(choices) {
	const stated = Array.from(choices).filter(([key]) => key !== "from" && key !== "to");
	return stated.length > 0 ? Object.fromEntries(stated) : null;
}

// range: {from, to} in steps, as texts; null: the whole run.
function keepRange(range) {
	CHOICES.range = range || {};
	showChoices();
}

// Text that a user may have shortened or mistyped.
function decoded(text) {
	try {
		return decodeURIComponent(text);
	} catch {
		return text;
	}
}

// The row that a part of an address names; -1: none.
function rowAt(run, list, text) {
	return text === undefined ? -1 : keysOf(run, list).row(decoded(text));
}

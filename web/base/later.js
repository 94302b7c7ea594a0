// later.js - what a served page of a large run does not have: it asks for that when it is shown. "later" of the page names
// these parts.

// Those of `names` that are not there yet, as one promise; null: all are there.
function loading(run, names) {
	const missing = names.filter((name) => run.later.has(name));
	return missing.length > 0 ? Promise.all(missing.map((name) => loadPart(run, name))) : null;
}

// Each is asked for once.
function loadPart(run, name) {
	run.coming = run.coming || new Map();
	if (!run.coming.has(name))
		run.coming.set(
			name,
			fetchJson("part/" + run.run.id + "/" + name + ".json").then(
				(part) => takePart(run, name, part),
				(e) => {
					run.coming.delete(name);
					throw e;
				},
			),
		);
	return run.coming.get(name);
}

function takePart(run, name, part) {
	if (part.tables) run.takeTables(part.tables, part.tables.texts);
	for (const key of Object.keys(part)) if (!["schema_version", "part", "tables"].includes(key)) run.data[key] = part[key];
	run.later.delete(name);
}

// A run with all bins, lines, evictors and members of code, data or both: their rows are those of the run, others are not.
async function loadDetails(run, code, data) {
	const row = code === null ? "data/" : data === null ? "code/" : "bin/",
		numbers = [run.run.id, code, data].filter((n) => n !== null).map((n, i) => (i > 0 ? n + 1 : n)),
		answer = await fetchJson(row + numbers.join("/") + ".json"),
		part = Object.create(run);
	part.tables = Object.assign({}, run.tables);
	part.data = Object.assign({}, run.data, { entries: null });
	part.whole = run;
	part.takeTables(answer.tables, answer.tables.texts);
	part.keys = run.keys;
	return part;
}

// In place of what is on its way.
function waitingNote() {
	return h("p", { class: "quiet waiting", role: "status" }, "These figures are being fetched.");
}

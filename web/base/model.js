// model.js - the data of the page: the JSON of memspy's commands, and its lists as tables.
// docs/formats/page-json.md describes both. Sums by code, data and bin are in the JSON; only sums that
// depend on a choice of the user are computed here.

function parse(id) {
	const element = document.getElementById(id);
	return element ? JSON.parse(element.textContent) : null;
}

const SERVER = parse("server");

// The figures of a large page: JSON, compressed by zlib, in base64.
async function unpacked(text) {
	const packed = atob(text),
		bytes = new Uint8Array(packed.length);
	for (let i = 0; i < packed.length; i++) bytes[i] = packed.charCodeAt(i);
	const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
	return JSON.parse(await new Response(stream).text());
}

// Passes the figures to `show`, or the reason why they cannot be decompressed to `fail`.
function withData(show, fail) {
	const element = document.getElementById("data");
	if (element.type === "application/json") show(parse("data"));
	else if (!window.DecompressionStream) fail("this browser is older than 2023 and cannot decompress it");
	else unpacked(element.textContent).then(show, () => fail("the file is incomplete"));
}

// Rows of figures under named columns; "stall_cycles" is read and write together.
class Table {
	constructor(raw, texts) {
		this.rows = raw.rows;
		this.texts = texts;
		this.at = new Map(raw.columns.map((path, i) => [path, i]));
		this.isText = new Set(raw.text_columns);
	}

	get length() {
		return this.rows.length;
	}

	get(row, path) {
		if (path === "stall_cycles") return this.get(row, "stall.read") + this.get(row, "stall.write");
		const i = this.at.get(path);
		if (i === undefined) return null;
		const found = this.rows[row][i],
			value = found === undefined ? 0 : found; // zeros at the end are left out
		return value !== null && this.isText.has(path) ? this.texts[value] : value;
	}

	has(path) {
		return this.at.has(path);
	}

	// Row numbers by the value of a column whose equal rows are adjacent.
	groups(path) {
		const found = new Map(),
			i = this.at.get(path);
		this.rows.forEach((row, n) => {
			const key = row[i] === undefined ? 0 : row[i],
				list = found.get(key);
			if (list) list.push(n);
			else found.set(key, [n]);
		});
		return found;
	}
}

function pathOf(object, path) {
	let value = object;
	for (const key of path.split(".")) {
		if (value === null || value === undefined) return null;
		value = value[key];
	}
	return value === undefined ? null : value;
}

// A run: tables by name, groups computed on first use.
class Run {
	constructor(data) {
		const texts = data.tables.texts;
		if (data.report.run.hardware) takeHardware(data);
		this.data = data;
		this.run = data.report.run;
		this.totals = data.report.totals;
		this.levels = this.run.machine_levels;
		this.tables = {};
		this.later = new Set(data.later || []); // see later.js
		this.several = (this.run.processors || 1) > 1;
		this.takeTables(data.tables, texts);
	}

	// Tables, in place of those of the same names.
	takeTables(raw, texts) {
		for (const key of Object.keys(raw)) if (key !== "texts") this.tables[key] = new Table(raw[key], texts);
		this.code = this.tables.code;
		this.dataTable = this.tables.data;
		this.bins = this.tables.bins;
		this.grouped = new Map();
		this.keys = new Map(); // see address.js
		this.intervals = null;
		this.slices = undefined; // see range.js
		this.rowOfData = new Map();
		for (let i = 0; i < this.dataTable.length; i++) this.rowOfData.set(this.dataTable.get(i, "name"), i);
	}

	// Code, data or bins of the run, of which the page may have a part.
	entries(table) {
		return this.data.entries ? this.data.entries[table] : this.tables[table].length;
	}

	// Whether there are bins that the page does not have.
	get lacksBins() {
		return this.bins.length < this.entries("bins") && !this.range;
	}

	group(table, path) {
		const key = table + "/" + path;
		if (!this.grouped.has(key)) this.grouped.set(key, this.tables[table].groups(path));
		return this.grouped.get(key);
	}

	rowsOf(table, path, value) {
		return this.group(table, path).get(value) || [];
	}

	total(path) {
		return pathOf(this.totals, path);
	}

	codeName(row) {
		return this.code.get(row, "name");
	}

	dataName(row) {
		return this.dataTable.get(row, "name");
	}

	bin(code, data) {
		const at = this.bins.at.get("data");
		for (const row of this.rowsOf("bins", "code", code))
			if ((this.bins.rows[row][at] || 0) === data) return row;
		return -1;
	}

	// The row with the intervals of a row of another table; undefined: it has none.
	intervalRow(of, row) {
		const t = this.tables.intervals;
		if (!this.intervals) {
			this.intervals = new Map();
			for (let i = 0; i < t.length; i++) this.intervals.set(t.get(i, "of") + "/" + t.get(i, "row"), i);
		}
		return this.intervals.get(of + "/" + row);
	}
}

// Whether rows of the table have references: with --misses-only they are known for code only.
function knowsReferences(run, of) {
	return !run.run.misses_only || (of !== "data" && of !== "bins");
}

// The name of the interval of a number of misses; of shares only all misses have one.
function counted(key, paths) {
	return key === "misses" ? key : paths[0].startsWith("causes.") ? paths[0] : null;
}

// The figures that can be chosen, for a row of any table and for the whole run.
function metricsOf(run) {
	const events = run.run.hardware && run.run.hardware.unit === "none", // then they are what shares are of
		ofReferences = events ? "stall_share" : "reference_share";
	const list = [
		{
			key: "stall",
			label: weight(run).title,
			unit: run.run.hardware ? run.run.hardware.unit : "cycles",
			paths: ["stall_cycles"],
			help: "stall",
			interval: "stall_share", // of a share, and of a count: the share's, where it is the same times all
			counts: run.run.hardware ? "stall_share" : "stall_cycles",
		},
		{
			key: "references",
			label: run.run.hardware ? "Events" : "References",
			unit: run.run.hardware ? "events" : "references",
			paths: ["references.read", "references.write"],
			help: "references",
			interval: ofReferences,
			counts: ofReferences,
		},
	];
	if (events) list.shift(); // it is the events again
	if (run.run.misses_only || run.range) list.pop();
	run.levels.forEach((level, i) => {
		const at = "levels." + i + ".";
		const of = (key, label, paths, help) =>
			list.push({
				key: level.name + "_" + key,
				label: level.name + " " + label,
				unit: "misses",
				level: i,
				help,
				paths: paths.map((p) => at + p),
				interval: key === "misses" ? at + "miss_share" : null,
				counts: counted(key, paths) ? at + counted(key, paths) : null,
			});
		of("misses", "misses", ["misses.read", "misses.write"], "misses");
		if (run.range && !run.rangeCauses) return;
		of("first", "first references", ["causes.first"], "first");
		of("replacement", "replacement misses", ["causes.replacement"], "replacement");
		if (!run.range && isDivided(run)) {
			of("capacity", "capacity misses", ["replacement.capacity"], "capacity");
			of("conflict", "conflict misses", ["replacement.conflict"], "conflict");
		}
		if (run.several) {
			of("invalidation", "invalidation misses", ["causes.invalidation"], "invalidation");
			if (run.range) return; // slices have no more than causes
			of("false_sharing", "false sharing", ["false_sharing"], "false_sharing");
			of("peer", "answered by another cache", ["peer"], "peer");
		}
		if (level.prefetch > 0 && !run.range) of("covered", "a prefetcher would cover", ["covered"], "covered");
	});
	return list;
}

// Cycles that a miss of each level takes longer than a hit there: its latency goes to what is asked next.
function missLatencies(run) {
	const latencies = run.levels.map((level) => level.latency).concat(run.run.memory_latency || 0);
	return run.levels.map((_, l) => Math.max(1, latencies[l + 1] - latencies[l]));
}

function sumOf(table, row, metric) {
	let sum = 0;
	for (const path of metric.paths) sum += table.get(row, path) || 0;
	return sum;
}

function totalOf(run, metric) {
	let sum = 0;
	for (const path of metric.paths) sum += run.total(path) || 0;
	return sum;
}

// layout.js - the members of a data structure, drawn as rows of cache lines: colors are stall time, the threads that use
// a member, or the group of members that are used together.

const LINE_BYTES = 64,
	LINE_HEIGHT = 30,
	BAND = 7, // height of the strip that shows reads, or writes, by thread
	MOST_LINES = 32, // of an element that are drawn
	MOST_COLORS = 8, // series of base.css; the rest is "others"
	PRINTED_LAYOUTS = 5;

// Pieces of members by line: a member may go over several.
function pieces(members, line) {
	const list = [];
	for (const m of members)
		for (let at = m.offset; at < m.offset + m.size; ) {
			const n = Math.floor(at / line),
				end = Math.min(m.offset + m.size, (n + 1) * line);
			list.push({ m, n, from: at - n * line, bytes: end - at, first: at === m.offset });
			at = end;
		}
	return list;
}

function memberWords(m, all) {
	if (m.name === null) return "padding: " + plural(m.size, "byte") + " at offset " + m.offset;
	const never = m.reads === 0 && m.writes === 0 ? ", never used" : m.reads === 0 ? ", never read" : m.writes === 0 ? ", never written" : "";
	return (
		m.name +
		" (" +
		m.type +
		"), " +
		plural(m.size, "byte") +
		" at offset " +
		m.offset +
		": " +
		percent(m.stall, all) +
		" of the stall, reads " +
		count(Math.round(m.reads)) +
		", writes " +
		count(Math.round(m.writes)) +
		never +
		(m.used_with ? ", used with " + m.used_with + " (" + percent(m.used_with_share, 1) + ")" : "") +
		(m.group ? ", group " + m.group : "") +
		threadWords(m) +
		(m.false_sharing > 0 ? ", false sharing: " + count(m.false_sharing) + missWord(m.false_sharing) : "")
	);
}

function threadWords(m) {
	const list = (what, key) => {
		const some = m.threads.filter((t) => t[key] > 0).map((t) => t.thread);
		return some.length > 0 ? ", " + what + " by thread " + processorList(some) : "";
	};
	return m.threads ? list("read", "reads") + list("written", "writes") : "";
}

// A strip below the name, divided as `parts` of {value, of}.
function colorBand(x, y, width, parts) {
	const whole = parts.reduce((sum, p) => sum + p.value, 0);
	let from = x;
	return parts
		.filter((p) => p.value > 0)
		.map((p) => {
			const w = (p.value / whole) * width,
				d = "M" + from.toFixed(1) + "," + y + "h" + w.toFixed(1) + "v" + BAND + "h-" + w.toFixed(1) + "Z";
			from += w;
			return svg("path", { class: "band fill-" + p.of, d });
		});
}

function threadsOfMember(run, member) {
	const t = run.tables.member_threads;
	return run
		.rowsOf("member_threads", "member", member)
		.map((row) => ({ thread: t.get(row, "thread"), reads: t.get(row, "reads"), writes: t.get(row, "writes") }));
}

function membersOf(run, data) {
	const t = run.tables.members;
	if (!t) return [];
	return run.rowsOf("members", "data", data).map((row) => {
		const m = {};
		for (const key of t.at.keys()) m[key] = t.get(row, key);
		m.threads = run.tables.member_threads ? threadsOfMember(run, row) : null;
		return m;
	});
}

// Columns of the table below the drawing.
function memberColumns(all) {
	const figure = (key, label) => ({ key, label, value: (m) => m[key] || 0, cell: (m) => (m.name === null ? "" : count(Math.round(m[key]))) });
	return [
		{ key: "name", label: "Member", text: true, value: (m) => (m.name === null ? "padding" : m.name), cell: (m) => name(m.name === null ? "padding" : m.name) },
		{ key: "offset", label: "Offset", value: (m) => m.offset },
		{ key: "size", label: "Bytes", value: (m) => m.size },
		{ key: "stall", label: "Stall", value: (m) => m.stall || 0, cell: (m) => (m.name === null ? "" : percent(m.stall, all)) },
		figure("reads", "Reads"),
		figure("writes", "Writes"),
		{ key: "with", label: "Used with", text: true, value: (m) => m.used_with || "", cell: (m) => name(m.used_with || "") },
	];
}

// What colors may mean: when(members), the height of a row, and box(piece, x, y, width): what is drawn in the frame.
const MEMBER_COLORS = [
	{
		key: "stall",
		label: "Stall time",
		when: () => true,
		high: LINE_HEIGHT,
		note: () => "The stronger the color, the more stall time (estimated).",
	},
	{
		key: "threads",
		label: "Threads",
		when: (members) => members.some((m) => m.threads && m.threads.length > 0),
		high: LINE_HEIGHT + BAND + 2,
		note: () => "Below the name: reads by thread, then writes by thread. Threads that write to the same line share it, even if they use different members.",
	},
	{
		key: "affinity",
		label: "Affinity",
		when: (members) => members.some((m) => m.group > 0),
		high: LINE_HEIGHT,
		note: () => "Members of one color are mostly used while the same line is in the first level: they belong together. Without a color: with no other member, or never.",
	},
];

class MemberLayout {
	constructor(run, members) {
		Object.assign(this, { run, members });
		this.line = run.levels.length ? run.levels[0].line : LINE_BYTES;
		this.bytes = members[0].element;
		this.all = members.reduce((sum, m) => sum + (m.stall || 0), 0);
		this.most = Math.max(...members.map((m) => m.stall || 0));
		this.threads = this.mostUsed();
		this.choices = MEMBER_COLORS.filter((c) => c.when(members));
		this.choose = choiceList("layout-colors", null, this.choices, () => this.draw());
		this.picture = h("div");
		this.draw();
	}

	// Threads with the most references have colors of their own.
	mostUsed() {
		const sums = new Map();
		for (const m of this.members)
			for (const t of m.threads || []) sums.set(t.thread, (sums.get(t.thread) || 0) + t.reads + t.writes);
		return Array.from(sums.keys()).sort((a, b) => sums.get(b) - sums.get(a) || a - b);
	}

	colorOf(thread) {
		const at = this.threads.indexOf(thread);
		return at < MOST_COLORS ? "series-" + at : "others";
	}

	threadName(thread) {
		const all = this.run.data.threads ? this.run.data.threads.threads : [],
			found = all.find((t) => t.thread === thread);
		return "thread " + thread + (found && found.name ? " (" + found.name + ")" : "");
	}

	bands(m, x, y, w, high) {
		if (this.by.key === "affinity")
			return m.group ? colorBand(x, y + high - BAND, w, [{ value: 1, of: m.group <= MOST_COLORS ? "series-" + (m.group - 1) : "others" }]) : null;
		if (this.by.key !== "threads" || !m.threads) return null;
		return ["reads", "writes"].map((key, i) =>
			colorBand(
				x,
				y + high - (2 - i) * (BAND + 1) + 1,
				w,
				m.threads.map((t) => ({ value: t[key], of: this.colorOf(t.thread) })),
			),
		);
	}

	box(piece, width) {
		const { m } = piece,
			x = (piece.from / this.line) * width,
			w = Math.max(0.5, (piece.bytes / this.line) * width - 1),
			y = piece.n * this.by.high,
			high = this.by.high - 4,
			heat = this.by.key === "stall" && m.stall > 0 && this.most > 0,
			steps = heat ? Math.max(1, Math.ceil(Math.sqrt(m.stall / this.most) * STEPS)) : 0,
			room = Math.floor((w - 5) / LETTER),
			text = m.name === null ? "padding" : m.name;
		return svg(
			"g",
			{ class: "member map-" + steps + (m.name === null ? " padding" : "") },
			svg("title", {}, memberWords(m, this.all)),
			svg("rect", { x: x.toFixed(1), y, width: w.toFixed(1), height: high }),
			this.bands(m, x, y, w, high),
			room >= 2 && svg("text", { x: (x + 3).toFixed(1), y: y + 14 }, shortened([visible(text)], room)[0]),
		);
	}

	key() {
		if (this.by.key === "threads")
			return legend(
				this.threads
					.slice(0, MOST_COLORS)
					.map((t) => ({ of: this.colorOf(t), label: this.threadName(t) }))
					.concat(this.threads.length > MOST_COLORS ? { of: "others", label: "other threads" } : []),
			);
		if (this.by.key !== "affinity") return null;
		const groups = Array.from(new Set(this.members.map((m) => m.group).filter((g) => g > 0))).sort((a, b) => a - b);
		return legend(
			groups.slice(0, MOST_COLORS).map((g) => ({
				of: "series-" + (g - 1),
				label: name(
					this.members
						.filter((m) => m.group === g)
						.map((m) => m.name)
						.join(", "),
				),
			})),
		);
	}

	draw() {
		this.by = this.choices.find((c) => c.key === this.choose.value) || this.choices[0];
		const lines = Math.min(MOST_LINES, Math.ceil(this.bytes / this.line)),
			width = Math.min(450, Math.max(280, innerWidth - 60));
		replace(
			this.picture,
			svg(
				"svg",
				{
					class: "data-map layout",
					viewBox: "0 0 " + width + " " + lines * this.by.high,
					role: "img",
					"aria-label": "Members by offset: " + this.members.map((m) => memberWords(m, this.all)).join("; "),
				},
				pieces(this.members, this.line)
					.filter((p) => p.n < lines)
					.map((p) => this.box(p, width)),
			),
			this.key(),
			h("p", { class: "quiet" }, this.by.note()),
		);
	}
}

// The details of the data may be open.
function withoutIds(section) {
	for (const element of [section, ...section.querySelectorAll("[id]")]) element.removeAttribute("id");
	return section;
}

// The layouts of the data that waits the most, for printing; null: no members are known.
function printedLayouts(run) {
	if (!run.tables.members) return null;
	const known = Array.from(run.group("members", "data").keys())
		.filter((data) => run.dataTable.get(data, "stall_cycles") >= SMALL * run.totals.stall_cycles)
		.sort((a, b) => run.dataTable.get(b, "stall_cycles") - run.dataTable.get(a, "stall_cycles") || a - b)
		.slice(0, PRINTED_LAYOUTS);
	if (known.length === 0) return null;
	return h(
		"section",
		{ class: "part", id: "printed-layouts" },
		h("h2", {}, "Layout of the data that waits the most"),
		known.map((data) => [h("h3", {}, name(run.dataName(data))), withoutIds(restoreControls(layoutOf(run, data)))]),
	);
}

// Whether lines of the data were observed, which members need.
function isObserved(run, data) {
	return ["line_use", "members"].some((key) => run.tables[key] && run.rowsOf(key, "data", data).length > 0);
}

// Why there are no members, as `memspy fields` says; null: it has none, or waits for almost nothing.
function noMembers(run, data) {
	const get = (path) => run.dataTable.get(data, path),
		watch = h("code", {}, "memspy run --watch '" + get("name") + "'");
	if (run.run.hardware || !["heap", "static"].includes(get("kind")) || get("stall_cycles") < SMALL * run.totals.stall_cycles) return null;
	return h(
		"section",
		{ id: "layout" },
		h("h4", {}, "Members"),
		h(
			"p",
			{ class: "quiet" },
			!isObserved(run, data)
				? ["Not known: none of its lines were among those that were observed; ", watch, " observes all."]
				: get("type")
					? ["Not known: its type, ", name(get("type")), ", has no members that are known, or only whole elements were copied."]
					: "Not known: its type is not known, and the distances between its accesses do not show elements.",
		),
	);
}

function layoutOf(run, data) {
	const members = membersOf(run, data);
	if (members.length === 0) return noMembers(run, data);
	const layout = new MemberLayout(run, members);
	return h(
		"section",
		{ id: "layout" },
		h("h4", {}, "Members"),
		h("p", { class: "quiet" }, "An element has " + plural(layout.bytes, "byte") + "; a row is a line of " + layout.line + "."),
		h(
			"div",
			{ class: "tools" },
			layout.choices.length > 1 && [h("label", { for: "layout-colors" }, "Colors "), layout.choose],
			pictureIn("Members of " + run.dataName(data), () => layout.picture),
		),
		layout.picture,
		new ListTable({ caption: "Members", rows: members, columns: memberColumns(layout.all) }).element,
	);
}

// layout.js - the members of a data structure, drawn as rows of cache lines: colours are stall time.

const LINE_BYTES = 64,
	LINE_HEIGHT = 30,
	MOST_LINES = 32; // of an element that are drawn

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
		(m.used_with ? ", used with " + m.used_with + " (" + percent(m.used_with_share, 1) + ")" : "")
	);
}

function memberBox(piece, width, line, all, most) {
	const { m } = piece,
		x = (piece.from / line) * width,
		w = (piece.bytes / line) * width,
		steps = m.stall > 0 && most > 0 ? Math.max(1, Math.ceil(Math.sqrt(m.stall / most) * STEPS)) : 0,
		room = Math.floor((w - 6) / LETTER),
		text = m.name === null ? "padding" : m.name;
	return svg(
		"g",
		{ class: "member map-" + steps + (m.name === null ? " padding" : "") },
		svg("title", {}, memberWords(m, all)),
		svg("rect", {
			x: x.toFixed(1),
			y: piece.n * LINE_HEIGHT,
			width: Math.max(0.5, w - 1).toFixed(1),
			height: LINE_HEIGHT - 4,
		}),
		room >= 2 && svg("text", { x: (x + 3).toFixed(1), y: piece.n * LINE_HEIGHT + 17 }, shortened([visible(text)], room)[0]),
	);
}

function membersOf(run, data) {
	const t = run.tables.members;
	if (!t) return [];
	return run.rowsOf("members", "data", data).map((row) => {
		const m = {};
		for (const key of t.at.keys()) m[key] = t.get(row, key);
		return m;
	});
}

// Columns of the table below the drawing.
function memberColumns(all) {
	const figure = (key, label) => ({ key, label, value: (m) => m[key] || 0, cell: (m) => (m.name === null ? "" : count(Math.round(m[key]))) });
	return [
		{ key: "name", label: "Member", text: true, value: (m) => m.name || "", cell: (m) => name(m.name === null ? "padding" : m.name) },
		{ key: "offset", label: "Offset", value: (m) => m.offset },
		{ key: "size", label: "Bytes", value: (m) => m.size },
		{ key: "stall", label: "Stall", value: (m) => m.stall || 0, cell: (m) => (m.name === null ? "" : percent(m.stall, all)) },
		figure("reads", "Reads"),
		figure("writes", "Writes"),
		{ key: "with", label: "Used with", text: true, value: (m) => m.used_with || "", cell: (m) => name(m.used_with || "") },
	];
}

// Nothing where members are not known.
function layoutOf(run, data) {
	const members = membersOf(run, data);
	if (members.length === 0) return null;
	const line = run.levels.length ? run.levels[0].line : LINE_BYTES,
		element = members[0].element,
		lines = Math.min(MOST_LINES, Math.ceil(element / line)),
		width = Math.min(450, Math.max(280, innerWidth - 60)),
		all = members.reduce((sum, m) => sum + (m.stall || 0), 0),
		most = Math.max(...members.map((m) => m.stall || 0));
	return h(
		"section",
		{ id: "layout" },
		h("h4", {}, "Members"),
		h(
			"p",
			{ class: "quiet" },
			"An element has " + plural(element, "byte") + "; a row is a line of " + line + ". Darker: more stall (estimated).",
		),
		svg(
			"svg",
			{
				class: "data-map layout",
				viewBox: "0 0 " + width + " " + lines * LINE_HEIGHT,
				role: "img",
				"aria-label": "Members by offset: " + members.map((m) => memberWords(m, all)).join("; "),
			},
			pieces(members, line)
				.filter((p) => p.n < lines)
				.map((p) => memberBox(p, width, line, all, most)),
		),
		new ListTable({ caption: "Members", rows: members, columns: memberColumns(all) }).element,
	);
}

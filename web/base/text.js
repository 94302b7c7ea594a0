// text.js - formats figures, rounded as in memspy's text reports.

// Rounds as printf: halfway cases to even.
function fixed(value, digits) {
	const long = value.toFixed(digits + 20),
		cut = long.length - 20,
		rest = long.slice(cut);
	if (rest !== "5" + "0".repeat(19)) return value.toFixed(digits);
	const low = digits > 0 ? long.slice(0, cut) : long.slice(0, cut - 1);
	return Number(low[low.length - 1]) % 2 === 0 ? low : value.toFixed(digits);
}

function count(value) {
	if (value === null || value === undefined) return "-";
	if (value < 10000) return Number.isInteger(value) ? String(value) : fixed(value, 1);
	let scaled = value,
		unit = -1;
	while (scaled >= 999.95) {
		scaled /= 1000;
		unit++;
	}
	return fixed(scaled, scaled < 9.995 ? 2 : 1) + "KMGTPE"[unit];
}

// One for all: creating a formatter takes longer than drawing a row.
const GROUPS = new Intl.NumberFormat("en-US");

function grouped(value) {
	return GROUPS.format(value);
}

function exact(value) {
	return value === null || value === undefined ? "not known" : grouped(Math.round(value));
}

function size(bytes) {
	const units = ["B", "KiB", "MiB", "GiB", "TiB", "PiB"];
	let scaled = bytes,
		unit = 0;
	while (scaled >= 1024 && unit < units.length - 1) {
		scaled /= 1024;
		unit++;
	}
	return (scaled === Math.floor(scaled) ? scaled.toFixed(0) : fixed(scaled, 1)) + " " + units[unit];
}

// To the nearest tenth of a per cent, as in text reports; "-" without a value.
function percent(part, whole) {
	if (!whole) return "-";
	return (Math.round((part / whole) * 1000) / 10).toFixed(1) + "%";
}

function share(value) {
	return value === null || value === undefined ? "-" : percent(value, 1);
}

function baseName(path) {
	return path === null || path === undefined ? "" : path.slice(path.lastIndexOf("/") + 1);
}

// Quoted for a shell, where needed.
function quoted(word) {
	return /^[A-Za-z0-9_@%+=:,.\/-]+$/.test(word) ? word : "'" + word.replace(/'/g, "'\\''") + "'";
}

// "6.53 ms".
function duration(nanoseconds) {
	const units = ["ns", "\u00b5s", "ms", "s"];
	let unit = 0,
		scaled = nanoseconds;
	while (scaled >= 1000 && unit < 3) {
		scaled /= 1000;
		unit++;
	}
	return (unit === 0 ? String(scaled) : scaled.toPrecision(3)) + " " + units[unit];
}

function plural(n, one, many) {
	return grouped(n) + " " + (n === 1 ? one : many || one + "s");
}

// Numbers of the texts that are equal to another one, group by group.
function alike(texts, numbers) {
	const groups = new Map();
	for (const i of numbers) groups.set(texts[i], (groups.get(texts[i]) || []).concat(i));
	return Array.from(groups.values()).filter((group) => group.length > 1);
}

// Cuts these names around the place where they begin to differ.
function cutApart(names, short, group, room) {
	const first = names[group[0]];
	let from = 0;
	while (from < first.length && group.every((i) => names[i][from] === first[from])) from++;
	if (group.every((i) => names[i].length === from)) return; // they are equal
	from = Math.max(0, from - 3);
	for (const i of group) {
		const end = from + room - (from > 0 ? 1 : 0);
		short[i] =
			(from > 0 ? "\u2026" : "") +
			(end < names[i].length ? names[i].slice(from, end - 1) + "\u2026" : names[i].slice(from));
	}
}

// Names of at most `room` characters that differ where the names do: cut in the middle, since names of one program often
// begin alike.
function shortened(names, room) {
	const head = Math.floor(room * 0.4),
		cut = (text) => text.slice(0, head) + "\u2026" + text.slice(head + 1 - room),
		short = names.map((text) => (text.length <= room ? text : cut(text)));
	// What was cut apart may be like another name, or differ again only further on.
	for (let times = 0; times < 5; times++)
		for (const group of alike(short, names.keys())) cutApart(names, short, group, room);
	return short;
}

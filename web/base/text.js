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

function missWord(n) {
	return n === 1 ? " miss" : " misses";
}

const MOST_PLACES = 32, // of a name, where it goes apart from others
	NAMES_AT_ONCE = 1000,
	NAME_LETTER = 8.4; // pixels of a letter of a name

// Groups of different names that look alike when they are cut, each in the order of its names; numbers of names.
function alike(names, short) {
	const groups = new Map();
	short.forEach((text, i) => {
		if (groups.has(text)) groups.get(text).push(i);
		else groups.set(text, [i]);
	});
	return Array.from(groups.values())
		.filter((group) => group.some((i) => names[i] !== names[group[0]]))
		.map((group) => group.sort((a, b) => (names[a] < names[b] ? -1 : names[a] > names[b] ? 1 : a - b)));
}

// Adds to the places of each name those where names of its group, which begin alike up to `from`, go apart.
function goApart(names, group, from, places) {
	const first = names[group[0]],
		last = names[group[group.length - 1]];
	let at = from,
		begin = 0;
	while (at < first.length && first[at] === last[at]) at++;
	if (at === first.length && at === last.length) return; // they are equal
	for (const i of group) places.get(i).push(at);
	for (let k = 1; k <= group.length; k++)
		if (k === group.length || names[group[k]][at] !== names[group[begin]][at]) {
			if (k - begin > 1 && places.get(group[begin]).length < MOST_PLACES) goApart(names, group.slice(begin, k), at, places);
			begin = k;
		}
}

// The pieces of a name around these places, as long as there is room; null: they do not fit.
function around(text, places, room) {
	places.sort((a, b) => a - b);
	for (let length = room; length > 2; length--) {
		let short = "",
			end = 0;
		for (const place of places) {
			if (place < end) continue;
			const from = Math.max(end, place - Math.min(3, length >> 2));
			short += (from > end ? "\u2026" : "") + text.slice(from, from + length);
			end = from + length;
		}
		short += end < text.length ? "\u2026" : "";
		if (short.length <= room) return short;
	}
	return null;
}

// Names of at most `room` characters that differ where the names do: cut in the middle, since names of one program often
// begin alike; if that leaves equal ones, around the places where they differ; if these are too many, with a number.
function shortened(names, room) {
	const head = Math.floor(room * 0.4),
		short = names.map((text) => (text.length <= room ? text : text.slice(0, head) + "\u2026" + text.slice(head + 1 - room))),
		places = new Map();
	// What was cut around its places may be like a name of another group.
	for (let times = 0; times < 3; times++)
		for (const group of alike(names, short)) {
			for (const i of group) if (!places.has(i)) places.set(i, []);
			goApart(names, group, 0, places);
			for (const i of group) if (names[i].length > room) short[i] = around(names[i], places.get(i), room) || short[i];
		}
	const numbers = new Map();
	if (room < 8) return short;
	for (const i of alike(names, short).flat()) {
		if (!numbers.has(names[i])) numbers.set(names[i], numbers.size + 1 + ":");
		short[i] = (numbers.get(names[i]) + short[i]).slice(0, room);
	}
	return short;
}

// Of n names, those that are shown, by their number, many at a time: neighbors differ where their names do.
function shortNames(n, named, room) {
	const blocks = new Map();
	return (i) => {
		const from = i - (i % NAMES_AT_ONCE);
		if (!blocks.has(from)) {
			const to = Math.min(n, from + NAMES_AT_ONCE);
			blocks.set(from, shortened(Array.from({ length: to - from }, (_, k) => named(from + k)), room));
		}
		return blocks.get(from)[i - from];
	};
}

// The letters of a name beside a row of a matrix; on a small screen the column is smaller (matrix.css).
function besideRow() {
	return matchMedia("(max-width: 999px)").matches ? 14 : 26;
}

// axis.js - numbers along an axis: round ones, as many as have room.

const MOST_TICKS = 8, // distances between them
	TICK_LETTER = 7.8, // pixels of a letter
	TICK_GAP = 20, // and between texts
	TICK_LINE = 26; // from a line of texts to the next one

// The smallest of 1, 2, 2.5 and 5 times a power of ten that is not below a value.
function roundStep(least) {
	const power = 10 ** Math.floor(Math.log10(least));
	return [1, 2, 2.5, 5, 10].find((m) => m * power >= least * (1 - 1e-9)) * power;
}

// As count(), without zeros at the end.
function tickText(value) {
	return value < 10000 ? String(Number(value.toPrecision(6))) : count(value).replace(/\.?0+(?=[A-Z])/, "");
}

// Where the text of a mark begins and ends; it stays within the axis.
function tickSpan({ at, text }, length) {
	const x = at * length,
		half = (text.length * TICK_LETTER) / 2,
		anchor = x < half ? "start" : x + half > length ? "end" : "middle",
		from = { start: x, end: x - 2 * half, middle: x - half }[anchor];
	return { x, anchor, from, to: from + 2 * half };
}

function areApart(ticks, length, up) {
	const gap = (a, b) => (up ? (b.at - a.at) * length - TICK_LINE : tickSpan(b, length).from - tickSpan(a, length).to - TICK_GAP);
	return ticks.every((tick, i) => i === 0 || gap(ticks[i - 1], tick) >= 0);
}

// Multiples of a round step on an axis of this length: [{at: 0 to 1, text}]. unit: of what they are multiples; whole: there
// is nothing between whole numbers; up: the axis goes upwards.
function roundTicks(end, length, { from = 0, text = tickText, unit = 1, whole = false, up = false } = {}) {
	if (!(end > from)) return [{ at: 0, text: text(from) }];
	for (let step = roundStep((end - from) / unit / MOST_TICKS); ; step = roundStep(1.01 * step)) {
		const first = Math.ceil(from / unit / step - 1e-9),
			n = Math.floor(end / unit / step + 1e-9) - first + 1,
			ticks = Array.from({ length: n }, (_, i) => (first + i) * step * unit).map((value) => ({ at: (value - from) / (end - from), text: text(value) }));
		if ((!whole || step % 1 === 0) && (n < 2 || areApart(ticks, length, up))) return ticks;
	}
}

// Of things with these numbers, `end` not included.
function numberTicks(end, length, options) {
	return roundTicks(end, length, { text: String, whole: true, ...options }).filter((t) => t.at < 1);
}

// Of shares up to this one.
function percentTicks(highest, length) {
	return roundTicks(100 * highest, length, { text: (v) => tickText(v) + "%", up: true });
}

// Of bytes, all in the unit that their end has.
function byteTicks(end, length) {
	const [, word] = size(end).split(" "),
		unit = 1024 ** Math.floor(Math.log2(end) / 10);
	return roundTicks(end, length, { text: (v) => tickText(v / unit) + (v > 0 ? " " + word : ""), unit });
}

// Texts at equal distances, from one end to the other, or marks as above.
function marksOf(ticks) {
	return ticks.map((tick, i) => (tick.text === undefined ? { at: i / (ticks.length - 1), text: tick } : tick));
}

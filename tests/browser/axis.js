// tests/browser/axis.js PAGE ARRAYS DATA RANKS - the numbers along axes are round, in their places, and apart from each other, on any
// screen. ARRAYS: a page with DATA, a large array; RANKS: of a parallel job.
"use strict";
const fs = require("fs");
const path = require("path");
const vm = require("vm");
const { run, check, same, turnTo } = require("./lib.js");
const [pageFile, arrays, data, ranks] = process.argv.slice(2);

const web = path.resolve(__dirname, "../../web/base");
const { roundTicks, numberTicks, byteTicks, percentTicks, tickText } = vm.runInNewContext(
	["text.js", "axis.js"].map((file) => fs.readFileSync(path.join(web, file), "utf8")).join("\n") + "; ({ roundTicks, numberTicks, byteTicks, percentTicks, tickText })",
);

const UNITS = { "": 1, K: 1e3, M: 1e6, G: 1e9, T: 1e12, "%": 1, B: 1, KiB: 1024, MiB: 1024 ** 2, GiB: 1024 ** 3 };

function valueOf(text) {
	const found = /^([\d.]+) ?([A-Za-z%]*)$/.exec(text);
	return found ? Number(found[1]) * UNITS[found[2]] : NaN;
}

function isNear(a, b) {
	return Math.abs(a - b) <= 1e-6 * Math.max(Math.abs(a), Math.abs(b), 1e-12);
}

// 1, 2, 2.5 or 5 times a power of ten.
function isRound(step) {
	const power = 10 ** Math.floor(Math.log10(step) + 1e-9);
	return [1, 2, 2.5, 5, 10].some((m) => isNear(m * power, step));
}

// Of an axis from a value to another one: what is wrong with its marks.
function wrong(ticks, from, end, unit = 1) {
	const values = ticks.map((t) => valueOf(t.text)),
		step = (values[1] - values[0]) / unit;
	if (ticks.length < 2 || ticks.length > 10) return "number of marks";
	if (!isRound(step)) return "distance " + step;
	if (!values.every((v, i) => i === 0 || isNear((v - values[i - 1]) / unit, step))) return "distances";
	if (!ticks.every((t, i) => Math.abs(t.at - (values[i] - from) / (end - from)) < 1e-3)) return "places";
	return values[0] - from >= step * unit || end - values[values.length - 1] >= step * unit * (1 + 1e-9) ? "an end without a mark" : null;
}

function numbers() {
	const found = [];
	let n = 0;
	for (let end = 0.003; end < 1e13; end *= 1.37)
		for (const length of [240, 331, 700, 1290]) {
			const ticks = roundTicks(end, length),
				width = (t) => t.text.length * 7;
			n++;
			if (wrong(ticks, 0, end)) found.push([end, length, wrong(ticks, 0, end), ticks]);
			if (ticks.some((t, i) => i > 0 && (t.at - ticks[i - 1].at) * length < (width(t) + width(ticks[i - 1])) / 2)) found.push([end, length, "overlap", ticks]);
		}
	check("numbers from tiny to huge have round marks, on any width", n > 400 && found.length === 0, found.slice(0, 3));
	const texts = (ticks) => ticks.map((t) => t.text).join(" ");
	same("steps", texts(roundTicks(12600000, 1290, { whole: true })), "0 2M 4M 6M 8M 10M 12M");
	same("on a narrow axis", texts(roundTicks(12600000, 230, { whole: true })), "0 5M 10M");
	same("few of them", texts(roundTicks(3, 1290, { whole: true })), "0 1 2 3");
	same("of ranks, from the first one", texts(numberTicks(1064, 900, { from: 1000 })), "1000 1010 1020 1030 1040 1050 1060");
	same("and without one after the last", texts(numberTicks(40, 900)), "0 5 10 15 20 25 30 35");
	same("upwards", texts(roundTicks(0.7, 160, { up: true })), "0 0.2 0.4 0.6");
	same("shares", texts(percentTicks(0.0312, 160)), "0% 1% 2% 3%");
	same("bytes", texts(byteTicks(80000, 448)), "0 20 KiB 40 KiB 60 KiB");
	same("of more than a unit", texts(byteTicks(1.3 * 1024 ** 2, 448)), "0 0.5 MiB 1 MiB");
	same("nothing", texts(roundTicks(0, 900)), "0");
	same("as texts", [0, 0.25, 7.5, 950, 9999, 10000, 12500, 100000, 2.5e6, 1e9].map(tickText).join(" "), "0 0.25 7.5 950 9999 10K 12.5K 100K 2.5M 1G");
}

// The axes of a chart: [{text, x, y}] below it and beside it, and whether texts cover each other or leave the picture.
function drawn(selector) {
	return [...document.querySelectorAll(selector)]
		.filter((chart) => chart.checkVisibility())
		.map((chart) => {
			const all = [...chart.querySelectorAll("text.tick")].filter((t) => /^[\d.]/.test(t.textContent)),
				boxes = all.map((t) => t.getBoundingClientRect()),
				whole = chart.getBoundingClientRect(),
				mark = (t) => ({ text: t.textContent, x: Number(t.previousElementSibling.getAttribute("x1")), y: Number(t.getAttribute("y")) }),
				side = (t) => Number(t.getAttribute("x")) < 0;
			return {
				across: all.filter((t) => !side(t)).map(mark),
				up: all.filter(side).map(mark),
				covered: boxes.some((a, i) => boxes.some((b, k) => k > i && Math.min(a.right, b.right) - Math.max(a.left, b.left) > 0 && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 3)),
				outside: boxes.some((b) => b.left < whole.left - 1 || b.right > whole.right + 1),
			};
		});
}

// Marks of a drawn axis are round, and as far apart as their numbers.
function isGood(marks, key, unit = 1) {
	const values = marks.map((m) => valueOf(m.text)),
		step = values[1] - values[0],
		each = marks.length > 1 ? marks[1][key] - marks[0][key] : 0;
	return marks.length > 1 && isRound(Math.abs(step) / unit) && marks.every((m, i) => Math.abs(values[i] - values[0] - i * step) < 0.01 * Math.abs(step) && Math.abs(m[key] - marks[0][key] - i * each) < 0.5);
}

async function charts(page, at, selector, wanted, good) {
	const list = await page.evaluate(drawn, selector);
	check(at + ": charts are there", list.length >= wanted, list.length);
	check(at + ": their numbers are round and in their places", list.every(good), list.filter((c) => !good(c)));
	check(at + ": and apart", list.every((c) => !c.covered && !c.outside), list.filter((c) => c.covered || c.outside));
}

run(async (open) => {
	numbers();
	for (const viewport of [
		{ width: 1400, height: 900 },
		{ width: 390, height: 844 },
	]) {
		const page = (await open(pageFile + "#timeline", { viewport })).page,
			array = (await open(arrays + "#data/" + encodeURIComponent(data), { viewport })).page,
			job = (await open(ranks + "#ranks", { viewport })).page,
			at = viewport.width + " pixels, ";
		await page.waitForSelector("#part-timeline .set-map");
		const isShare = (c) => c.up.every((m) => m.text.endsWith("%")); // contents of a level: 0, 50 and 100 %
		await charts(page, at + "timeline", "#part-timeline .chart", 6, (c) => isGood(c.across, "x") && (isShare(c) || isGood(c.up, "y")));
		await array.waitForSelector("#address-heat");
		await charts(array, at + "addresses", "#address-heat .chart", 1, (c) => isGood(c.across.slice(1), "x", 1024));
		await charts(array, at + "misses by size", "#line-use .miss-curve", 1, (c) => isGood(c.up, "y"));
		await turnTo(job, "ranks");
		await charts(job, at + "ranks", "#rank-map .chart", 1, (c) => isGood(c.across, "x"));
	}
});

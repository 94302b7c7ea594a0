// tests/browser/long-names.js PAGE - names that begin and end alike, and differ at several places: those that are shown differ, too.
"use strict";
const { run, check, same, turnTo } = require("./lib.js");
const [pageFile] = process.argv.slice(2);

// Names that are shown in these cells, with the whole name; and whether a part of what is shown is hidden.
function namesOf(selector) {
	const hidden = (e) => getComputedStyle(e).overflow !== "visible" && (e.scrollWidth > e.clientWidth + 1 || e.scrollHeight > e.clientHeight + 1);
	return Array.from(document.querySelectorAll(selector)).map((text) => {
		let clips = false;
		for (let e = text; !e.matches("tr"); e = e.parentElement) clips = clips || (e.clientWidth > 0 && hidden(e));
		return { shown: text.textContent, name: (text.closest("[title]") || text).title || "", clips };
	});
}

const LISTS = [
	["overview", "#heat-map thead th.data .name", 5],
	["overview", "#heat-map tbody th .name", 5],
	["matrix", "#part-matrix .matrix thead th.data .name", 10],
	["matrix", "#part-matrix .matrix tbody th .name", 20],
	["code", "#part-code tbody th .name", 50],
	["data", "#part-data .list tbody th .name", 50],
	["data", "#part-data .list td .name.cut", 50],
	["evictions", "#part-evictions .matrix thead th.data .name", 5],
	["evictions", "#part-evictions .matrix tbody th .name", 5],
];

// Pieces of names above columns, from bracket to bracket, that are broken though a line has room for them.
function brokenPieces(selector) {
	const broken = [];
	for (const text of document.querySelectorAll(selector))
		for (const piece of text.childNodes) {
			const range = document.createRange();
			range.selectNodeContents(piece);
			if (piece.data && !/\s/.test(piece.data) && piece.data.length < 16 && range.getClientRects().length > 1) broken.push(piece.data);
		}
	return broken;
}

async function lookAt(page, [part, selector, least], size) {
	await turnTo(page, part);
	await page.waitForSelector(selector);
	const all = await page.evaluate(namesOf, selector),
		names = new Map(all.map((n) => [n.name, n.shown]));
	check(size + ", " + part + ": many long names", names.size >= least && all.every((n) => n.name.length > 60 && n.shown.length < 50), all.slice(0, 3));
	const shown = Array.from(names.values()).sort();
	same("of which none is shown as another one", shown.filter((text, i) => text === shown[i + 1]), []);
	if (selector.includes(".data ")) same("or broken between brackets", await page.evaluate(brokenPieces, selector), []);
	same("or cut once more", all.filter((n) => n.clips), []);
}

// Lists with rows below the visible ones that are not filled down to their edge.
function gaps() {
	return Array.from(document.querySelectorAll(".part:not([hidden]) :is(.list .scroll, .matrix-scroll)"), (scroll) => {
		const rows = Array.from(scroll.querySelectorAll("tbody tr:not(.space)")),
			last = rows[rows.length - 1].getBoundingClientRect().bottom;
		return last < scroll.getBoundingClientRect().bottom - 40 ? scroll.getAttribute("aria-label") + ": " + rows.length : null;
	}).filter((gap) => gap);
}

async function tall(open) {
	const { page } = await open(pageFile + "#overview", { viewport: { width: 1280, height: 1700 } });
	for (const part of ["evictions", "data", "code"]) {
		await turnTo(page, part);
		await page.waitForSelector("#part-" + part + " tbody tr");
		same("a high window, " + part + ": lists are filled", await page.evaluate(gaps), []);
	}
}

run(async (open) => {
	await tall(open);
	for (const [size, viewport] of [
		["wide", { width: 1280, height: 800 }],
		["phone", { width: 390, height: 844 }],
	]) {
		const { page } = await open(pageFile + "#overview", { viewport });
		for (const list of LISTS) await lookAt(page, list, size);
		await turnTo(page, "data");
		await page.fill('#part-data input[type="search"]', "[3]");
		const left = await page.evaluate(namesOf, "#part-data .list tbody th .name");
		check("filtered by the whole name", left.length === 10 && left.every((n) => n.name.includes("[3]")), left);
	}
});

// tests/browser/looks.js PAGE... - every part of pages on a wide screen and on a phone, light, dark and printed: nothing is
// wider than the screen, no text covers another one or is too faint, nothing moves under the pointer. With PICTURES=FOLDER
// it keeps what it has seen.
"use strict";
const { run, same, check, until } = require("./lib.js");
const facts = require("./facts.js");
const pages = process.argv.slice(2);

const PHONE = { width: 390, height: 844 };
const LOOKS = [
	{ key: "wide, light", theme: "light" },
	{ key: "wide, dark", theme: "dark" },
	{ key: "phone, light", theme: "light", viewport: PHONE },
	{ key: "phone, dark", theme: "dark", viewport: PHONE },
];
const GOOD = { wider: 0, overlapping: [], faint: [], small: [], unnamed: [] };

async function look(page, where, found) {
	const { texts, ...rest } = await page.evaluate(facts);
	if (JSON.stringify(rest) !== JSON.stringify(GOOD)) found.push([where, rest]);
	if (texts === 0) found.push([where, "no text"]);
	if (process.env.PICTURES) await page.screenshot({ path: process.env.PICTURES + "/" + where.replace(/\W+/g, "-") + ".png", fullPage: true });
}

// Of a file, or of a served page without its token.
function nameOf({ protocol, pathname }) {
	return protocol === "file:" ? pathname.replace(/^.*\/([^/]+?)(\.html)?$/, "$1") : pathname.split("/").slice(2).join(" ") || "runs";
}

function partsOf(page) {
	return page.locator("#nav a").evaluateAll((list) => list.map((a) => a.dataset.part));
}

async function show(page, part) {
	await page.locator('#nav a[data-part="' + part + '"]').click();
	await until(page, (key) => !document.getElementById("part-" + key).hidden, part);
}

// What the pointer passes over must stay where it is. Only Chromium reports it.
async function movesUnderPointer(page) {
	await page.evaluate(() => {
		window.moved = [];
		if (!PerformanceObserver.supportedEntryTypes.includes("layout-shift")) return;
		new PerformanceObserver((list) => {
			for (const shift of list.getEntries())
				for (const source of shift.sources) if (source.node) window.moved.push((source.node.parentElement || source.node).className || source.node.nodeName);
		}).observe({ type: "layout-shift" });
	});
	for (const target of await page.locator('svg.chart, [role="gridcell"], .flame .box, .data-map .cell, .member').all()) {
		const box = (await target.isVisible()) && (await target.boundingBox());
		if (!box || box.y < 110 || box.y > 700 || box.x > 1200) continue;
		for (const share of [0.2, 0.7]) await page.mouse.move(box.x + box.width * share, box.y + box.height * 0.5);
	}
	await page.mouse.move(1, 1);
	return page.evaluate(() => Array.from(new Set(window.moved)));
}

async function details(page, name, found) {
	const cell = page.locator('#part-matrix [role="gridcell"]:not(.none)').first();
	if ((await cell.count()) === 0) return;
	await show(page, "matrix");
	await cell.click();
	await look(page, name + ", details", found);
	await page.keyboard.press("Escape");
	for (const key of ["/", "?"]) {
		await page.keyboard.press(key);
		await look(page, name + ", key " + (key === "/" ? "search" : "help"), found);
		await page.keyboard.press("Escape");
	}
}

async function screens(open, url, name, { key, theme, viewport }) {
	const { page } = await open(url, { colorScheme: theme, ...(viewport && { viewport }) }),
		found = [],
		moved = [];
	await page.evaluate((t) => (document.documentElement.dataset.theme = t), theme);
	await page.waitForSelector("main h2, main h3, main table");
	const parts = await partsOf(page);
	if (parts.length === 0) await look(page, name + ", " + key, found);
	for (const part of parts) {
		await show(page, part);
		await look(page, name + ", " + key + ", " + part, found);
		if (key === "wide, light") moved.push(...(await movesUnderPointer(page)));
	}
	if (parts.length > 0) await details(page, name + ", " + key, found);
	same(name + ", " + key + ": " + (parts.join(" ") || "all"), found, []);
	if (key === "wide, light") same(name + ": nothing moves under the pointer", moved, []);
}

// A4, landscape, has 1047 pixels between margins of 10 mm.
async function printed(open, url, name) {
	const { page } = await open(url, { viewport: { width: 1047, height: 700 } }),
		found = [],
		parts = await partsOf(page);
	if (parts.length === 0) return;
	await page.evaluate(() => dispatchEvent(new Event("beforeprint")));
	await page.emulateMedia({ media: "print" });
	const hidden = await page.evaluate(() => Array.from(document.querySelectorAll(".part"), (s) => s.getBoundingClientRect().height).filter((h) => h < 20).length);
	check(name + ", printed: all parts are there", hidden === 0, hidden);
	const { texts, small, ...rest } = await page.evaluate(facts); // paper has no buttons
	same(name + ", printed: nothing is cut off, covered or faint", rest, { wider: 0, overlapping: [], faint: [], unnamed: [] });
	if (process.env.PICTURES) await page.screenshot({ path: process.env.PICTURES + "/" + name + "-printed.png", fullPage: true });
}

run(async (open) => {
	for (const url of pages) {
		const name = nameOf(new URL(url));
		for (const each of LOOKS) await screens(open, url, name, each);
		if (process.env.BROWSER !== "firefox") await printed(open, url, name);
	}
});

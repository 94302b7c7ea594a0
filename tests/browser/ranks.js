// tests/browser/ranks.js PAGE RANKS.json RANK_DATA.json [COLUMNS] - the part Ranks has the figures of memspy ranks --json, for each
// rank by keys and pointer, also where columns have several ranks.
"use strict";
const { run, check, same, readJson, count } = require("./lib.js");
const [pageFile, ranksFile, dataFile] = process.argv.slice(2);
const report = readJson(ranksFile),
	merged = report.ranks.filter((r) => r.state === "merged"),
	ofData = readJson(dataFile); // {rank, name, stall}, as the database has them

const WORDS = "#rank-words",
	PICTURE = "#rank-map .rank-map";

const words = (page) => page.locator(WORDS).innerText();

async function press(page, key, times) {
	for (let i = 0; i < times; i++) await page.keyboard.press(key);
}

// The figures of ranks that the picture's first rows show.
const FIGURES = [
	{ key: "compute", label: "Computing" },
	{ key: "stall", label: "Waiting for memory" },
].filter((f) => merged.some((r) => r[f.key] > 0));

// The picture's rows.
const lanes = (page) => page.locator(PICTURE + " .lane-text").allTextContents();

async function summary(page) {
	const lead = await page.locator("#part-ranks .lead").innerText();
	check("the slowest comes first", lead.includes("rank " + report.time.most_rank + " with " + (report.time.most / report.time.mean).toFixed(2) + " times the mean"), lead);
	check("and how many there are", lead.startsWith(merged.length + " of " + report.ranks.length + " ranks of job " + report.job.id), lead);
}

// One column a rank.
async function single(page) {
	await page.locator(PICTURE).focus();
	await page.keyboard.press("ArrowRight");
	check("keys lead to the first rank", (await words(page)).startsWith("rank " + merged[0].rank + " on " + merged[0].host + ", cluster " + merged[0].cluster + ": " + FIGURES[0].label + " " + count(merged[0][FIGURES[0].key]) + " cycles"), await words(page));
	const at = merged.findIndex((r) => r.rank === report.time.most_rank),
		below = FIGURES.findIndex((f) => f.key === "stall");
	await press(page, "ArrowRight", at);
	await press(page, "ArrowDown", below);
	const mean = merged.reduce((s, r) => s + r.stall, 0) / merged.length;
	check("and to the stall of the slowest", (await words(page)).endsWith(": Waiting for memory " + count(merged[at].stall) + " cycles, " + (merged[at].stall / mean).toFixed(2) + " times the mean of all ranks"), await words(page));
	const label = (await lanes(page)).findIndex((text) => text === "Waiting for " + ofData[0].name);
	await press(page, "ArrowDown", label - below);
	const wanted = ofData.find((d) => d.rank === merged[at].rank && d.name === ofData[0].name);
	check("data has the stall that the rank has stored", (await words(page)).includes("Waiting for " + wanted.name + " " + count(wanted.stall) + " cycles, "), await words(page));
	for (const [key, end] of [["End", merged.length - 1], ["Home", 0]]) {
		await press(page, key, 2);
		check(key + " leads to that rank", (await words(page)).startsWith("rank " + merged[end].rank + " on "), await words(page));
	}
}

// Several ranks a column: the most of them counts.
async function grouped(page) {
	await page.locator(PICTURE).focus();
	await page.keyboard.press("ArrowRight");
	const text = await words(page),
		[, from, to, most, rank] = /^ranks (\d+) to (\d+): [A-Z][a-z ]+ at most (\S+) cycles \(rank (\d+)\)/.exec(text) || [];
	const ranks = merged.filter((r) => r.rank >= from && r.rank <= to),
		{ key } = FIGURES[0],
		worst = ranks.reduce((a, b) => (b[key] > a[key] ? b : a));
	same("a column has the most of its ranks, and whose it is", [most, rank], [count(worst[key]), String(worst.rank)]);
	await page.keyboard.press("Enter");
	await page.keyboard.press("ArrowRight");
	check("Enter shows them one by one", (await words(page)).startsWith("rank " + ranks[0].rank + " on "), await words(page));
	await page.locator("#rank-map button", { hasText: "All ranks" }).click();
	const box = await page.locator(PICTURE + " .lane-back").first().boundingBox();
	await page.mouse.move(box.x + 1, box.y + box.height / 2);
	check("a button goes back to all", (await words(page)).startsWith("ranks 0 to "), await words(page));
	await page.mouse.click(box.x + box.width - 2, box.y + box.height / 2);
	await page.mouse.move(box.x + box.width - 2, box.y + box.height / 2);
	check("a click shows the last ones", (await words(page)).startsWith("rank " + merged[merged.length - 1].rank + " on "), await words(page));
	await page.locator("#rank-map button", { hasText: "All ranks" }).click();
}

async function pointer(page) {
	const box = await page.locator(PICTURE + " .lane-back").nth(FIGURES.length - 1).boundingBox(),
		below = page.locator("#rank-map p").last(),
		before = await below.boundingBox();
	await page.mouse.move(box.x + 2, box.y + box.height / 2);
	check("the pointer leads to what is below it", /^ranks? 0.*: Waiting for memory/.test(await words(page)), await words(page));
	same("nothing moves", (await below.boundingBox()).y, before.y);
	await page.mouse.move(0, 0);
	same("away from it nothing is named", (await words(page)).trim(), "");
}

// Orders and colors.
async function choices(page) {
	await page.selectOption("#rank-order", "time");
	await page.locator(PICTURE).focus();
	await page.keyboard.press("ArrowRight");
	const slowest = report.time.most_rank;
	check("the slowest rank is first if asked for", new RegExp("^rank " + slowest + " on |^\\d+ ranks, " + slowest + " to ").test(await words(page)), await words(page));
	await page.selectOption("#rank-order", "rank");
	const strong = () => page.locator(PICTURE + " .lane-8").count();
	await page.selectOption("#rank-heat", "above");
	check("colors show what is above the mean", (await strong()) > 0);
	await page.selectOption("#rank-heat", "time");
}

async function tables(page) {
	const first = await page.locator('#part-ranks table:has(caption:text-is("Ranks")) tbody tr').first().locator("th, td").allTextContents();
	same("the table begins with the slowest rank", first[0].trim(), count(report.time.most_rank));
	const worst = report.bins[0],
		row = page.locator('#part-ranks table:has(caption:text-is("Code and data that differ")) tbody tr').first();
	same("what differs most is first", (await row.locator("th, td").allTextContents()).slice(0, 2).map((t) => t.trim()), [worst.code, worst.data]);
	await row.locator("a").first().click();
	check("and leads to its details", (await page.locator("#detail h2").innerText()).includes(worst.data));
	await page.keyboard.press("Escape");
	const left = report.ranks.filter((r) => r.state !== "merged"),
		others = page.locator('#part-ranks table:has(caption:text-is("Not in the sums")) tbody tr');
	same("ranks that are left out are named", await others.evaluateAll((list) => list.map((tr) => tr.cells[0].textContent + " " + tr.cells[1].textContent)), left.map((r) => r.rank + " " + r.state));
}

run(async (open) => {
	for (const options of [{}, { colorScheme: "dark", viewport: { width: 390, height: 844 } }]) {
		const { page } = await open(pageFile + "#ranks", options);
		await page.waitForSelector(PICTURE);
		const columns = Math.floor((await page.evaluate((s) => document.querySelector(s).viewBox.baseVal.width, PICTURE)) / 4);
		await summary(page);
		await (merged.length > columns ? grouped(page) : single(page));
		await pointer(page);
		await choices(page);
		await tables(page);
		check("it has room", (await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)) <= 0);
		const colors = await page.evaluate((s) => new Set([...document.querySelectorAll(s + " path")].map((p) => getComputedStyle(p).fill)).size, PICTURE);
		check("ranks differ in color", colors >= 2, colors);
	}
});

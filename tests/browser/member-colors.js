// tests/browser/member-colors.js PAGE FIELDS.json RANGES.json DATA - members colored by thread and by affinity, and the
// addresses of a large array: what memspy fields and the table address_range have.
"use strict";
const { run, check, same, readJson } = require("./lib.js");
const [pageFile, fieldsFile, rangesFile, data] = process.argv.slice(2);
const members = readJson(fieldsFile).data[0].members,
	ranges = readJson(rangesFile);

// Of each member its strips: [what, class, width as a share of the box], in the order in which they are drawn.
function strips() {
	return [...document.querySelectorAll("#layout .member")].map((g) => {
		const whole = g.querySelector("rect").getBoundingClientRect().width;
		return [...g.querySelectorAll(".band")].map((path) => ({
			of: path.getAttribute("class").match(/fill-(\S+)/)[1],
			top: path.getBoundingClientRect().top,
			share: path.getBoundingClientRect().width / whole,
			color: getComputedStyle(path).fill,
		}));
	});
}

// The shares of threads in all references, in the order of their numbers.
function shares(list) {
	const all = list.reduce((sum, t) => sum + t.references, 0);
	return list.map((t) => t.references / all);
}

async function threads(page) {
	await page.selectOption("#layout-colors", "threads");
	const drawn = await page.evaluate(strips);
	const good = members.every((m, i) => {
		const wanted = shares(m.readers).concat(shares(m.writers));
		return drawn[i].length === wanted.length && wanted.every((w, k) => Math.abs(drawn[i][k].share - w) < 0.03);
	});
	check("strips are as wide as the threads' reads and writes", good, drawn);
	check(
		"reads above writes",
		members.every((m, i) => new Set(drawn[i].map((s) => Math.round(s.top))).size === (m.readers.length > 0) + (m.writers.length > 0)),
	);
	const names = await page.locator("#layout .legend li").allInnerTexts();
	same(
		"the legend names the threads",
		names.map((t) => t.replace(/thread \d+ /, "").trim()).sort(),
		["(count_keys)", "(main)", "(mark_positions)"],
	);
	const words = await page.locator("#layout .member title").allTextContents();
	check("and so do words", words[1].includes("written by thread 0,") || words[1].includes("written by thread 0-"), words[1]);
}

async function affinity(page) {
	await page.selectOption("#layout-colors", "affinity");
	const drawn = await page.evaluate(strips);
	same(
		"members have the color of their group",
		drawn.map((list) => (list.length ? list[0].of : null)),
		members.map((m) => (m.group ? "series-" + (m.group - 1) : null)),
	);
	const groups = await page.locator("#layout .legend li").allInnerTexts();
	same("the legend names its members", groups.map((t) => t.trim()), [
		members
			.filter((m) => m.group === 1)
			.map((m) => m.name)
			.join(", "),
	]);
}

async function addresses(page) {
	await page.locator("#address-heat summary").click();
	const rows = await page.locator("#address-heat tbody tr:not(.space)").evaluateAll((list) => list.map((tr) => [...tr.children].map((c) => c.innerText.trim())));
	same("each range has its references", rows.map((r) => r[1]).slice(0, 5), ranges.slice(0, 5).map((r) => String(Math.round(r.refs))));
	same("and its misses", rows.map((r) => r[2]).slice(0, 5), ranges.slice(0, 5).map((r) => String(Math.round(r.first_misses))));
	const most = Math.max(...ranges.map((r) => r.refs)),
		drawn = await page.evaluate(() => [...document.querySelector("#address-heat svg").querySelectorAll("path")].map((p) => [p.getAttribute("class"), (p.getAttribute("d").match(/M/g) || []).length]));
	const steps = new Map();
	for (const r of ranges) {
		const key = "lane-" + Math.max(1, Math.ceil(Math.sqrt(r.refs / most) * 8));
		steps.set(key, (steps.get(key) || 0) + 1);
	}
	for (const [key, n] of steps) check("ranges have the color of their references", drawn.some((d) => d[0] === key && d[1] === n), { key, n, drawn });
	await page.locator("#address-heat svg").focus();
	await page.keyboard.press("ArrowRight");
	const words = await page.locator("#address-heat .crosshair-words").innerText();
	check("a key goes from range to range", /^0 B to 4 KiB: References \d+, L1 misses \d+, LL misses \d+$/.test(words), words);
}

run(async (open) => {
	for (const options of [{}, { colorScheme: "dark", viewport: { width: 390, height: 844 } }]) {
		const { page } = await open(pageFile + "#data/" + encodeURIComponent(data), options);
		await page.waitForSelector("#layout");
		await threads(page);
		await affinity(page);
		await addresses(page);
		check("nothing is too wide", (await page.evaluate(() => document.getElementById("detail").scrollWidth - document.getElementById("detail").clientWidth)) <= 0);
	}
});

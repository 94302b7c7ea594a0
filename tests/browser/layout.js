// tests/browser/layout.js PAGE FIELDS.json DATA - the members of data as rows of cache lines: what memspy fields has.
"use strict";
const { run, check, same, readJson } = require("./lib.js");
const [pageFile, fieldsFile, data] = process.argv.slice(2);
const members = readJson(fieldsFile).data[0].members;

run(async (open) => {
	const { page } = await open(pageFile + "#data/" + encodeURIComponent(data));
	await page.waitForSelector("#layout");
	const drawn = await page.evaluate(() =>
		[...document.querySelectorAll("#layout .member")].map((g) => ({
			words: g.querySelector("title").textContent,
			width: g.querySelector("rect").getBoundingClientRect().width,
		})),
	);
	same("every member has a box", drawn.length, members.length);
	check(
		"named and in order",
		members.every((m, i) => drawn[i].words.startsWith(m.name + " (" + m.type + ")")),
		drawn,
	);
	const each = drawn[0].width / members[0].size;
	check(
		"as wide as its bytes",
		members.every((m, i) => Math.abs(drawn[i].width - m.size * each) <= m.size * 0.3 + 2),
		drawn,
	);
	same(
		"those that are never used are marked",
		drawn.map((d) => d.words.includes("never used")),
		members.map((m) => m.reads === 0 && m.writes === 0),
	);
	same(
		"and listed below",
		await page.locator("#layout tbody th").allInnerTexts(),
		members.map((m) => (m.name === null ? "padding" : m.name)),
	);
});

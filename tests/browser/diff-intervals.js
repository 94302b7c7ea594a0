// tests/browser/diff-intervals.js ADDRESS DIFF.json - a comparison of sampled runs: the noise of each change.
"use strict";
const { run, same, until, readJson, count } = require("./lib.js");
const [address, diffFile] = process.argv.slice(2);
const diff = readJson(diffFile);

run(async (open) => {
	const { page } = await open(address + "diff/2/2");
	await until(page, () => document.querySelectorAll(".list").length >= 2);
	const got = await page.evaluate(() =>
		[...document.querySelectorAll(".list")[1].querySelectorAll("tbody tr")].map((tr) => [
			tr.cells[0].innerText,
			tr.cells[3].dataset.between,
		]),
	);
	same(
		"half the interval of each change",
		got,
		diff.bins.map((b) => [b.name, "\u00b1" + count(b.metrics.stall.noise)]),
	);
});

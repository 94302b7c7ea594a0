// tests/browser/all-parts.js PAGE... - opens every part of reports, and prints their warnings, and where there is nothing.
"use strict";
const { run, until } = require("./lib.js");

async function visit(open, file) {
	const { page } = await open(file);
	const parts = await page.locator("nav a").evaluateAll((list) => list.map((a) => a.getAttribute("href")));
	console.log(file.slice(file.lastIndexOf("/") + 1) + ": " + parts.join(" "));
	for (const part of parts.concat(["#bin/0/0", "#bin/99/99", "#code/0", "#data/0", "#data/-1", "#nonsense"])) {
		await page.goto(file + part);
		await until(page, () => document.querySelectorAll(".part:not([hidden])").length === 1);
	}
	for (const text of new Set(await page.locator(".warning, .nothing").allTextContents())) console.log(text);
}

run(async (open) => {
	for (const file of process.argv.slice(2)) await visit(open, file);
});

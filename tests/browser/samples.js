// tests/browser/samples.js PAGE... - runs that were sampled on the real machine: prints what their overviews say of
// the whole program, and the heads and first rows of their lists. Nothing that was not measured is a zero there.
"use strict";
const { run } = require("./lib.js");

run(async (open) => {
	for (const file of process.argv.slice(2)) {
		const { page } = await open(file);
		console.log((await page.locator("#part-overview section").first().innerText()).replace(/\n+/g, ": "));
		console.log((await page.locator("#part-overview .lead").innerText()).trim());
		for (const part of ["code", "data"]) {
			await page.goto(file + "#" + part);
			const rows = await page.locator("#part-" + part + " tr").allInnerTexts();
			for (const row of rows.slice(0, 2)) console.log("  " + row.replace(/\s*\t\s*/g, " | ").trim());
		}
		await page.goto(file + "#data/0");
		console.log("  " + (await page.locator("#detail .figures").first().innerText()).replace(/\n+/g, " "));
	}
});

// tests/browser/joined.js PAGE... - joined runs: prints the time of the whole program, the note, the first data in the list,
// and the measured time of a data structure with its simulated causes.
"use strict";
const { run } = require("./lib.js");

run(async (open) => {
	for (const file of process.argv.slice(2)) {
		const { page } = await open(file);
		console.log((await page.locator("#whole-time p").first().innerText()).trim());
		await page.locator(".about-run summary").click();
		const facts = await page.locator("#part-overview .facts").first().innerText();
		console.log(facts.replace(/\n+/g, "\n").match(/out-of-order.*/)[0]);
		for (const warning of await page.locator("#part-overview .warning").allInnerTexts()) console.log(warning);
		await page.goto(file + "#data");
		const rows = page.locator("#part-data tbody tr");
		for (let i = 0; i < 3; i++) console.log((await rows.nth(i).innerText()).split(/\s*\t\s*/).slice(0, 4).join(" | "));
		for (const part of ["data/0", "data/1", "code/0"]) {
			await page.goto(file + "#" + part);
			const timing = page.locator("#detail .timing");
			console.log(part + ": " + ((await timing.count()) ? (await timing.innerText()).replace(/\n+/g, "\n  ") : "no parts"));
		}
	}
});

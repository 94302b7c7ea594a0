// tests/browser/assembly.js ADDRESS SITES.json FUNCTION - the instructions of a function in a page, with what the database
// has of them. ADDRESS: of a file, or of a served page, which asks for them.
"use strict";
const { run, check, same, readJson, count } = require("./lib.js");
const [address, sitesFile, code] = process.argv.slice(2);
const sites = readJson(sitesFile); // {offset, refs, misses}, by offset

run(async (open) => {
	for (const options of [{}, { colorScheme: "dark", viewport: { width: 390, height: 844 } }]) {
		const { page } = await open(address + "#code/" + code, options);
		await page.locator("#assembly summary").click();
		await page.waitForSelector("#assembly tbody tr");
		const hottest = sites.reduce((a, b) => (b.misses > a.misses ? b : a)),
			row = page.locator("#assembly tbody tr", { hasText: hottest.offset.toString(16) });
		check("the instruction with the most misses is in sight", await row.isVisible());
		same("with its misses", (await row.locator("td").nth(2).innerText()).trim(), count(hottest.misses));
		const references = await page.locator("#assembly tbody tr:not(.space) td:nth-child(3)").allInnerTexts();
		check("instructions without references have no figures", references.includes("") && references.some((t) => t !== ""), references);
		await page.locator("#assembly th button", { hasText: "References" }).click();
		const first = await page.locator("#assembly tbody tr").first().locator("td").nth(1).innerText();
		same("the largest can be sorted first", first.trim(), count(Math.max(...sites.map((s) => s.refs))));
		check("nothing is too wide", (await page.evaluate(() => document.getElementById("detail").scrollWidth - document.getElementById("detail").clientWidth)) <= 0);
	}
});

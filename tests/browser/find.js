// tests/browser/find.js PAGE - search, keys and addresses: what is meant is found without a mouse, and a link names it.
"use strict";
const { run, check, same, until, addressOf, fragmentOf, turnTo } = require("./lib.js");
const [pageFile] = process.argv.slice(2);

async function searching({ page }) {
	await page.keyboard.press("/");
	check("/ opens the search", await page.locator("#search").isVisible());
	await page.keyboard.type("matrix.y");
	const found = await page.locator("#search-found li .name").allInnerTexts();
	same("whatever the case", found[0], "Matrix.Y");
	await page.keyboard.press("Enter");
	check("Enter closes it", !(await page.locator("#search").isVisible()));
	same("and opens what was found", await page.locator("#detail .name").first().innerText(), "Matrix.Y");
	same("the address names it", await fragmentOf(page), "#data/Matrix.Y");
	await page.keyboard.press("Escape");
	await page.keyboard.press("/");
	await page.keyboard.type("nothing has this name");
	same("or says that there is none", await page.locator("#search [role=status]").innerText(), "Nothing has this name.");
	await page.keyboard.press("Escape");
	check("Escape closes it", !(await page.locator("#search").isVisible()));
	await page.keyboard.press("/");
	await page.keyboard.type("y");
	same("the last component is enough", await page.locator("#search-found li .name").first().innerText(), "Matrix.Y");
	await page.keyboard.press("Escape");
}

async function keys({ page }) {
	await page.keyboard.press("?");
	check("? lists the keys", (await page.locator("#keys").innerText()).includes("Search code"));
	await page.keyboard.press("Escape");
	await turnTo(page, "overview");
	await page.keyboard.press("]");
	same("] turns to the next part", await fragmentOf(page), "#matrix");
	await page.keyboard.press("[");
	same("[ to the one before", await fragmentOf(page), "#overview");
	const shown = () => Array.from(document.querySelectorAll("section.part:not([hidden])"), (s) => s.id);
	await page.evaluate(() => {
		for (let i = 0; i < 2; i++) document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "]", bubbles: true }));
	});
	same("two keys at once turn by two parts", await page.evaluate(shown), ["part-flame"]);
	await page.goBack();
	await until(page, () => location.hash === "#matrix");
	check("and a step back is by one", await page.locator("#part-matrix").isVisible());
	await turnTo(page, "data");
	const row = () => page.evaluate(() => document.activeElement.closest("tr")?.rowIndex);
	await page.waitForSelector("#part-data tr.opens");
	await page.keyboard.press("j");
	const first = await row();
	await page.keyboard.press("j");
	same("j goes down", await row(), first + 1);
	await page.keyboard.press("k");
	same("k goes up", await row(), first);
	await page.keyboard.press("Enter");
	check("Enter opens the row", await page.locator("#detail").isVisible());
	await page.keyboard.press("Escape");
	await turnTo(page, "overview");
	await page.keyboard.press("j");
	check("and j leads to what the overview links to", await page.evaluate(() => document.activeElement.closest("#part-overview") !== null));
	await turnTo(page, "matrix");
	await page.locator("#part-matrix input").first().focus();
	await page.keyboard.type("j");
	same("a field keeps its keys", await page.locator("#part-matrix input").first().inputValue(), "j");
}

async function addresses(open) {
	const { page } = await open(pageFile + "#bin/BlkMultiply/Matrix.Y");
	const words = (await page.locator("#detail").innerText()).replace(/\n/g, " ");
	check("an address names code and data", words.includes("BlkMultiply") && words.includes("Matrix.Y"), words.slice(0, 80));
	await page.goto(pageFile + "#data/no such data");
	check("an unknown name leads to the overview", await page.locator("#part-overview").isVisible());
	same("which says what is unknown", await page.locator("#notice").innerText(), "Not in this run: no such data.");
	await page.goto(pageFile + "#data/%E0%A4%A");
	check("so does a damaged one", await page.locator("#part-overview").isVisible());
}

async function matrixChoices(open) {
	const { page } = await open(pageFile + "#matrix");
	await page.selectOption("#metric", "L1_misses");
	await page.fill('[aria-label="Filter data"]', "y");
	await page.getByRole("button", { name: "Hide system" }).click();
	const address = await addressOf(page);
	same("choices are in the address", new URL(address).hash, "#matrix?figure=L1_misses&system=0&data=y");
	const again = (await open(address)).page;
	same("which restores the figure", await again.locator("#metric").inputValue(), "L1_misses");
	same("and the filter", await again.locator('[aria-label="Filter data"]').inputValue(), "y");
	await turnTo(again, "code");
	same("the tab leads back to them", await again.locator('#nav a[data-part="matrix"]').getAttribute("href"), "#matrix?figure=L1_misses&system=0&data=y");
	await turnTo(again, "matrix");
	await again.locator('#part-matrix [role="gridcell"]').first().hover();
	check("a cell is summarised", /Matrix\.Y in \w+: .*L1 misses/.test(await again.locator(".cell-summary").innerText()));
	const link = again.locator('#part-matrix [role="gridcell"] a').first();
	check("and is a link, for a middle click", /^#bin\/\w+\/Matrix\.Y$/.test(await link.getAttribute("href")), await link.getAttribute("href"));
	await again.goto(pageFile + "#matrix?figure=nonsense&sort=data/none");
	check("nonsense is ignored", (await again.locator('#part-matrix [role="gridcell"]').count()) > 0);
}

async function copying(open) {
	const { page } = await open(pageFile + "#matrix", { permissions: ["clipboard-read", "clipboard-write"] });
	await page.locator('#part-matrix .copy[title="Copy as Markdown"]').click();
	const text = await page.evaluate(() => navigator.clipboard.readText());
	check("the matrix can be copied as Markdown", text.startsWith("|  | Total | Matrix.") && text.includes("\n| BlkMultiply | "), text.slice(0, 80));
	await page.goto(pageFile + "#data");
	const link = page.locator("#part-data tbody th a").first();
	check("rows are links", /^#data\/./.test(await link.getAttribute("href")));
}

run(async (open) => {
	const visit = await open(pageFile);
	await searching(visit);
	await keys(visit);
	await addresses(open);
	await matrixChoices(open);
	await copying(open);
});

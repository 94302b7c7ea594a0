// tests/browser/source.js PAGE - annotated source: the text beside its line, the hottest line in sight, chosen columns.
"use strict";
const { run, check, same } = require("./lib.js");
const [pageFile] = process.argv.slice(2);

const heads = (page) => page.locator("#part-source thead th:visible").allInnerTexts();

// Rows of a Markdown table as texts.
function rowsOf(text) {
	return text
		.trim()
		.split("\n")
		.filter((line) => line.startsWith("|"))
		.map((line) => line.slice(2, -2).split(" | "));
}

// The lines and columns that are shown, with their figures.
async function copying(page) {
	await page.locator("#part-source .copy").first().click();
	const text = await page.evaluate(() => navigator.clipboard.readText()),
		rows = rowsOf(text),
		shown = await page.locator("#part-source table").first().evaluate((table) => [...table.rows].map((tr) => [...tr.cells].filter((c) => c.checkVisibility()).map((c) => c.textContent.trim().replace(/\s+/g, " "))));
	check("the file is copied as Markdown, with its share", /^\*\*\S*walk\.c [\d.]+% of stall time\*\*\n\n\| Stall \| Line \| Source \|/.test(text), text.slice(0, 80));
	same("its columns", rows[0], shown[0]);
	const plain = (row) => row.map((c, i) => (i === 2 ? c.replace(/^`(.*)`$/, "$1") : c).trim());
	same(
		"and lines",
		rows.slice(2).map(plain),
		shown.slice(1).map((cells) => rows[0].map((_, i) => cells[i] || "")),
	);
	check("with their code", text.includes("| `for (int from = 0; from < 1000; from++) // rounds` |"), text);
}

// A line at the end of its file, which cannot be in the middle of its frame.
async function lastLine(page) {
	await page.evaluate(() => {
		const rows = document.querySelectorAll("#part-source tr.hot"),
			file = document.querySelector("#part-source h3 .name").textContent;
		location.hash = "source/" + encodeURIComponent(file) + "/" + rows[rows.length - 1].id.split("-")[2];
	});
	await page.waitForSelector("#part-source tr.found");
	const at = await page.evaluate(() => {
		const row = document.querySelector("#part-source tr.found"),
			{ top, bottom } = row.closest("table").tHead.getBoundingClientRect();
		return [document.querySelector("nav").getBoundingClientRect().bottom, top, bottom, row.getBoundingClientRect().top].map(Math.round);
	});
	check("the last line has the headings of its figures above it", at.every((y, i) => i === 0 || at[i - 1] <= y), at);
}

run(async (open) => {
	const { page } = await open(pageFile + "#source", { viewport: { width: 1280, height: 400 }, permissions: ["clipboard-read", "clipboard-write"] });
	await page.waitForSelector("#part-source tr.hot");
	same("text is beside the line number, data beside the text", (await heads(page)).slice(0, 4), ["Stall", "Line", "Source", "Data"]);
	const hidden = () => {
		const edge = document.querySelector("#part-source .source-lines").getBoundingClientRect().right;
		return [...document.querySelectorAll("#part-source td.word")].filter((td) => td.getBoundingClientRect().right > edge).length;
	};
	same("and in sight without scrolling", await page.evaluate(hidden), 0);
	await page.setViewportSize({ width: 1000, height: 400 });
	const wider = await page.locator("#part-source .source-lines").evaluateAll((list) => list.map((frame) => frame.scrollWidth - frame.clientWidth));
	check("in a narrow window, text leaves figures their room", wider.length > 0 && wider.every((by) => by <= 0), wider);
	await page.setViewportSize({ width: 1280, height: 400 });
	const whole = await page.locator("#part-source td.source[title]").evaluateAll((list) => list.map((td) => [td.title, td.textContent.trim()]));
	check("long text is whole under the pointer", whole.length > 0 && whole.every(([title, text]) => title === text), whole);
	const seen = await page.evaluate(() => {
		const rows = [...document.querySelectorAll("#part-source tr.hot")],
			share = (tr) => parseFloat(tr.cells[0].innerText) || 0,
			hottest = rows.reduce((a, b) => (share(b) > share(a) ? b : a)),
			box = hottest.getBoundingClientRect();
		return box.top >= 0 && box.bottom <= innerHeight;
	});
	check("the hottest line is in sight", seen);
	await lastLine(page);
	const before = (await heads(page)).length;
	await page.locator(".choose-columns summary").click();
	await page.getByLabel("References", { exact: true }).uncheck();
	check("a column can be hidden", !(await heads(page)).includes("References"));
	await page.getByLabel("L1 replacement").check();
	check("and others shown", (await heads(page)).includes("L1 replacement"));
	same("so their number is as before", (await heads(page)).length, before);
	await page.reload();
	await page.waitForSelector("#part-source tr.hot");
	check("the choice is kept when the page is loaded again", (await heads(page)).includes("L1 replacement") && !(await heads(page)).includes("References"), await heads(page));
	await copying(page);
	const line = () => page.evaluate(() => document.activeElement.id);
	await page.keyboard.press("j");
	const first = await line();
	await page.keyboard.press("j");
	check("j goes down from line to line", first.startsWith("line-") && (await line()) !== first, first);
	await page.keyboard.press("k");
	same("and k up", await line(), first);
	const links = await page.locator("#part-source tr.hot th a").evaluateAll((list) => list.map((a) => a.getAttribute("href")));
	check("lines lead to their functions", links.length > 0 && links.every((href) => href.startsWith("#code/")), links);
	const of = (kind) => page.locator("#part-source .s-" + kind).allInnerTexts();
	check("keywords have a colour", (await of("keyword")).includes("for"));
	check("names do not", !(await of("keyword")).includes("from"));
	check("text is complete", (await page.locator("#part-source .source").allInnerTexts()).some((t) => t.includes("for (int from = 0; from < 1000; from++) // rounds")));
});

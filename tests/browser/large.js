// tests/browser/large.js PAGE - a run with 5000 functions, 5000 data and 100000 pairs: only visible cells are drawn.
"use strict";
const fs = require("fs");
const { run, check, same, until, pageData } = require("./lib.js");
const [pageFile] = process.argv.slice(2);

// Scrolls frame by frame; counts the created elements, and the remaining ones of those that existed before.
function scrolled(page, selector, dx, dy) {
	return page.evaluate(
		([selector, dx, dy]) =>
			new Promise((done) => {
				const s = document.querySelector(selector),
					before = new Set(s.querySelectorAll("tbody tr, tbody td, tbody th"));
				let n = 0;
				const step = () => {
					if (n++ === 40) {
						const after = Array.from(s.querySelectorAll("tbody tr, tbody td, tbody th"));
						done({ made: after.filter((e) => !before.has(e)).length, of: after.length });
						return;
					}
					s.scrollBy(dx, dy);
					requestAnimationFrame(step);
				};
				step();
			}),
		[selector, dx, dy],
	);
}

// The contents of a table of the page, by column name.
function figuresOf(data, table) {
	const { columns, rows } = data.tables[table];
	return rows.map((row) => Object.fromEntries(columns.map((c, i) => [c, row[i] === undefined ? 0 : row[i]])));
}

// Rows that leave the view are reused, with the labels of their new contents.
async function smooth(page, data) {
	const list = await scrolled(page, "#part-data .scroll", 0, 90),
		names = figuresOf(data, "data").map((row) => data.tables.texts[row.name]);
	check("a list scrolls with the rows that it has", list.made < list.of / 4, list);
	const rows = await page.evaluate(() =>
		Array.from(document.querySelectorAll("#part-data tbody tr[aria-rowindex]"), (tr) => [
			tr.getAttribute("aria-rowindex") - 2,
			tr.cells[0].innerText,
		]),
	);
	check(
		"and each shows what its number says",
		rows.length > 10 && rows[0][0] > 50 && rows.every(([i, name]) => names[i] === name),
		rows,
	);
}

async function smoothMatrix(page, data) {
	const down = await scrolled(page, ".matrix-scroll", 0, 90),
		aside = await scrolled(page, ".matrix-scroll", 90, 90);
	check("the matrix, too", down.made < down.of / 4, down);
	check("in both directions", aside.made < aside.of / 4, aside);
	const bins = new Map(
		figuresOf(data, "bins").map((b) => [b.code + "/" + b.data, b["stall.read"] + b["stall.write"]]),
	);
	const read = () => {
		const row = (a) => a.hash.split("/")[1],
			heads = document.querySelector("#part-matrix .matrix thead tr").cells;
		return Array.from(document.querySelectorAll('[role="gridcell"]'), (cell) => [
			row(cell.parentNode.cells[0].firstChild) + "/" + row(heads[cell.cellIndex].querySelector("a")),
			cell.getAttribute("aria-label"),
			cell.innerText,
		]);
	};
	const right = ([at, label, text]) =>
		bins.has(at)
			? Number(label.split(": ")[1].replace(/ cycles.*|[^0-9]/g, "")) === bins.get(at) && text !== ""
			: label.endsWith(": no references") && text === "";
	let cells = await lookAgain(page, read);
	// Labels are set when scrolling has stopped.
	for (let i = 0; i < 100 && !cells.every(right); i++) cells = await lookAgain(page, read);
	check(
		"each cell is that of its row and column",
		cells.length > 50 && cells.every(right),
		cells.filter((c) => !right(c)).slice(0, 4),
	);
}

// Columns next to the visible ones are filled when scrolling has stopped, or when they become visible.
async function aside(open, data) {
	const { page } = await open(pageFile + "#data", { viewport: { width: 390, height: 844 } });
	const objects = Object.fromEntries(
		figuresOf(data, "data").map((row) => [data.tables.texts[row.name], String(row.objects)]),
	);
	await page.waitForSelector("#part-data tbody tr");
	const right = (known) => {
		const rows = Array.from(document.querySelectorAll("#part-data tbody tr[aria-rowindex]"));
		return rows.length > 10 && rows.every((tr) => known[tr.cells[0].innerText] === tr.cells[3].innerText);
	};
	await scrolled(page, "#part-data .scroll", 0, 900);
	await until(page, right, objects);
	check("columns out of sight are right when scrolling has stopped", true);
	await scrolled(page, "#part-data .scroll", 0, 900);
	await page.evaluate(
		() =>
			new Promise((done) => {
				document.querySelector("#part-data .scroll").scrollLeft = 200;
				requestAnimationFrame(() => requestAnimationFrame(done));
			}),
	);
	const seen = await page.evaluate(right, objects);
	check("and at once when they come into sight", seen);
}

async function lookAgain(page, read) {
	await new Promise((go) => setTimeout(go, 50));
	return page.evaluate(read);
}

// The page says why figures cannot be shown; a browser without decompression is reported as too old.
async function unreadable(open) {
	const file = pageFile.replace(/[^/]*$/, "half.html"),
		text = fs.readFileSync(new URL(pageFile), "utf8"),
		begin = text.indexOf('id="data">') + 10,
		end = text.indexOf("</script>", begin);
	fs.writeFileSync(new URL(file), text.slice(0, begin + ((end - begin) >> 3) * 4) + text.slice(end));
	const half = await open(file);
	await half.page.waitForSelector("[role=alert]");
	check("a truncated file is reported", (await half.text("[role=alert]")).includes("incomplete"));
	const old = await open("about:blank");
	old.origin = pageFile;
	await old.page.addInitScript(() => delete window.DecompressionStream);
	await old.page.goto(pageFile);
	await old.page.waitForSelector("[role=alert]");
	check("and a browser that is too old", (await old.text("[role=alert]")).includes("older than 2023"));
}

run(async (open) => {
	const { page } = await open(pageFile + "#data");
	await page.waitForSelector("#part-data tbody tr");
	const rows = () => page.locator("#part-data tbody tr").count();
	check("few rows are drawn", (await rows()) < 100, await rows());
	same("all are counted", await page.locator("#part-data table").getAttribute("aria-rowcount"), "5001");
	const data = pageData(pageFile);
	await smooth(page, data);
	await page.evaluate(() => {
		document.querySelector("#part-data .scroll").scrollTop = 0;
	});
	const first = "Table0.member0";
	await until(page, (name) => document.querySelector("#part-data tbody th").innerText === name, first);
	await page.evaluate(() => {
		document.querySelector("#part-data .scroll").scrollTop = 1e9;
	});
	await until(page, (name) => document.querySelector("#part-data tbody th").innerText !== name, first);
	check(
		"the last row is there when scrolled to",
		(await page.locator('#part-data tr[aria-rowindex="5001"]').count()) === 1 && (await rows()) < 100,
		await rows(),
	);
	await page.fill('#part-data input[type="search"]', "member4999");
	same("filtered", await page.locator("#part-data tbody th").allInnerTexts(), ["Table15.member4999"]);
	await page.goto(pageFile + "#matrix");
	await page.waitForSelector("[role=gridcell]");
	check(
		"what is small is one row and one column",
		(await page.locator("#part-matrix .matrix tbody tr.rest th").innerText()).startsWith("rest (49") &&
			(await page.locator("#part-matrix .matrix thead th.rest").innerText()).startsWith("rest (49"),
		await page.locator("#part-matrix .matrix .rest").allInnerTexts(),
	);
	await page.click('button:has-text("Show all")');
	same("all are: no rest", await page.locator("#part-matrix .matrix .rest").count(), 0);
	const cells = () => page.locator('[role="gridcell"]').count();
	check("few cells are drawn", (await cells()) > 50 && (await cells()) < 5000, await cells());
	await page.evaluate(() => {
		const s = document.querySelector(".matrix-scroll");
		s.scrollTop = 60000;
		s.scrollLeft = 150000;
	});
	await until(page, () => Number(document.querySelector('[role="gridcell"]').dataset.at.split(",")[0]) > 1500);
	check("others when scrolled to", (await cells()) > 50 && (await cells()) < 5000, await cells());
	await smoothMatrix(page, data);
	await page.emulateMedia({ media: "print" });
	await page.evaluate(() => dispatchEvent(new Event("beforeprint")));
	same("the first rows on paper", await page.locator("#part-code tbody tr:visible").count(), 51);
	await page.emulateMedia({ media: "screen" });
	await page.evaluate(() => dispatchEvent(new Event("afterprint")));
	await aside(open, data);
	const overview = await open(pageFile),
		waits = await overview.page.locator(".lead a").getAttribute("href");
	same("the heat map has the pair that waits the most", await overview.page.locator("#heat-map td a").evaluateAll((list, href) => list.filter((a) => a.getAttribute("href") === href).length, waits), 1);
	await unreadable(open);
	await page.goto(pageFile + "#bin/4999/0");
	await page.waitForSelector("#detail h2");
	check("the smallest code opens", (await page.locator("#detail h2").innerText()).includes(" in "));
});

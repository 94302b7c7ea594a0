// tests/browser/report.js PAGE REPORT.json SHOW.json - a user's path through a report of the stored
// run matmul: all figures are compared with those of the commands.
"use strict";
const { run, check, same, readJson, count } = require("./lib.js");
const [pageFile, reportFile, showFile] = process.argv.slice(2);
const report = readJson(reportFile),
	show = readJson(showFile);

const percent = (part, whole) => (Math.round((part / whole) * 1000) / 10).toFixed(1) + "%";
const both = (rw) => rw.read + rw.write;

async function overview(visit) {
	same("the total stall time", await visit.text("#total-stall"), count(report.totals.stall_cycles));
	const functions = await visit.page.locator("#part-overview .bars tbody th").allInnerTexts();
	check("functions as bars", functions.includes(report.code[0].name), functions);
	same(
		"one card a level",
		await visit.page.locator("#part-overview .card h4").allInnerTexts(),
		report.totals.levels.map((l) => l.name),
	);
}

// Rows sorted by name, by one column, and in the original order.
async function sorting({ page }) {
	const codes = () => page.locator("#part-matrix .matrix tbody tr:not(.rest) th").allInnerTexts(),
		before = await codes();
	await page.click("#part-matrix .matrix .corner button");
	same("code by name", await codes(), before.slice().sort());
	for (const thing of report.data) {
		const button = page.locator('#part-matrix .matrix .total button[title="Sort code by ' + thing.name + '"]');
		if ((await button.count()) === 0) continue;
		await button.click();
		const bins = report.bins.filter((b) => b.data === thing.name && before.includes(b.code));
		const most = bins.sort((a, b) => b.stall_cycles - a.stall_cycles)[0].code;
		same("code by " + thing.name, (await codes())[0], most);
		same("and the order is announced", await page.locator('#part-matrix .matrix th[aria-sort="descending"]').innerText(), thing.name);
	}
	await page.keyboard.press("Enter"); // the button has kept the focus
	await page.click("#part-matrix .matrix .sum button");
	same("code by total again", await codes(), before);
}

async function matrix(visit) {
	const { page } = visit;
	await page.click('nav a:has-text("Matrix")');
	same("the worst code is the first row", await visit.text("#part-matrix .matrix tbody th"), report.bins[0].code);
	const cell = page.locator(
		'[role="gridcell"][aria-label*="' + report.bins[0].code + " with " + report.bins[0].data + '"]',
	);
	same(
		"the worst cell has its share",
		await cell.innerText(),
		percent(report.bins[0].stall_cycles, report.totals.stall_cycles).slice(0, -1),
	);
	await sorting(visit);
	await page.selectOption("#metric", "L1_misses");
	const misses = report.bins.filter((b) => b.code === report.bins[0].code && b.data === report.bins[0].data)[0]
		.levels[0].misses;
	await page.click('button:has-text("Absolute")');
	same("L1 misses, absolute", await cell.innerText(), count(both(misses)));
	await page.fill('[aria-label="Filter data"]', report.bins[0].data);
	same("filtered to one data", await page.locator("#part-matrix .matrix thead th.data").count(), 1);
	await page.fill('[aria-label="Filter data"]', "");
	await page.click('button:has-text("Show all")');
	same("all code is there", await page.locator("#part-matrix .matrix tbody tr").count(), report.code.length);
	await page.selectOption("#metric", "stall");
	await page.click('button:has-text("Absolute")');
	await cell.click();
}

async function detail(visit) {
	const s = show.selected,
		id = (name) => visit.text("#figure-" + name);
	same("what was chosen", await visit.text("#detail h2"), s.data[0] + " in " + s.code[0]);
	same("stall cycles of show --json", await id("stall"), count(s.stall_cycles) + " cycles");
	same("their share", await id("stall-share"), percent(s.stall_share, 1));
	same(
		"elapsed time",
		await id("elapsed"),
		count(s.elapsed_compute_cycles + s.elapsed_stall_cycles) +
			" cycles: computing " +
			count(s.elapsed_compute_cycles) +
			", waiting " +
			count(s.elapsed_stall_cycles),
	);
	check(
		"references",
		(await id("references")).startsWith(count(both(s.references)) + " (" + percent(s.reference_share, 1)),
		await id("references"),
	);
	check(
		"stall per reference",
		(await id("average")).startsWith(s.stall_per_reference.all.toFixed(1) + " cycles"),
		await id("average"),
	);
	for (const [i, level] of s.levels.entries()) {
		same(level.name + " misses", await id(level.name + "-misses"), count(both(level.misses)));
		same(level.name + " miss rate", await id(level.name + "-rate"), percent(s.miss_shares[i].miss_rate, 1));
		same(level.name + " share", await id(level.name + "-share"), percent(s.miss_shares[i].miss_share, 1));
	}
	const replacers = s.replaced_by.filter((r) => r.level === s.levels[0].name),
		all = s.levels[0].causes.replacement;
	same(
		"who pushed it out",
		(await visit.page.locator(".level").first().locator(".replacers tr").allInnerTexts()).map((t) =>
			t
				.split("\t")
				.map((w) => w.trim())
				.filter(Boolean),
		),
		replacers.map((r) => [r.data + (r.data === s.data[0] ? " (itself)" : ""), percent(r.count, all)]),
	);
	const lines = await visit.page.locator("#detail .list").first().locator("tbody th").allInnerTexts();
	same(
		"its lines",
		lines.slice().sort(),
		show.lines
			.filter((l) => both(l.references) > 0)
			.map((l) => l.name)
			.sort(),
	);
}

async function tables(visit) {
	const { page } = visit;
	await page.keyboard.press("Escape");
	await page.click('nav a:has-text("Data")');
	const names = () => page.locator("#part-data tbody th").allInnerTexts();
	same(
		"data in the order of the report",
		await names(),
		report.data.map((d) => d.name),
	);
	await page.click('#part-data th button:has-text("References")');
	const refs = report.data.slice().sort((a, b) => both(b.references) - both(a.references))[0].name;
	same("sorted by references", (await names())[0], refs);
	same(
		"and the order is announced",
		await page.locator('#part-data th[aria-sort="descending"]').innerText(),
		"References",
	);
	await page.click("#part-data tbody th .plain >> nth=0");
	same("opened by a click", await visit.text("#detail h2"), refs);
}

async function keyboard(open) {
	const visit = await open(pageFile),
		{ page } = visit;
	const focused = () =>
		page.evaluate(
			() => document.activeElement.innerText || document.activeElement.getAttribute("aria-label"),
		);
	await page.keyboard.press("Tab");
	same("first stop: skip", await focused(), "Skip to the figures");
	for (let i = 0; i < 6 && (await focused()) !== "Matrix"; i++) await page.keyboard.press("Tab");
	same("then the parts", await focused(), "Matrix");
	await page.keyboard.press("Enter");
	for (
		let i = 0;
		i < 60 && !(await page.evaluate(() => document.activeElement.getAttribute("role") === "gridcell"));
		i++
	)
		await page.keyboard.press("Tab");
	const label = () => page.evaluate(() => document.activeElement.getAttribute("aria-label"));
	check("a cell has the focus", (await label()).startsWith(report.bins[0].code + " with "), await label());
	await page.keyboard.press("ArrowRight");
	await page.keyboard.press("ArrowDown");
	await page.keyboard.press("ArrowUp");
	const second = await label();
	check(
		"arrows go from cell to cell",
		second.startsWith(report.bins[0].code + " with ") && !second.includes(report.bins[0].data + ":"),
		second,
	);
	await page.keyboard.press("Enter");
	check("Enter opens it", await page.locator("#detail").isVisible());
	await page.keyboard.press("Escape");
	check("Escape closes it", !(await page.locator("#detail").isVisible()));
	same("and the cell has the focus again", await label(), second);
}

// Figures on the colours of the heat map can be read, in the light and in the dark.
async function contrast(open) {
	for (const colorScheme of ["light", "dark"]) {
		const { page } = await open(pageFile + "#matrix", { colorScheme });
		const worst = await page.evaluate(() => {
			const light = (color) => {
				const [r, g, b] = color.match(/\d+/g).map((v) => {
					const part = v / 255;
					return part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
				});
				return 0.2126 * r + 0.7152 * g + 0.0722 * b + 0.05;
			};
			return Math.min(
				...[...document.querySelectorAll(".heat-legend .heat")].map((e) => {
					const style = getComputedStyle(e);
					// The legend is quiet; a cell without a colour of its own has the page's.
					const cell = document.createElement("td");
					cell.className = e.className;
					document.querySelector("#part-matrix .matrix tbody tr").append(cell);
					const two = [light(getComputedStyle(cell).color), light(style.backgroundColor)];
					cell.remove();
					return Math.max(...two) / Math.min(...two);
				}),
			);
		});
		check("figures stand out from their colours: " + colorScheme, worst >= 4.5, worst);
	}
}

// A long name is shortened, so that the figure next to it is visible.
async function longNames(open) {
	const { page } = await open(pageFile + "#data/0");
	const over = await page.evaluate(() => {
		document.querySelector(".replacers th a").textContent = "a_very_long_name_of_data.".repeat(8);
		const panel = document.querySelector("#detail");
		return panel.scrollWidth - panel.clientWidth;
	});
	check("a long name leaves room for its figure", over <= 0, over);
}

// The colours in the middle of some elements, as readers with this colour vision deficiency see them.
async function coloursOf(page, selectors, deficiency, paint) {
	const cdp = await page.context().newCDPSession(page);
	await cdp.send("Emulation.setEmulatedVisionDeficiency", { type: deficiency });
	const middles = await page.evaluate(
		(list) =>
			list.map((selector) => {
				const box = document.querySelector(selector).getBoundingClientRect();
				return [box.x + box.width / 2, box.y + box.height / 2];
			}),
		selectors,
	);
	const picture = (await page.screenshot()).toString("base64");
	await cdp.detach();
	return paint.evaluate(
		async ([text, at]) => {
			const bytes = Uint8Array.from(atob(text), (c) => c.charCodeAt(0)),
				image = await createImageBitmap(new Blob([bytes])),
				context = new OffscreenCanvas(image.width, image.height).getContext("2d", {
					willReadFrequently: true,
				});
			context.drawImage(image, 0, 0);
			return at.map(([x, y]) => Array.from(context.getImageData(x, y, 1, 1).data.slice(0, 3)));
		},
		[picture, middles],
	);
}

function lightness([r, g, b]) {
	const part = (v) => (v / 255 <= 0.03928 ? v / 255 / 12.92 : ((v / 255 + 0.055) / 1.055) ** 2.4);
	return 0.2126 * part(r) + 0.7152 * part(g) + 0.0722 * part(b) + 0.05;
}

// Adjacent colours differ in lightness, so that all readers can distinguish them.
async function colourBlind(open) {
	for (const colorScheme of ["light", "dark"]) {
		const paint = (await open("about:blank")).page,
			{ page } = await open(pageFile + "#matrix", { colorScheme }),
			worst = { heat: 99, time: 99 };
		for (const deficiency of ["none", "protanopia", "deuteranopia", "tritanopia", "achromatopsia"]) {
			const light = async (part, selectors) => {
				await page.goto(pageFile + "#" + part);
				return (await coloursOf(page, selectors, deficiency, paint)).map(lightness);
			};
			const heat = await light(
				"matrix",
				[1, 2, 3, 4, 5, 6, 7, 8].map((i) => ".heat-legend .heat-" + i),
			);
			for (let i = 1; i < 8; i++)
				worst.heat = Math.min(
					worst.heat,
					colorScheme === "light" ? heat[i - 1] / heat[i] : heat[i] / heat[i - 1],
				);
			const time = await light(
				"overview",
				["compute", "stall"].map((of) => "#part-overview .legend .fill-" + of),
			);
			worst.time = Math.min(worst.time, Math.max(...time) / Math.min(...time));
		}
		check("neighbours of the heat map differ for all eyes: " + colorScheme, worst.heat >= 1.1, worst);
		check("and computing from waiting: " + colorScheme, worst.time >= 1.4, worst);
	}
}

// What would be cut off in print: figures that are wider than their cells, or outside the page.
function cutOff() {
	const cut = [];
	for (const e of document.querySelectorAll(".part th, .part td, .part dd, .part p, .part svg")) {
		const box = e.getBoundingClientRect(),
			hides = getComputedStyle(e).overflowX !== "visible",
			mayGiveWay = e.matches("tbody th, .word"); // names do, with dots
		if (box.width === 0) continue;
		if (box.right > innerWidth + 1 || (hides && !mayGiveWay && e.scrollWidth > e.clientWidth + 1))
			cut.push(e.textContent.slice(0, 40));
	}
	return cut;
}

async function looks(open) {
	const dark = await open(pageFile + "#matrix", { colorScheme: "dark", viewport: { width: 390, height: 844 } });
	const back = () => dark.page.evaluate(() => getComputedStyle(document.body).backgroundColor);
	same("dark where the reader likes it dark", await back(), "rgb(20, 23, 28)");
	await dark.page.click(".theme");
	same("and light when asked", await back(), "rgb(255, 255, 255)");
	for (const part of [
		"overview",
		"matrix",
		"code",
		"data",
		"evictions",
		"source",
		"timeline",
		"threads",
		"about",
		"bin/0/0",
	]) {
		await dark.page.goto(pageFile + "#" + part);
		const wide = await dark.page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
		check("fits a phone: " + part, wide <= 0, wide);
		const tab = await dark.page.locator("nav a[aria-current]").boundingBox();
		check("its name is in sight: " + part, tab.x >= 0 && tab.x + tab.width <= 390, tab);
	}
	await dark.page.keyboard.press("Escape");
	const head = await dark.page.evaluate(() => {
		const command = document.querySelector("#head .command"),
			words = command.textContent;
		command.textContent = (words + " -c a_long_script(); ").repeat(40);
		const found = { high: document.getElementById("head").offsetHeight, wide: document.documentElement.scrollWidth - innerWidth };
		command.textContent = words;
		return found;
	});
	check("a long command does not fill a phone", head.high < 110 && head.wide <= 0, head);
	await dark.page.click(".theme"); // dark again
	await dark.page.emulateMedia({ media: "print" });
	await dark.page.evaluate(() => dispatchEvent(new Event("beforeprint")));
	same(
		"paper is light",
		await dark.page.evaluate(() => getComputedStyle(document.body).backgroundColor),
		"rgb(255, 255, 255)",
	);
	same("all parts on paper", await dark.page.locator(".part:visible").count(), 10);
	await dark.page.setViewportSize({ width: 1047, height: 718 }); // A4 across, less its margins
	const over = await dark.page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
	check("nothing is cut off on paper", over <= 0, over);
	same("nor is any figure", await dark.page.evaluate(cutOff), []);
	same("nothing is folded there", await dark.page.locator("details:not(.help):not([open])").count(), 0);
	const pages = ((await dark.page.pdf({ preferCSSPageSize: true })).toString("latin1").match(/\/Type \/Page\b/g) || [])
		.length;
	check("each part has a page of its own", pages >= 9 && pages < 36, pages);
	await dark.page.evaluate(() => dispatchEvent(new Event("afterprint")));
	check(
		"and folded again",
		(await dark.page.locator("details:not(.help):not([open])").count()) > 0,
	);
	const unnamed = await dark.page.evaluate(() =>
		[...document.querySelectorAll("button, input, select, svg[role=img], table")]
			.filter(
				(e) =>
					!(
						e.innerText ||
						(e.matches("button") && e.textContent) || // one that is not in sight has it, too
						e.getAttribute("aria-label") ||
						(e.labels && e.labels.length) ||
						e.querySelector("caption")
					),
			)
			.map((e) => e.outerHTML.slice(0, 80)),
	);
	same("everything has a name for a screen reader", unnamed, []);
}

run(async (open) => {
	const visit = await open(pageFile);
	await overview(visit);
	await matrix(visit);
	await detail(visit);
	await tables(visit);
	await keyboard(open);
	await colourBlind(open);
	await contrast(open);
	await longNames(open);
	await looks(open);
});

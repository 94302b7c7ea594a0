// tests/browser/flame.js PATHS.html PLAIN.html PATHS.json INNER.html - the flame graph of a run with call paths, of one without,
// and of one that misses the first level only; the treemap of data.
"use strict";
const { run, check, same, becomes, readJson, fragmentOf } = require("./lib.js");
const [withPaths, without, pathsFile, inner] = process.argv.slice(2);
const paths = readJson(pathsFile).paths;

// Label and width of every box.
function boxes(page) {
	return page.evaluate(() =>
		Array.from(document.querySelectorAll(".flame .box")).map((b) => ({
			words: b.getAttribute("aria-label"),
			level: Number(b.getAttribute("aria-level")),
			width: b.querySelector("rect").getBoundingClientRect().width,
		})),
	);
}

const nameOf = (box) => box.words.slice(0, box.words.lastIndexOf(": "));
const shareOf = (box) => Number(box.words.match(/([\d.]+)%$/)[1]) / 100;

async function calls({ page }) {
	const all = await boxes(page),
		whole = all[0].width,
		outermost = paths[0].calls[0].code;
	same("the first box is all", nameOf(all[0]), "all");
	check("below it is the outermost function", all.some((b) => b.level === 2 && nameOf(b) === outermost), outermost);
	check(
		"boxes are as wide as their share",
		all.every((b) => Math.abs(b.width - shareOf(b) * whole) <= 3),
		all.filter((b) => Math.abs(b.width - shareOf(b) * whole) > 3),
	);
	const deepest = Math.max(...paths.map((p) => p.calls.length));
	check("every call has a level, and its data one more", Math.max(...all.map((b) => b.level)) <= deepest + 3);
	check("data is at the end of paths", all.some((b) => nameOf(b) === "Matrix.Y in BlkMultiply"));
}

async function zooming({ page }) {
	const before = (await boxes(page)).length;
	await page.evaluate(() =>
		Array.from(document.querySelectorAll(".flame .box"))
			.find((b) => b.getAttribute("aria-label").startsWith("ClearProduct: "))
			.dispatchEvent(new MouseEvent("click", { bubbles: true })),
	);
	const zoomed = await boxes(page),
		one = zoomed.find((b) => nameOf(b) === "ClearProduct");
	check("a click zooms in", zoomed.length !== before || one.width >= zoomed[0].width - 1);
	same("to the whole width", Math.round(one.width), Math.round(zoomed[0].width));
	check("and says what it is", (await page.locator(".flame-facts").innerText()).startsWith("ClearProduct: "));
	const inside = zoomed.filter((b) => b.level > one.level);
	check("boxes in it have their share of it, too", inside.length > 0 && inside.every((b) => / \([\d.]+% of ClearProduct\)$/.test(b.words)), inside);
	const legend = await page.locator("#part-flame .legend a").evaluateAll((list) => list.map((a) => [a.hash, a.textContent]));
	check("the colors of data lead to it", legend.some(([hash, text]) => text === "Matrix.Y" && hash.startsWith("#data/")), legend);
	await page.getByRole("button", { name: "Show all", exact: true }).locator("visible=true").click();
	same("and out again", (await boxes(page)).length, before);
}

// What the pointer passes over on the way to the links of a chosen box does not change them.
async function pinning({ page }) {
	const box = page.locator('.flame .box[aria-label^="Matrix.Y in BlkMultiply: "]').first();
	await box.click();
	const links = () => page.locator(".flame-facts a").evaluateAll((list) => list.map((a) => a.getAttribute("href"))),
		before = await links();
	same("a box is a link, for a middle click", await box.getAttribute("href"), "#bin/BlkMultiply/Matrix.Y");
	check("a box has links to details and source", before[0] === "#bin/BlkMultiply/Matrix.Y" && before.length === 2, before);
	await page.locator(".flame .box").first().hover();
	check("what is pointed at is named", (await page.locator(".flame-pointed").innerText()).startsWith("all: "));
	same("and the links stay", await links(), before);
	await page.getByRole("button", { name: "Show all", exact: true }).locator("visible=true").click();
}

// Reads the picture back from the clipboard: boxes have their colors in it.
async function copying(open) {
	const { page } = await open(withPaths + "#flame", { permissions: ["clipboard-read", "clipboard-write"] });
	await page.waitForSelector(".flame .box");
	await page.locator("#part-flame .copy").click();
	await becomes("a picture can be copied as PNG", () => page.locator("#status").innerText(), "Copied as PNG");
	const [got, wanted, size] = await page.evaluate(async () => {
		const [item] = await navigator.clipboard.read(),
			bitmap = await createImageBitmap(await item.getType("image/png")),
			canvas = Object.assign(document.createElement("canvas"), { width: bitmap.width, height: bitmap.height }),
			pen = canvas.getContext("2d", { willReadFrequently: true }),
			rect = document.querySelector(".flame .box.data rect"),
			style = getComputedStyle(rect),
			at = ["x", "y", "width", "height"].map((key) => Number(rect.getAttribute(key)));
		pen.fillStyle = style.fill;
		pen.globalAlpha = Number(style.opacity) * Number(style.fillOpacity);
		pen.fillRect(0, 0, 1, 1);
		const wanted = Array.from(pen.getImageData(0, 0, 1, 1).data);
		pen.globalAlpha = 1;
		pen.drawImage(bitmap, 0, 0);
		const got = Array.from(pen.getImageData((12 + at[0] + at[2] - 3) * 2, (36 + at[1] + 3) * 2, 1, 1).data);
		return [got, wanted.slice(0, 3).map((v) => Math.round((v * wanted[3]) / 255 + 255 - wanted[3])), bitmap.width];
	});
	check("as wide as on the page, twice as sharp", size > 2000, size);
	check("boxes have their colors", got.slice(0, 3).every((v, i) => Math.abs(v - wanted[i]) <= 3), { got, wanted });
}

async function finding({ page }) {
	await page.locator("#part-flame input").fill("matrix.y");
	check("what is searched is marked", (await page.locator(".flame .box.match").count()) > 0);
	check("with its share", /^[\d.]+% matches$/.test(await page.locator("#part-flame [role=status]").innerText()));
	await page.locator("#part-flame input").fill("");
	same("and is not marked any more", await page.locator(".flame .box.match").count(), 0);
}

async function inverting({ page }) {
	await page.getByRole("button", { name: "Callers" }).click();
	const second = (await boxes(page)).filter((b) => b.level === 2);
	check("functions that wait are first", second.some((b) => nameOf(b) === "BlkMultiply"), second);
	check("in the colors of the data that they wait for", (await page.locator('.flame .box[class*="fill-series-"]').count()) > 1);
	const found = async () => {
		await page.locator("#part-flame input").fill("matrix.y");
		return page.locator("#part-flame [role=status]").innerText();
	};
	const share = await found();
	check("the function that waits for data is found by the data", (await page.locator(".flame .box.match").count()) > 0);
	await page.getByRole("button", { name: "Callers" }).click();
	same("with the share of the data", share, await found());
	await page.locator("#part-flame input").fill("");
	await page.locator("#flame-color").selectOption("cause");
	check("boxes have the colours of causes", (await page.locator(".flame .box.fill-replacement").count()) > 0);
}

// Cycles of the misses of all levels by cause: what never misses the last level waits for the others.
async function causes(open) {
	const { page } = await open(inner + "#flame");
	await page.waitForSelector(".flame .box");
	await page.locator("#flame-color").selectOption("cause");
	const data = page.locator('.flame .box[aria-label^="Matrix.Y in BlkMultiply: "]').first();
	check("what never misses the last level has a cause, too", (await data.getAttribute("class")).includes("fill-replacement"), await data.getAttribute("class"));
	same("no box is without one", await page.locator(".flame .box.fill-none").count(), 0);
}

async function keyboard({ page }) {
	await page.locator('.flame .box[tabindex="0"]').focus();
	await page.keyboard.press("ArrowDown");
	const level = () => page.evaluate(() => document.activeElement.getAttribute("aria-level"));
	same("an arrow key moves down", await level(), "2");
	await page.keyboard.press("ArrowUp");
	same("and up", await level(), "1");
}

// What is chosen is in the address, by names, and an address chooses it.
async function addressed(open) {
	const { page } = await open(withPaths + "#flame"),
		said = () => page.locator(".flame-facts").innerText();
	await page.waitForSelector(".flame .box");
	await page.locator("#flame-color").selectOption("cause");
	await page.getByRole("button", { name: "Callers" }).click();
	await page.locator("#part-flame input").fill("matrix.y");
	await page.locator('.flame .box[aria-label^="ClearProduct: "]').first().click();
	same("choices of the flame graph are in the address", await fragmentOf(page), "#flame?color=cause&callers=1&find=matrix.y&zoom=ClearProduct");
	same("and in that of its tab", await page.locator('#nav a[data-part="flame"]').getAttribute("href"), "#flame?color=cause&callers=1&find=matrix.y&zoom=ClearProduct");
	await page.getByRole("button", { name: "Callers" }).click();
	same("another tree begins with all", await fragmentOf(page), "#flame?color=cause&find=matrix.y");
	await page.locator('.flame .box[aria-label^="Matrix.Y in BlkMultiply: "]').first().click();
	const address = await fragmentOf(page),
		there = await open(withPaths + address);
	check("data in a function has its whole path", address.endsWith("%2F*Matrix.Y") && address.includes("main%2F"), address);
	await there.page.waitForSelector(".flame .box");
	same("a link leads to the same box", await there.page.locator(".flame-facts").innerText(), await said());
	same("with the same colors,", await there.page.inputValue("#flame-color"), "cause");
	same("the same words,", await there.page.inputValue("#part-flame input"), "matrix.y");
	same("and the same address", await fragmentOf(there.page), address);
	await there.page.goto(withPaths + "#flame?callers=1&zoom=nothing");
	await becomes("what an address does not state is as at first", () => there.page.inputValue("#flame-color"), "data");
	same("and what it states", await there.page.getByRole("button", { name: "Callers" }).getAttribute("aria-pressed"), "true");
	check("what is not in this run is left out", (await there.page.locator(".flame-facts").innerText()).startsWith("all: "));
	await there.page.goto(withPaths + "#data?group=kind&all=1");
	await there.page.waitForSelector("#data-map .cell");
	same("the treemap has its choices in the address", [await there.page.inputValue("#map-group"), await there.page.getByRole("button", { name: "Stacks and files" }).getAttribute("aria-pressed")], ["kind", "true"]);
	await there.page.locator("#map-group").selectOption("path");
	same("as they change", await fragmentOf(there.page), "#data?group=path&all=1");
	await there.page.locator("#map-group").selectOption("kind");
	const names = () => there.page.locator("#data-map .cell").evaluateAll((list) => list.map((c) => c.getAttribute("aria-label").split(":")[0]).sort());
	await there.page.locator('#data-map .zoom[aria-label="Only heap"]').click();
	same("a title of the treemap zooms into its group", await names(), ["Matrix.X", "Matrix.Y", "Matrix.Z"]);
	same("which is in the address, too", await fragmentOf(there.page), "#data?group=kind&all=1&zoom=heap");
	await there.page.locator("#data-map").getByRole("button", { name: "Show all" }).click();
	check("and out again", (await names()).length > 3 && (await fragmentOf(there.page)) === "#data?group=kind&all=1", await names());
	await there.page.goto(withPaths + "#data?group=kind&zoom=heap");
	await becomes("a link leads into a group", names, ["Matrix.X", "Matrix.Y", "Matrix.Z"]);
	await there.page.goto(withPaths + "#timeline?by=code");
	await there.page.waitForSelector("#over-time .legend");
	check("and the timeline", (await there.page.locator("#over-time .legend").innerText()).includes("BlkMultiply"));
	await there.page.locator("#over-time-by").selectOption("data");
	same("which is what it begins with", await fragmentOf(there.page), "#timeline");
}

// Of the first slices only: what pairs waited there is divided among their paths.
async function ranged(open) {
	const { page } = await open(withPaths + "#flame?from=0&to=10000000");
	await page.waitForSelector(".flame .box");
	const all = await boxes(page),
		waiting = all.filter((b) => nameOf(b).includes(" in ")).map(nameOf).sort();
	check("in a range of time paths are an estimate", (await page.locator("#part-flame .whole-run").innerText()).startsWith("An estimate: "));
	check("which has the calls", all.some((b) => b.level === 3 && nameOf(b) === "ClearProduct"), all);
	same("and the data of this range only", waiting, ["Matrix.X in main", "Matrix.Y in main", "Matrix.Z in ClearProduct"]);
	const [main, inner] = ["main", "ClearProduct"].map((n) => shareOf(all.find((b) => nameOf(b) === n))),
		own = all.filter((b) => nameOf(b).endsWith(" in main")).reduce((s, b) => s + shareOf(b), 0);
	check("a function has what it and its calls wait for", Math.abs(main - inner - own) < 0.002, { main, inner, own });
	await page.getByRole("button", { name: "Callers" }).click();
	check("likewise from the functions that wait", (await boxes(page)).filter((b) => b.level === 2).every((b) => ["main", "ClearProduct"].includes(nameOf(b))));
}

async function dataMap(open) {
	const { page } = await open(withPaths + "#data");
	const area = (data) =>
		page.evaluate((text) => {
			const cell = Array.from(document.querySelectorAll("#data-map .cell")).find((c) =>
				c.getAttribute("aria-label").startsWith(text + ": "),
			);
			const box = cell.querySelector("rect").getBoundingClientRect();
			return box.width * box.height;
		}, data);
	await page.waitForSelector("#data-map .cell");
	const x = await area("Matrix.X"),
		y = await area("Matrix.Y");
	check("data of the same size has the same area", Math.abs(x - y) < 0.1 * x, [x, y]);
	same("memory that contains heap blocks has no area", await page.locator('#data-map .cell[aria-label^="<allocator>: "]').count(), 0);
	check("which is said", (await page.locator("#data-map").innerText()).includes("Without <allocator>"));
	for (const by of ["path", "kind", "type"]) {
		await page.locator("#map-group").selectOption(by);
		check("grouped by " + by, (await page.locator("#data-map .cell").count()) > 2);
	}
	const titles = await page.locator("#data-map .title").evaluateAll((list) => list.map((t) => t.getBoundingClientRect()).map((r) => [r.left, r.right, r.top, r.bottom]));
	const close = (a, b) => a !== b && a[0] <= b[0] && b[0] < a[1] + 3 && a[2] < b[3] && b[2] < a[3];
	check("titles are apart", !titles.some((a) => titles.some((b) => close(a, b))), titles);
	const cells = await page.locator("#data-map .cell").count();
	await page.getByRole("button", { name: "Stacks and files" }).click();
	check("what waits for nothing is left out, unless it is asked for", (await page.locator("#data-map .cell").count()) > cells);
	await page.locator("#part-data details.help > summary").click();
	const chosen = async () => [
		await page.inputValue("#map-group"),
		await page.getByRole("button", { name: "Stacks and files" }).getAttribute("aria-pressed"),
		await page.locator("#part-data details.help").evaluate((d) => d.open),
	];
	await page.locator("#map-group").selectOption("kind");
	await page.reload();
	await page.waitForSelector("#data-map .cell");
	same("choices and what is unfolded stay when the page is loaded again", await chosen(), ["kind", "true", true]);
	await page.evaluate(() => (location.hash = "data?from=0&to=10000000"));
	await page.waitForSelector("#range:not([hidden])");
	same("and in a range of time", await chosen(), ["kind", "true", true]);
	await page.getByRole("button", { name: "Whole run" }).click();
	await page.locator('#data-map .cell[aria-label^="Matrix.Y: "]').click();
	same("a click opens it", await fragmentOf(page), "#data/Matrix.Y");
}

// Details of a function: its callers and callees, recursion counted once.
async function callers(open) {
	const full = paths.map((p) => ({ names: p.calls.map((c) => c.code).concat(p.code), share: p.stall_share })),
		words = (share) => (Math.round(1000 * share) / 10).toFixed(1) + "%";
	for (const code of ["main", "BlkMultiply", "memcpy"]) {
		const { page } = await open(withPaths + "#code/" + code),
			sums = { Callers: {}, Callees: {} };
		await page.waitForSelector("#calls");
		for (const { names, share } of full) {
			const pairs = new Set(names.slice(1).map((name, i) => names[i] + " " + name));
			for (const pair of pairs) {
				const [from, to] = pair.split(" ");
				if (from === to) continue;
				if (to === code) sums.Callers[from] = (sums.Callers[from] || 0) + share;
				if (from === code) sums.Callees[to] = (sums.Callees[to] || 0) + share;
			}
		}
		const inclusive = full.reduce((sum, p) => sum + (p.names.includes(code) ? p.share : 0), 0);
		same(code + ": time with what it calls", await page.locator("#figure-inclusive").innerText(), words(inclusive));
		for (const list of ["Callers", "Callees"]) {
			const rows = await page.locator('#calls [aria-label="' + list + '"] tbody tr').allInnerTexts(),
				wanted = Object.entries(sums[list]).sort((a, b) => b[1] - a[1]);
			same(list, rows.map((r) => r.split("\t").map((w) => w.trim())), wanted.map(([name, share]) => [name, words(share)]));
		}
	}
}

// One line across all charts, and the values at its place.
async function timeline(open) {
	const { page } = await open(without + "#timeline");
	await page.waitForSelector(".chart");
	const chart = page.locator(".chart").first(),
		box = await chart.boundingBox();
	check("charts have the whole width", box.width > 1200, box.width);
	await page.mouse.move(box.x + box.width / 2, box.y + box.height / 3);
	const words = await page.locator(".crosshair-words").allInnerTexts();
	check("pointing at a time shows its values", words.every((w) => /^steps [\d.]+\w? to [\d.]+\w?: /.test(w)), words);
	same("on all charts", await page.locator('.crosshair[visibility="visible"]').count(), await page.locator(".chart:not(.set-map)").count());
	await chart.focus();
	await page.keyboard.press("ArrowRight");
	check("the next one by key", (await page.locator(".crosshair-words").first().innerText()) !== words[0]);
}

run(async (open) => {
	const visit = await open(withPaths + "#flame");
	await visit.page.waitForSelector(".flame .box");
	for (const part of [calls, zooming, pinning, finding, inverting, keyboard]) await part(visit);
	const plain = await open(without + "#flame");
	await plain.page.waitForSelector(".flame .box");
	check("a run without call paths says so", (await plain.text("#part-flame")).includes("--call-paths"));
	check("and shows functions and their data", (await boxes(plain.page)).some((b) => b.level === 3));
	await callers(open);
	await causes(open);
	await ranged(open);
	await addressed(open);
	await dataMap(open);
	await timeline(open);
	if (process.env.BROWSER !== "firefox") await copying(open); // it has no permission to be given
});

// tests/browser/line-use.js URL SHOW.json... - details of data have the use of lines, access kind, miss curve and reuse of show
// --json, as texts, pictures and the page's JSON; they look as all parts should, on any screen. URL: a file or a served page.
"use strict";
const { run, check, same, readJson, pageData } = require("./lib.js");
const facts = require("./facts.js");
const [url, ...shown] = process.argv.slice(2);
const GOOD = { wider: 0, overlapping: [], faint: [], small: [], unnamed: [] };
const LOOKS = [
	{ colorScheme: "light" },
	{ colorScheme: "dark" },
	{ colorScheme: "light", viewport: { width: 390, height: 844 } },
	{ colorScheme: "dark", viewport: { width: 390, height: 844 } },
];
const rounded = (value) => (value === null || value === undefined ? null : Number(value.toPrecision(6)));
const tenth = (part, whole) => (Math.round((part / whole) * 1000) / 10).toFixed(1) + "%";

// The rows of a table for a data structure, as objects.
function rowsOf({ tables }, table, data) {
	const { columns, rows, text_columns } = tables[table],
		name = tables.data.columns.indexOf("name"),
		at = tables.data.rows.findIndex((r) => tables.texts[r[name] || 0] === data),
		value = (row, i) => (row[i] === undefined ? 0 : row[i]);
	return rows
		.filter((r) => value(r, 0) === at)
		.map((r) => Object.fromEntries(columns.map((c, i) => [c, text_columns.includes(c) && value(r, i) !== null ? tables.texts[value(r, i)] : value(r, i)])));
}

function json(file, page, { data, line_use, access, miss_curve, reuse }) {
	const [name] = data,
		codes = page.tables.code.rows.map((r) => page.tables.texts[r[0] || 0]);
	const uses = rowsOf(page, "line_use", name).map(({ level, used_bytes, low, high, written_bytes }) => {
		const { name: text, line } = page.report.run.machine_levels[level];
		return { name: text, line, ...(used_bytes !== null && { used_bytes, low, high }), ...(written_bytes !== null && { written_bytes }) };
	});
	same(file + ": bytes used", uses, line_use);
	const [found] = rowsOf(page, "access", name).map(({ kind, stride, stride_share, strides }) => ({ kind, ...(stride_share > 0 && { stride, stride_share, strides }) }));
	same(file + ": access", found || null, access && access.kind !== "unknown" ? access : null);
	same(
		file + ": curve",
		rowsOf(page, "miss_curves", name).map(({ data: _, ...point }) => point),
		miss_curve.map(({ size, misses, low, high }) => ({ size, misses: rounded(misses), low: rounded(low), high: rounded(high) })),
	);
	const place = (r, end) => ({ code: codes[r[end + ".code"]], file: r[end + ".file"], line: r[end + ".line"] });
	same(
		file + ": reuse",
		rowsOf(page, "reuses", name).map((r) => ({ data: name, from: place(r, "from"), to: place(r, "to"), misses: r.misses, between: [r.bytes_between, r.bytes_between_low, r.bytes_between_high] })),
		reuse.map(({ misses, bytes_between: at, bytes_between_low: low, bytes_between_high: high, ...r }) => ({ ...r, misses: rounded(misses), between: [at, low, high].map(rounded) })),
	);
}

// What the picture of a line's bytes shows: the used part, as a share of its width.
function drawn(page) {
	return page.locator("#line-use svg.line-use").evaluateAll((all) =>
		all.map((picture) => {
			const width = (c) => Number(picture.querySelector(c).getAttribute("width"));
			return (width(".fill-series-0") / width(".lane-back")).toFixed(3);
		}),
	);
}

async function details(page, { line_use, access, miss_curve, reuse, references }) {
	const used = line_use.filter((use) => use.used_bytes !== undefined);
	same("bars", await drawn(page), used.map((use) => (use.used_bytes / use.line).toFixed(3)));
	const words = await page.locator("#line-use .use-of-level p").allInnerTexts();
	check("bytes are named", used.every((use, i) => words[i].includes(use.name + " " + use.used_bytes.toFixed(1) + " of " + use.line + " bytes")), words);
	if (access && access.kind !== "unknown") same("access kind", await page.locator("#figure-access").innerText(), access.kind);
	const points = await page.locator("#line-use .miss-curve polyline").getAttribute("points"),
		heights = points.split(" ").map((p) => Number(p.split(",")[1])),
		all = references.read + references.write,
		most = Math.min(all, Math.max(...miss_curve.map((p) => p.high))),
		lowest = Number(await page.locator("#line-use .miss-curve .crosshair").getAttribute("y2"));
	check("curve", heights.length === miss_curve.length && heights.every((y, i) => Math.abs(y - lowest * (1 - miss_curve[i].misses / most)) < 0.1), heights);
	const marks = await page.locator("#line-use .miss-curve .level-mark").count();
	same("levels are marked", marks, 3);
	await page.locator("#line-use .miss-curve").focus();
	await page.keyboard.press("ArrowRight");
	await page.keyboard.press("ArrowRight");
	const second = tenth(miss_curve[1].misses, all);
	check("a point has words", (await page.locator("#line-use .crosshair-words").innerText()).includes("8 KiB: ") && (await page.locator("#line-use .crosshair-words").innerText()).includes(second), second);
	await page.locator("#line-use summary").click();
	const rates = await page.locator("#line-use details tbody tr:not(.space)").evaluateAll((list) => list.map((tr) => tr.cells[2].innerText.trim()));
	same("miss rates", rates.slice(0, 6), miss_curve.slice(0, 6).map((p) => tenth(p.misses, all)));
	await page.locator("#line-use summary").click();
	const pairs = await page.locator('#line-use table:has(caption:text-is("Reuse")) tbody tr:not(.space)').evaluateAll((list) => list.map((tr) => [...tr.cells].slice(0, 3).map((cell) => cell.innerText.trim()))),
		misses = reuse.reduce((sum, r) => sum + r.misses, 0),
		wanted = reuse.slice().sort((a, b) => b.misses - a.misses).map((r) => [r.from.code + ":" + r.from.line, r.to.code + ":" + r.to.line, tenth(r.misses, misses)]);
	same("reuse", pairs.sort(), wanted.sort());
}

// Annotated source has a column of used bytes: those of the line that sums up the first data shown.
async function source(open, shown) {
	const { page } = await open(url + "#source"),
		{ line_use, data } = readJson(shown[0]).selected,
		[{ used_bytes }] = line_use;
	await page.waitForSelector("#part-source tr.hot");
	const heads = await page.locator("#part-source thead").first().locator("th").allInnerTexts(),
		at = heads.findIndex((head) => head.startsWith("L1 bytes used")),
		cells = page.locator("#part-source tr.hot", { hasText: "sum += " + data[0].split(".").pop() }).first().locator("th, td");
	same("bytes used by a line", await cells.nth(at).innerText(), used_bytes.toFixed(1));
	check("with their interval", (await cells.nth(at).getAttribute("title")).startsWith(used_bytes.toFixed(1) + " of 64 bytes"));
}

run(async (open) => {
	await source(open, shown);
	if (url.startsWith("file:")) for (const file of shown) json(file, pageData(url), readJson(file).selected);
	for (const options of LOOKS) {
		const { page } = await open(url, options);
		for (const file of shown) {
			const selected = readJson(file).selected;
			await page.goto(url + "#data/" + encodeURIComponent(selected.data[0]));
			await page.waitForSelector("#line-use");
			await details(page, selected);
			const { texts, ...rest } = await page.evaluate(facts);
			same("looks", rest, GOOD);
			if (process.env.PICTURES) await page.locator("#detail").screenshot({ path: process.env.PICTURES + "/line-use-" + selected.data[0] + "-" + options.colorScheme + (options.viewport ? "-phone" : "") + ".png" });
		}
		await page.goto(url + "#code/sum_table");
		await page.waitForSelector("#detail .figures");
		same("functions have none", await page.locator("#detail #line-use").count(), 0);
	}
});

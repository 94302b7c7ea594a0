// paint.js - pictures and tables as PNG. Shapes and texts are drawn on a canvas one by one: as a picture of a picture an
// SVG would be a request, which the page's policy refuses, and would have no styles.

const PAINTED = "rect, path, line, polyline, text",
	PIXELS = 2, // of a pixel of the page, so that the picture is sharp in a document
	MARGIN = 12,
	WORDS_LINE = 18; // height of a line of the title, and of the legend

function opacityIn(element, root) {
	let all = 1;
	for (let e = element; e && e !== root; e = e.parentElement) all *= Number(getComputedStyle(e).opacity);
	return all;
}

function paintShape(pen, element, style, root) {
	const number = (key) => Number(element.getAttribute(key)) || 0,
		opacity = opacityIn(element, root);
	const path = new Path2D(element.getAttribute("d") || "");
	if (element.tagName === "rect") path.rect(number("x"), number("y"), number("width"), number("height"));
	if (element.tagName === "line") {
		path.moveTo(number("x1"), number("y1"));
		path.lineTo(number("x2"), number("y2"));
	}
	if (element.tagName === "polyline")
		element
			.getAttribute("points")
			.split(" ")
			.forEach((point) => path.lineTo(...point.split(",").map(Number)));
	if (style.fill !== "none" && element.tagName !== "line") {
		pen.globalAlpha = opacity * Number(style.fillOpacity);
		pen.fillStyle = style.fill;
		pen.fill(path);
	}
	if (style.stroke !== "none") {
		pen.globalAlpha = opacity * Number(style.strokeOpacity);
		pen.strokeStyle = style.stroke;
		pen.lineWidth = parseFloat(style.strokeWidth);
		pen.stroke(path);
	}
}

function paintText(pen, text, style, x, y) {
	pen.globalAlpha = 1;
	pen.font = style.fontWeight + " " + style.fontSize + " " + style.fontFamily;
	pen.textAlign = { middle: "center", end: "right" }[style.textAnchor] || "left";
	pen.fillStyle = style.fill;
	pen.fillText(text, x, y);
}

// The text of an SVG element without that of its title.
function ownText(element) {
	return Array.from(element.childNodes, (n) => (n.nodeType === Node.TEXT_NODE ? n.data : "")).join("");
}

function paintPicture(pen, picture) {
	for (const element of picture.querySelectorAll(PAINTED)) {
		const style = getComputedStyle(element);
		if (style.visibility === "hidden" || style.display === "none") continue;
		if (element.tagName === "text") paintText(pen, ownText(element), style, Number(element.getAttribute("x")), Number(element.getAttribute("y")));
		else paintShape(pen, element, style, picture);
	}
}

// In the middle of a box, as the page has it: headings of columns are turned.
function paintWords(pen, text, { left, top, width, height }, turned) {
	pen.save();
	pen.translate(left + width / 2, top + height / 2);
	if (turned) pen.rotate(-Math.PI / 2);
	pen.fillText(text, 0, 0, turned ? height : width);
	pen.restore();
}

// A text of a page, within its cell; in several lines, letter by letter.
function paintTextNode(pen, node, style) {
	const range = document.createRange(),
		turned = style.writingMode !== "horizontal-tb",
		cell = node.parentElement.closest("th, td"),
		box = cell && cell.getBoundingClientRect();
	range.selectNodeContents(node);
	pen.save();
	pen.beginPath();
	if (box) {
		pen.rect(box.left, box.top, box.width, box.height);
		pen.clip();
	}
	pen.font = style.fontWeight + " " + style.fontSize + " " + style.fontFamily;
	pen.fillStyle = style.color;
	pen.textAlign = "center";
	pen.textBaseline = "middle";
	if (range.getClientRects().length < 2) paintWords(pen, node.data, range.getBoundingClientRect(), turned);
	else
		for (let i = 0; i < node.length; i++) {
			range.setStart(node, i);
			range.setEnd(node, i + 1);
			paintWords(pen, node.data[i], range.getBoundingClientRect(), turned);
		}
	pen.restore();
}

// An element that is no picture, such as a table: backgrounds, the line of a cell's cause, texts, intervals, pictures in it.
function paintElement(pen, root) {
	const { left, top } = root.getBoundingClientRect();
	pen.translate(-left, -top);
	for (const element of root.querySelectorAll("*")) {
		const box = element.getBoundingClientRect(),
			style = getComputedStyle(element),
			fill = (color, y, height) => {
				pen.fillStyle = color;
				pen.fillRect(box.left, y, box.width - 1, height);
			};
		if (box.width < 2 || element.ownerSVGElement) continue;
		fill(style.backgroundColor, box.top, box.height - 1);
		const [line] = /^rgba?\([^)]*\)/.exec(style.boxShadow) || [];
		if (line) fill(line, box.bottom - 5, 4);
		if (element.tagName === "svg") {
			const { a, b, c, d, e, f } = element.getScreenCTM();
			pen.save();
			pen.transform(a, b, c, d, e, f);
			paintPicture(pen, element);
			pen.restore();
			pen.globalAlpha = 1;
			continue;
		}
		for (const node of element.childNodes) if (node.nodeType === Node.TEXT_NODE && node.data.trim()) paintTextNode(pen, node, style);
		if (element.dataset.between) {
			pen.font = "11px " + style.fontFamily;
			pen.fillStyle = getComputedStyle(element, "::after").color;
			pen.textAlign = "right";
			pen.fillText(element.dataset.between, box.right - 8, box.bottom - 4, box.width - 10);
		}
	}
}

// The entries of the legends in an element, in lines of this width; without a pen they are only measured. Returns the height.
function paintLegend(pen, from, width, top, draw) {
	let x = 0,
		y = top;
	for (const li of from.querySelectorAll(".legend li")) {
		if (!li.checkVisibility()) continue;
		const style = getComputedStyle(li),
			text = li.textContent.trim();
		pen.font = style.fontSize + " " + style.fontFamily;
		const room = 18 + pen.measureText(text).width + 16;
		if (x > 0 && x + room > width) {
			x = 0;
			y += WORDS_LINE;
		}
		if (draw) {
			pen.globalAlpha = 1;
			pen.fillStyle = getComputedStyle(li.querySelector("rect")).fill;
			pen.fillRect(x, y - 10, 11, 11);
			pen.textAlign = "left";
			pen.fillStyle = style.color;
			pen.fillText(text, x + 16, y);
		}
		x += room;
	}
	return y - top + (x > 0 ? WORDS_LINE : 0);
}

// pictures: SVG elements, tables and others, drawn one below the other; from: the element with their legends.
function painted(pictures, title, from) {
	const scrolled = Array.from(pictures, (p) => p.closest(".scroll")).filter((s) => s !== null),
		at = scrolled.map((s) => [s.scrollLeft, s.scrollTop]);
	for (const s of scrolled) s.scrollTo(0, 0); // what stays in sight is in its place then
	const canvas = paintedInPlace(pictures, title, from);
	scrolled.forEach((s, i) => s.scrollTo(...at[i]));
	return canvas;
}

function paintedInPlace(pictures, title, from) {
	const boxes = Array.from(pictures, (p) => (p.viewBox ? p.viewBox.baseVal : Object.assign(p.getBoundingClientRect(), { x: 0, y: 0 }))),
		width = Math.max(...boxes.map((b) => b.width)),
		height = boxes.reduce((sum, b) => sum + b.height + MARGIN, -MARGIN),
		canvas = document.createElement("canvas"),
		pen = canvas.getContext("2d"),
		style = getComputedStyle(document.body),
		top = MARGIN + WORDS_LINE + 6,
		words = paintLegend(pen, from, width, 0, false);
	canvas.width = Math.ceil((width + 2 * MARGIN) * PIXELS);
	canvas.height = Math.ceil((top + height + words + 2 * MARGIN) * PIXELS);
	pen.scale(PIXELS, PIXELS);
	pen.fillStyle = style.backgroundColor;
	pen.fillRect(0, 0, canvas.width, canvas.height);
	pen.fillStyle = style.color;
	pen.font = "600 14px " + style.fontFamily;
	pen.fillText(title, MARGIN, MARGIN + WORDS_LINE - 4, width);
	pen.translate(MARGIN, top);
	boxes.forEach((box, i) => {
		pen.save();
		pen.translate(-box.x, -box.y);
		(pictures[i].viewBox ? paintPicture : paintElement)(pen, pictures[i]);
		pen.restore();
		pen.translate(0, box.height + MARGIN);
	});
	pen.translate(0, WORDS_LINE - MARGIN);
	paintLegend(pen, from, width, 0, true);
	return canvas;
}

function saveFile(blob, fileName) {
	const address = URL.createObjectURL(blob);
	h("a", { href: address, download: fileName }).click();
	setTimeout(() => URL.revokeObjectURL(address), 10000);
}

// Where the clipboard takes no pictures, the picture becomes a file.
async function copyPicture(canvas, fileName) {
	const blob = await new Promise((done) => canvas.toBlob(done, "image/png"));
	try {
		await navigator.clipboard.write([new ClipboardItem({ "image/png": blob })]);
		return "Copied";
	} catch {
		saveFile(blob, fileName);
		return "Saved";
	}
}

// find(): {pictures, from}, as painted() takes them; title: what they show.
function pictureButton(title, find) {
	const button = h("button", { type: "button", class: "copy", title: "Copy the picture as PNG", "aria-label": "Copy as PNG: " + title }, "PNG");
	button.addEventListener("click", async () => {
		const { pictures, from } = find(),
			whole = title + ": " + document.title.replace(/ - memspy$/, "");
		button.textContent = await copyPicture(painted(pictures, whole, from), title.toLowerCase().replace(/\W+/g, "-") + ".png");
		say(button.textContent + " as PNG");
		setTimeout(() => (button.textContent = "PNG"), 1500);
	});
	return button;
}

// Of the pictures, or other elements, and the legends in an element that is made later.
function pictureIn(title, element, what = "svg:not(.swatch)") {
	return pictureButton(title, () => ({ pictures: element().querySelectorAll(what), from: element() }));
}

// A heading with such a button; full: the title of the picture, which stands alone.
function pictureHead(tag, title, element, what, full = title) {
	return h("div", { class: "picture-head" }, h(tag, {}, title), pictureIn(full, element, what));
}

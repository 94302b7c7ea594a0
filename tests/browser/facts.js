// tests/browser/facts.js - facts about how a page looks, computed in the page: they hold with any fonts, as pictures do not.
// Passed to page.evaluate() whole, so that functions here use only what is in here.
"use strict";

module.exports = function facts() {
	const LEAST = 2; // pixels that boxes may overlap: letters do not fill theirs

	const seen = (e) => {
		const style = getComputedStyle(e);
		return style.visibility !== "hidden" && style.display !== "none" && Number(style.opacity) > 0;
	};

	// The part of a box that its scrolling ancestors show.
	const clipped = (box, element) => {
		let { left, top, right, bottom } = box;
		for (let e = element; e && e !== document.body; e = e.parentElement) {
			const style = getComputedStyle(e);
			if (style.position === "fixed") break;
			if (style.overflow === "visible" && !e.matches("svg")) continue;
			const r = e.getBoundingClientRect();
			left = Math.max(left, r.left);
			top = Math.max(top, r.top);
			right = Math.min(right, r.right);
			bottom = Math.min(bottom, r.bottom);
		}
		return right - left > 1 && bottom - top > 1 ? { left, top, right, bottom } : null;
	};

	// What stays in its place, or lies above the page, covers others on purpose.
	const floats = (element) => {
		for (let e = element; e; e = e.parentElement) {
			const { position } = getComputedStyle(e);
			if (position === "sticky" || position === "fixed") return e;
		}
		return null;
	};

	// Lines of text: {text, element, left, top, right, bottom}.
	const texts = () => {
		const found = [],
			walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
		for (let node = walker.nextNode(); node; node = walker.nextNode()) {
			const element = node.parentElement;
			if (!node.data.trim() || element.closest("script, style, noscript, option, title, .hidden, #status, .skip") || !seen(element)) continue;
			if (!element.checkVisibility({ visibilityProperty: true, opacityProperty: true })) continue;
			const range = document.createRange();
			range.selectNodeContents(node);
			for (const rect of range.getClientRects()) {
				const box = rect.width > 1 && rect.height > 1 ? clipped(rect, element) : null;
				if (box) found.push(Object.assign(box, { text: node.data.trim().slice(0, 40), element }));
			}
		}
		return found;
	};

	const overlap = (a, b) =>
		Math.min(a.right, b.right) - Math.max(a.left, b.left) > LEAST &&
		Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > LEAST + 0.25 * Math.min(a.bottom - a.top, b.bottom - b.top);

	const overlapping = (list) => {
		const sorted = list.map((t) => Object.assign(t, { floats: floats(t.element) })).sort((a, b) => a.top - b.top),
			found = [];
		sorted.forEach((a, i) => {
			for (let k = i + 1; k < sorted.length && sorted[k].top < a.bottom; k++)
				if (a.element !== sorted[k].element && a.floats === sorted[k].floats && overlap(a, sorted[k]))
					found.push(a.text + " / " + sorted[k].text);
		});
		return found;
	};

	// Colors as [red, green, blue, alpha]; the canvas understands all notations.
	const known = new Map(),
		pen = Object.assign(document.createElement("canvas"), { width: 1, height: 1 }).getContext("2d", { willReadFrequently: true });
	const color = (text) => {
		if (!known.has(text)) {
			pen.clearRect(0, 0, 1, 1);
			pen.fillStyle = text;
			pen.fillRect(0, 0, 1, 1);
			const [r, g, b, a] = pen.getImageData(0, 0, 1, 1).data;
			known.set(text, [r, g, b, a / 255]);
		}
		return known.get(text);
	};
	const over = (top, below) => [0, 1, 2].map((i) => top[i] * top[3] + below[i] * (1 - top[3])).concat(1);
	const luminance = ([r, g, b]) => {
		const part = (v) => (v / 255 <= 0.04045 ? v / 255 / 12.92 : ((v / 255 + 0.055) / 1.055) ** 2.4);
		return 0.2126 * part(r) + 0.7152 * part(g) + 0.0722 * part(b);
	};
	const contrast = (a, b) => {
		const [low, high] = [luminance(a), luminance(b)].sort((x, y) => x - y);
		return (high + 0.05) / (low + 0.05);
	};

	const isShape = (e) => e instanceof SVGGeometryElement && getComputedStyle(e).fill !== "none";
	const ownColor = (e) => {
		const style = getComputedStyle(e);
		const [r, g, b, a] = color(isShape(e) ? style.fill : style.backgroundColor);
		return [r, g, b, a * Number(style.opacity) * (isShape(e) ? Number(style.fillOpacity) : 1)];
	};

	// What is painted below a point of a text: shapes of its picture, then backgrounds.
	const below = (t) => {
		const x = (t.left + t.right) / 2,
			y = (t.top + t.bottom) / 2,
			layers = [];
		for (let e = t.element; e; e = e.parentElement) {
			if (e.matches("svg"))
				for (const shape of Array.from(e.querySelectorAll("rect, path, polyline")).reverse()) {
					if (shape.compareDocumentPosition(t.element) & Node.DOCUMENT_POSITION_PRECEDING || !isShape(shape) || !seen(shape)) continue;
					const place = new DOMPoint(x, y).matrixTransform(shape.getScreenCTM().inverse());
					if (shape.isPointInFill(place)) layers.push(ownColor(shape));
				}
			else if (!(e instanceof SVGElement)) layers.push(ownColor(e));
			if (layers.length && layers[layers.length - 1][3] === 1) break;
		}
		return layers.reverse().reduce((under, top) => over(top, under), [255, 255, 255, 1]);
	};

	const isLarge = (style) => parseFloat(style.fontSize) >= 24 || (parseFloat(style.fontSize) >= 18.66 && Number(style.fontWeight) >= 700);

	// WCAG 2, level AA: 4.5 for text, 3 for large text. What is disabled is exempt.
	const faint = (list) =>
		list
			.filter((t) => !t.element.closest("[disabled], [aria-disabled=true]"))
			.map((t) => {
				const style = getComputedStyle(t.element),
					back = below(t),
					front = color(t.element instanceof SVGElement ? style.fill : style.color),
					ratio = contrast(over(front, back), back);
				return { text: t.text, ratio, least: isLarge(style) ? 3 : 4.5, of: t.element.className.baseVal || t.element.className };
			})
			.filter((t) => t.ratio < t.least - 0.005)
			.map((t) => t.text + " (" + t.of + "): " + t.ratio.toFixed(2));

	// Buttons and fields that cannot be hit with a finger: WCAG 2.2, level AA, 24 by 24 pixels.
	const small = () =>
		Array.from(document.querySelectorAll("button, select, input, summary"))
			.filter((e) => e.checkVisibility({ visibilityProperty: true }) && !e.closest(".skip, label"))
			.filter((e) => {
				const r = e.getBoundingClientRect();
				return r.width > 0 && (r.width < 24 || r.height < 24 - 0.5);
			})
			.map((e) => (e.textContent || e.getAttribute("aria-label") || e.tagName).slice(0, 30));

	const unnamed = () =>
		Array.from(document.querySelectorAll("button, select, input, a[href], [role=img], [role=grid]"))
			.filter((e) => e.checkVisibility())
			.filter((e) => !(e.getAttribute("aria-label") || e.textContent.trim() || e.getAttribute("aria-labelledby") || (e.labels && e.labels.length)))
			.map((e) => e.outerHTML.slice(0, 80));

	const list = texts(),
		unique = (all) => Array.from(new Set(all)).slice(0, 8);
	return {
		texts: list.length,
		wider: document.documentElement.scrollWidth - document.documentElement.clientWidth,
		overlapping: unique(overlapping(list)),
		faint: unique(faint(list)),
		small: unique(small()),
		unnamed: unique(unnamed()),
	};
};

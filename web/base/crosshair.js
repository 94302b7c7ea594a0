// crosshair.js - a line across all charts of a part at the slice of time that is pointed at, and the values there.

// All charts of a part move together: they show the same time.
class Crosshair {
	constructor() {
		this.charts = [];
		this.at = -1;
	}

	// n: slices; words(i): the values of a slice; width: of the chart in its own units.
	add(picture, n, width, height, words) {
		const line = svg("line", { class: "crosshair", y1: 0, y2: height, visibility: "hidden" }),
			text = h("p", { class: "crosshair-words quiet" }, "\u00a0");
		const chart = { picture, n, width, line, text, words };
		picture.append(line);
		picture.setAttribute("tabindex", "0");
		picture.addEventListener("mousemove", (e) => this.point(chart, e));
		picture.addEventListener("mouseleave", () => this.show(-1));
		picture.addEventListener("keydown", (e) => this.key(chart, e));
		this.charts.push(chart);
		return h("div", {}, picture, text);
	}

	point(chart, e) {
		const matrix = chart.picture.getScreenCTM();
		if (!matrix) return;
		const x = new DOMPoint(e.clientX, e.clientY).matrixTransform(matrix.inverse()).x,
			i = Math.floor((x / chart.width) * chart.n);
		this.show(i >= 0 && i < chart.n ? i : -1);
	}

	key(chart, e) {
		const by = { ArrowLeft: -1, ArrowRight: 1 }[e.key];
		if (!by) return;
		e.preventDefault();
		this.show(Math.max(0, Math.min(chart.n - 1, this.at + by)));
	}

	show(i) {
		this.at = i;
		for (const c of this.charts) {
			const shown = i >= 0 && i < c.n,
				x = (((i + 0.5) / c.n) * c.width).toFixed(1);
			c.line.setAttribute("visibility", shown ? "visible" : "hidden");
			if (shown) {
				c.line.setAttribute("x1", x);
				c.line.setAttribute("x2", x);
			}
			c.text.textContent = shown ? visible(c.words(i)) : "\u00a0";
		}
	}
}

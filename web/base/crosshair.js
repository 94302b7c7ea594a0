// crosshair.js - a line across all charts of a part at the time that is pointed at, and the values there.

// All charts of a part move together: they show the same time, in slices of their own.
class Crosshair {
	constructor() {
		this.charts = [];
		this.share = -1; // of the run, 0 to 1; below 0: nothing is pointed at
	}

	// n: slices; words(i): the values of a slice; width: of the chart in its own units; ends: where each slice ends, as a
	// share of the run (null: they are equally long).
	add(picture, n, width, height, words, ends) {
		const line = svg("line", { class: "crosshair", y1: 0, y2: height, visibility: "hidden" }),
			text = h("p", { class: "crosshair-words quiet" }, "\u00a0");
		const chart = { picture, n, width, line, text, words, end: (i) => (i < 0 ? 0 : ends ? ends[i] : (i + 1) / n) };
		picture.append(line);
		picture.setAttribute("tabindex", "0");
		picture.addEventListener("mousemove", (e) => this.show(this.shareAt(chart, e)));
		picture.addEventListener("mouseleave", () => this.show(-1));
		picture.addEventListener("keydown", (e) => this.key(chart, e));
		this.charts.push(chart);
		return h("div", {}, text, picture); // above: lanes may be longer than the screen
	}

	shareAt(chart, e) {
		const matrix = chart.picture.getScreenCTM();
		if (!matrix) return -1;
		const x = new DOMPoint(e.clientX, e.clientY).matrixTransform(matrix.inverse()).x / chart.width;
		return x < 1 ? x : -1;
	}

	sliceAt(chart, share) {
		let from = 0,
			to = chart.n - 1;
		while (from < to) {
			const middle = (from + to) >> 1;
			if (chart.end(middle) > share) to = middle;
			else from = middle + 1;
		}
		return from;
	}

	middle(chart, i) {
		return (chart.end(i - 1) + chart.end(i)) / 2;
	}

	key(chart, e) {
		const by = { ArrowLeft: -1, ArrowRight: 1 }[e.key];
		if (!by) return;
		e.preventDefault();
		const i = this.share < 0 ? 0 : this.sliceAt(chart, this.share) + by;
		this.show(this.middle(chart, Math.max(0, Math.min(chart.n - 1, i))));
	}

	show(share) {
		this.share = share;
		for (const c of this.charts) {
			const shown = share >= 0 && c.n > 0,
				i = shown ? this.sliceAt(c, share) : 0,
				x = (this.middle(c, i) * c.width).toFixed(1);
			c.line.setAttribute("visibility", shown ? "visible" : "hidden");
			if (shown) {
				c.line.setAttribute("x1", x);
				c.line.setAttribute("x2", x);
			}
			c.text.textContent = shown ? visible(c.words(i)) : "\u00a0";
		}
	}
}

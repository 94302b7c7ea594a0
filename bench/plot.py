"""Pictures of bench/accuracy.py: lines on logarithmic axes, as SVG that is readable on light and on dark paper."""
import math
from html import escape

LEFT, TOP, WIDTH, HEIGHT, ROW = 64, 34, 560, 260, 16
# Of the same lightness: on white and on black they are as far from the paper.
COLOURS = ["#4c8bd0", "#d0743c", "#4c9f5e", "#c85a8e", "#8d78c8", "#a08a30", "#3a9ea0", "#b0635a"]
INK, GRID = "#808080", "#80808055"
MARKS = "●■▲◆"


def decades(values):
    first, last = math.floor(math.log10(min(values))), math.ceil(math.log10(max(values)))
    return first, max(last, first + 1)


def short(value, binary=False):
    if binary:
        return f"{value >> 20} MB" if value >= 1 << 20 else f"{value >> 10} KB"
    for unit, size in (("G", 1e9), ("M", 1e6), ("K", 1e3)):
        if value >= size:
            return f"{value / size:g}{unit}"
    return f"{value:g}"


def lines(title, x, y, series, binary=False, least=0.01):
    """series: {name: [(x, y), ...]}; what is below `least` is drawn there."""
    series = {name: [(px, max(py, least)) for px, py in points] for name, points in series.items() if points}
    xs, ys = ([p[i] for points in series.values() for p in points] or [1, 10] for i in (0, 1))
    bottom, right = TOP + HEIGHT, LEFT + WIDTH
    low, high = decades(ys)
    left, far = (math.log10(min(xs)), math.log10(max(xs))) if binary else decades(xs)
    far = max(far, left + 0.1)

    def at_x(value):
        return LEFT + WIDTH * (math.log10(value) - left) / (far - left)

    def at_y(value):
        return bottom - HEIGHT * (math.log10(value) - low) / (high - low)
    height = bottom + 44 + ROW * ((len(series) + 3) // 4)
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{right + 16}" height="{height}" viewBox="0 0 {right + 16} {height}" '
           f'font-family="sans-serif" font-size="12" fill="{INK}">', f"<title>{escape(title)}</title>", f'<text x="{LEFT}" y="18">{escape(title)}</text>']
    for e in range(low, high + 1):
        out.append(f'<path d="M{LEFT} {at_y(10.0 ** e):.1f}H{right}" stroke="{GRID}"/><text x="{LEFT - 6}" y="{at_y(10.0 ** e) + 4:.1f}" text-anchor="end">{10.0 ** e:g}</text>')
    for value in sorted(set(xs)) if binary else [10.0 ** e for e in range(left, far + 1)]:
        out.append(f'<path d="M{at_x(value):.1f} {TOP}V{bottom}" stroke="{GRID}"/><text x="{at_x(value):.1f}" y="{bottom + 15}" text-anchor="middle">{short(value, binary)}</text>')
    out.append(f'<text x="{(LEFT + right) / 2}" y="{bottom + 31}" text-anchor="middle">{escape(x)}</text>')
    out.append(f'<text transform="translate(14 {(TOP + bottom) / 2}) rotate(-90)" text-anchor="middle">{escape(y)}</text>')
    for i, (name, points) in enumerate(series.items()):
        colour, mark = COLOURS[i % len(COLOURS)], MARKS[i // len(COLOURS) % len(MARKS)]
        path = "".join(f"{'L' if k else 'M'}{at_x(px):.1f} {at_y(py):.1f}" for k, (px, py) in enumerate(points))
        out.append(f'<path d="{path}" fill="none" stroke="{colour}" stroke-width="1.5"/>')
        for px, py in points:
            out.append(f'<text x="{at_x(px):.1f}" y="{at_y(py) + 4:.1f}" text-anchor="middle" font-size="10" fill="{colour}">{mark}<title>{escape(name)}, '
                       f'{short(px, binary) if binary else short(round(px))}: {py:.2f}</title></text>')
        lx, ly = LEFT + i % 4 * WIDTH / 4, bottom + 50 + i // 4 * ROW
        out.append(f'<text x="{lx:.0f}" y="{ly}"><tspan fill="{colour}">{mark}</tspan> {escape(name)}</text>')
    return "\n".join(out + ["</svg>", ""])

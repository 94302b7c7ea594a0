// syntax.js - colors of source text: comments, strings, numbers and keywords. A line is looked at by itself, so that a
// comment over several lines is not known as one.

const words = (text) => new Set(text.split(" "));

const C_WORDS =
	"alignas auto bool break case char class const constexpr continue default delete do double else enum explicit extern " +
	"false float for friend goto if inline int long mutable namespace new noexcept nullptr operator private protected " +
	"public register restrict return short signed sizeof static struct switch template this throw true try typedef " +
	"typename union unsigned using virtual void volatile while";
const RUST_WORDS =
	"as async await break const continue crate dyn else enum extern false fn for if impl in let loop match mod move mut pub " +
	"ref return self static struct super trait true type unsafe use where while";
const PYTHON_WORDS =
	"and as assert async await break class continue def del elif else except False finally for from global if import in is " +
	"lambda None nonlocal not or pass raise return True try while with yield";
const FORTRAN_WORDS =
	"allocatable allocate call case character complex contains cycle deallocate dimension do double else elseif end enddo " +
	"endif exit function if implicit in integer intent inout kind logical module none only out parameter pointer precision " +
	"print program pure real result return save select stop subroutine then type use where while write";

const STRING = '"(?:[^"\\\\]|\\\\.)*"?|\'(?:[^\'\\\\]|\\\\.)*\'';
const NUMBER = "\\b(?:0x[0-9a-fA-F]+|\\d[\\d.]*(?:[eEdD][+-]?\\d+)?[uUlLfF]*)\\b";

// comment: what begins one, as a regular expression.
function language(comment, list, ignoreCase) {
	return {
		tokens: new RegExp("(" + comment + ")|(" + STRING + ")|(" + NUMBER + ")|([A-Za-z_]\\w*)", "g"),
		keywords: words(list),
		ignoreCase,
	};
}

const C_COMMENT = "//.*|/\\*.*?(?:\\*/|$)|^\\s*\\*\\s.*|^\\s*#\\s*\\w+";
const LANGUAGES = [
	{ files: /\.(rs)$/, of: language("//.*|/\\*.*?(?:\\*/|$)", RUST_WORDS) },
	{ files: /\.(pyx?|pxd)$/, of: language("#.*", PYTHON_WORDS) },
	{ files: /\.(f|for|f\d\d)$/i, of: language("!.*", FORTRAN_WORDS, true) },
	{ files: /./, of: language(C_COMMENT, C_WORDS) },
];

// A line of source as texts and spans.
function colored(text, file) {
	const { tokens, keywords, ignoreCase } = LANGUAGES.find((l) => l.files.test(file)).of,
		isKeyword = (word) => word !== undefined && keywords.has(ignoreCase ? word.toLowerCase() : word),
		parts = [];
	let from = 0;
	for (const m of text.matchAll(tokens)) {
		const of = m[1] ? "comment" : m[2] ? "string" : m[3] ? "number" : isKeyword(m[4]) ? "keyword" : null;
		if (of === null) continue;
		if (m.index > from) parts.push(text.slice(from, m.index));
		parts.push(h("span", { class: "s-" + of }, m[0]));
		from = m.index + m[0].length;
	}
	if (from < text.length) parts.push(text.slice(from));
	return parts;
}

// help.js - what each figure means, in the words of memspy's documents.

const HELP = {
	stall: "Cycles that the processor waited for memory: every miss, times the latency of what answered it. A program with less of it runs faster without computing less.",
	compute: "One cycle an instruction, hits in the first cache level included.",
	references: "Loads and stores. An instruction that modifies memory counts as a read.",
	misses: "References whose line was not in this cache level.",
	rate: "Misses of the level, of all references.",
	first: "The line was never in this level before: the first use of it. Larger lines, a prefetcher or less data help.",
	replacement:
		"The line had been there and was pushed out by other lines before it was used again. Smaller pieces of work (tiling), another layout or padding help.",
	invalidation:
		"Another processor had written into the line. Keeping data of different processors in different lines, or writing less of what is shared, helps.",
	false_sharing:
		"Invalidation misses on bytes that no other processor had written: only the line is shared, not the data.",
	peer: "Misses that another processor's cache answered.",
	covered: "Misses that the level's prefetcher would have fetched before they were wanted. They count as misses here.",
	average: "Stall cycles for each reference, on average: the latency that the program sees.",
	objects: "How many blocks or variables of this data came to life.",
	bytes: "All of them together.",
	peak: "The most bytes alive at one time.",
	occupancy: "How much of the cache level the data had, on average over the run.",
	evicts: "Lines that references to this data pushed out of the level.",
	evicted: "Lines of this data that were pushed out of the level.",
	normalised: "Compute and stall time divided by the processors that were busy meanwhile: what runs alone counts whole, what four do together a quarter. Much of it with little parallelism is a serial bottleneck.",
	wait: "Cycles that a thread waited for others: locks, joins, spinning, for a processor.",
	interval: "The run was sampled, so figures are estimates. In 95 of 100 cases the true one lies between these two.",
	name: "As the program names it.",
};

const PARTS = {
	overview: "Where the time of the program goes: blue is computing, orange is waiting for memory. Times are in cycles of the simulated machine: one an instruction, and the latency of whatever answered each miss. They rank; they do not predict a stopwatch, since overlap and prefetching are not modelled.",
	matrix: "Every code (down) with every data (across): how much of the chosen figure belongs to the pair. The darker, the more. A total at the head of a column sorts the code by it. Choose a cell to see everything about that pair, why its data was not in the cache and who pushed it out. Shares are rounded each by itself.",
	code: "Every function: how long it computed and waited, and its misses. Choose one to see its data and lines.",
	data: "Everything the program keeps in memory, by the names it has there: how large, how often used, why it misses, how much of the caches it has. Choose one for all of it.",
	evictions: "Which data (down) pushes which data (across) out of a cache level. A column adds up to 100 %: all evictions of that data. On the diagonal, data pushes itself out: it is used again too late for its size. Elsewhere, two data get in each other's way: padding or moving one of them may help.",
	sharing: "What processors take away from each other, because one wrote into a line that another used. False sharing is what lies in one line by accident: moving it apart saves the miss.",
	source: "Lines of the program's own files that wait for memory, with some lines around them. The bar is the share in all stall time.",
	timeline: "What missed each cache level, and what was in it, from the program's start to its end, data by data. Steps are blocks of code executed and references made. Data that comes and goes in turns gets in its own way.",
	threads: "Where each thread, function and processor spent its time: computing, waiting for memory, waiting for others. Times are virtual cycles of the simulated machine.",
	about: "The terms and figures of this page.",
};

function helpFor(part) {
	return h("details", { class: "help" }, h("summary", {}, "What this shows"), h("p", {}, PARTS[part]));
}

// The terms of docs/glossary.md; tools/check-glossary compares them.
const GLOSSARY = [
	[
		"reference",
		"one memory access of the program, a load or a store; an instruction that modifies memory counts as a read",
	],
	["code", "a function, inlined functions included"],
	[
		"data",
		"what the programmer thinks of as one data structure: a variable, or all heap blocks of one allocation call path",
	],
	["call path", "the chain of calls that led to an allocation, with recursion folded"],
	["bin", "a pair of code and data; the unit of all statistics"],
	["level", "one cache of the memory hierarchy (L1, L2, ...), or all caches of that level"],
	[
		"miss",
		"a reference whose line was not in a level; its cause is first reference, replacement or invalidation",
	],
	["first reference", "a miss on a line that had never been in this level"],
	["replacement", "a miss on a line that had been evicted since its last use"],
	["invalidation", "a miss on a line that a store of another processor had invalidated"],
	["true sharing", "an invalidation miss on bytes that another processor has written"],
	["false sharing", "an invalidation miss on bytes that no other processor has written; only the line is shared"],
	["eviction", "the removal of a line from a level because a reference brought in another line"],
	["evictor", "the data, and the code, whose reference caused an eviction"],
	["occupancy", "the share of a level's lines that hold a data structure, over time"],
	["compute", "one cycle for each instruction, hits in the first level included"],
	["stall", "cycles that the processor waits for memory: each miss times the latency of what answered it"],
	["peer", "a cache of another processor that answered a miss"],
	["normalised time", "time divided by the number of processors that were busy; large where a program is serial"],
	["phase", "a part of the execution that the program has named with memspy_phase()"],
	["window", "a part of the execution that is simulated while the rest is not"],
	[
		"interval",
		"the range that contains the true value with a probability of 95 %, of figures that are estimated",
	],
	["rule", "a user's instruction to rename, combine, split or hide data or code"],
	["machine", "the memory system that is simulated"],
	["run", "one profiled execution, as it is kept in the run database"],
];

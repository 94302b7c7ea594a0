// Goroutines on several threads that call C: the runtime of Go has handlers for all signals, makes
// system calls itself, and runs code on stacks of 2 KiB.
package main

/*
#include <stdint.h>
static uint64_t work(uint64_t x, int n)
{
	static const uint64_t table[4] = { 1, 3, 5, 7 };

	for (int i = 0; i < n; i++)
		x = (x ^ x >> 7) * UINT64_C(0x9e3779b97f4a7c15) + table[x & 3];
	return x;
}
*/
import "C"

import (
	"fmt"
	"runtime"
	"sync"
)

func compute(x uint64) uint64 {
	for part := 0; part < 15; part++ {
		x = uint64(C.work(C.uint64_t(x), 15000))
		list := make([]uint64, 0)
		for k := 0; k < 1500; k++ {
			list = append(list, x+uint64(k))
		}
		for _, v := range list {
			x ^= v
		}
	}
	return x
}

func main() {
	runtime.GOMAXPROCS(4)
	var group sync.WaitGroup
	results := make([]uint64, 300)
	for i := range results {
		group.Add(1)
		go func(i int) {
			defer group.Done()
			results[i] = compute(uint64(i) + 1)
		}(i)
	}
	group.Wait()
	sum := uint64(0)
	for _, x := range results {
		sum += x
	}
	fmt.Printf("%016x\n", sum)
}

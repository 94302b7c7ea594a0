// Goroutines on several threads that call C (cgo), C that calls back into Go, and Go's own signals for preemption. Prints sums that do not
// depend on the order in which they run.
package main

/*
#include <stdint.h>
#include <stdlib.h>

extern uint64_t goStep(uint64_t seed);

static uint64_t work(uint64_t seed, int n)
{
	uint64_t *table = calloc(512, sizeof(*table));

	for (int i = 0; i < n; i++) {
		seed ^= seed << 13, seed ^= seed >> 7, seed ^= seed << 17;
		table[seed % 512] += seed;
		seed += table[(seed >> 9) % 512];
	}
	free(table);
	return seed;
}

static uint64_t back(uint64_t seed, int n)
{
	for (int i = 0; i < n; i++)
		seed = goStep(work(seed, 100));
	return seed;
}
*/
import "C"

import (
	"fmt"
	"os"
	"os/signal"
	"runtime"
	"sync"
	"syscall"
)

//export goStep
func goStep(seed C.uint64_t) C.uint64_t {
	list := make([]uint64, 0, 4)
	for i := uint64(0); i < 20; i++ {
		list = append(list, uint64(seed)+i)
	}
	return C.uint64_t(list[7] ^ list[19])
}

func one(number int) uint64 {
	sum := uint64(number + 1)
	for i := 0; i < 5; i++ {
		sum = uint64(C.work(C.uint64_t(sum), 300))
		sum = uint64(C.back(C.uint64_t(sum), 3))
		runtime.Gosched()
	}
	return sum
}

func spin(n int) int {
	sum := 0
	for i := 0; i < n; i++ {
		sum += i ^ (sum << 1)
	}
	return sum
}

func main() {
	const goroutines = 300
	runtime.GOMAXPROCS(4)
	arrived := make(chan os.Signal, 20)
	signal.Notify(arrived, syscall.SIGUSR1)
	sums := make([]uint64, goroutines)
	var all sync.WaitGroup
	for i := range sums {
		all.Add(1)
		go func(i int) {
			defer all.Done()
			sums[i] = one(i)
		}(i)
	}
	for i := 0; i < 10; i++ {
		syscall.Kill(syscall.Getpid(), syscall.SIGUSR1)
		<-arrived
	}
	total := spin(20000000)
	all.Wait()
	runtime.GC()
	hash := uint64(0)
	for _, s := range sums {
		hash = hash*31 + s
	}
	fmt.Printf("%016x %d\n", hash, total)
	os.Exit(7)
}

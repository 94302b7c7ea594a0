// Without C: Go links it statically.
package main

import "fmt"

func main() {
	x := uint64(1)
	for i := 0; i < 100; i++ {
		list := make([]uint64, 0)
		for k := 0; k < 5000; k++ {
			list = append(list, x+uint64(k))
		}
		for _, v := range list {
			x = x*31 + v
		}
	}
	fmt.Printf("%016x\n", x)
}

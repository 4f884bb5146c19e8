// Command bot plays every variant of the Euchre Arena by rules of thumb.
package main

import (
	"euchrebot/heuristic"
	"euchrebot/kit"
)

func main() {
	kit.Run(kit.About{Name: "go-heuristic", Version: "1.0.0"}, heuristic.New())
}

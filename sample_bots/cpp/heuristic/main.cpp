// Plays every variant of the Euchre Arena by rules of thumb.
#include "heuristic/heuristic.hpp"
#include "kit/client.hpp"

int main() {
    heuristic::HeuristicBot bot;
    return kit::run({.name = "cpp-heuristic", .version = "1.0.0"}, bot);
}

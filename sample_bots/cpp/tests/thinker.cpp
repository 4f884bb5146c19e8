// A bot that gets SIGTERM while it thinks, and never has done thinking.
#include <signal.h>
#include <unistd.h>

#include "kit/client.hpp"

struct Thinker : kit::Bot {
    kit::Answer play(const kit::Question&) override {
        kill(getpid(), SIGTERM);
        for (;;) {
            pause();
        }
    }
};

int main() {
    Thinker bot;
    return kit::run({.name = "thinker"}, bot);
}

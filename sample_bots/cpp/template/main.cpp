#include "kit/client.hpp"
#include "my_bot.hpp"

int main() {
    MyBot bot;
    return kit::run({.name = "template-bot", .version = "0.1.0"}, bot);
}

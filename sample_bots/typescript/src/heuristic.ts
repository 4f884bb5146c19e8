/** Plays every variant of the Euchre Arena by rules of thumb: `node dist/heuristic.js`. */
import { HeuristicBot } from "./heuristic/bot.js";
import { run } from "./kit/index.js";

await run(new HeuristicBot());

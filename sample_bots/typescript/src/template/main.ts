import { run } from "../kit/index.js";
import { TemplateBot } from "./bot.js";

await run(new TemplateBot());

package euchrebot.kit;

import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Where to go and as whom.
 *
 * @param address the referee's: unix:/path or host:port; empty if the arena has not told
 * @param token where the bot was told to sit
 * @param name for logs
 * @param seed of the bot's chance
 * @param strict whether the bot leaves when a method throws, instead of playing the default
 */
record Settings(String address, String token, String name, long seed, boolean strict) {
    /** Returns the settings of the variables EUCHRE_ADDRESS, _TOKEN, _NAME, _SEED and _STRICT. */
    static Settings of(Map<String, String> environment, About about) {
        String name = environment.getOrDefault("EUCHRE_NAME", "");
        String strict = environment.getOrDefault("EUCHRE_STRICT", "");
        return new Settings(environment.getOrDefault("EUCHRE_ADDRESS", "").strip(),
                environment.getOrDefault("EUCHRE_TOKEN", ""), name.isEmpty() ? about.name() : name,
                seed(environment.getOrDefault("EUCHRE_SEED", "").strip()), !strict.isEmpty() && !strict.equals("0"));
    }

    /** Returns the seed of a text: its number, or a number made from any other text; by chance if it is empty. */
    private static long seed(String text) {
        if (text.isEmpty()) {
            return ThreadLocalRandom.current().nextLong();
        }
        try {
            return Long.parseUnsignedLong(text);
        } catch (NumberFormatException notANumber) {
            long hash = 0xCBF29CE484222325L; // FNV-1a
            for (char letter : text.toCharArray()) {
                hash = (hash ^ letter) * 0x100000001B3L;
            }
            return hash;
        }
    }
}

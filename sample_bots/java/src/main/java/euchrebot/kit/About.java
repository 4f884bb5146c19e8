package euchrebot.kit;

import java.util.List;

/**
 * What a bot says of itself.
 *
 * @param name for logs; EUCHRE_NAME overrides it
 * @param version of the bot, for the record
 * @param tables it takes at once; zero: no limit of its own
 * @param variants the presets it plays; empty: all
 */
public record About(String name, String version, int tables, List<String> variants) {
    /** Takes any number of tables, of every preset. */
    public About(String name, String version) {
        this(name, version, 0, List.of());
    }
}

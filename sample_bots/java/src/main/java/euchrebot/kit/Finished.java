package euchrebot.kit;

/** The bot is to leave with an exit code and a line for stderr. */
final class Finished extends Exception {
    private static final long serialVersionUID = 1L;

    private final int code;

    Finished(int code, String line) {
        super(line);
        this.code = code;
    }

    int code() {
        return code;
    }
}

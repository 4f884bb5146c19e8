package euchrebot.kit;

import com.google.protobuf.InvalidProtocolBufferException;

/**
 * What a Euchre bot in Java is started with.
 *
 * <pre>{@code
 * public final class LastCard implements Bot {
 *     public Answer play(Question question) {
 *         return Answer.option(question.options().size() - 1);
 *     }
 *
 *     public static void main(String[] arguments) {
 *         Kit.run(new About("last-card", "1.0.0"), new LastCard());
 *     }
 * }
 * }</pre>
 */
public final class Kit {
    /** Goodbye, or SIGTERM. */
    public static final int EXIT_DONE = 0;

    /** EUCHRE_STRICT is set and the bot threw. */
    public static final int EXIT_BOT_FAILED = 1;

    /** The referee will not have this bot, or the environment is incomplete; trying again would not help. */
    public static final int EXIT_REFUSED = 2;

    /** The referee could not be reached within the grace time. */
    public static final int EXIT_LOST = 4;

    private Kit() {}

    /** Plays as bot until the referee says goodbye, then ends the process with one of the exit codes. */
    public static void run(About about, Bot bot) {
        // The JVM's own code for SIGTERM and SIGINT is another.
        Thread atSignal = new Thread(() -> Runtime.getRuntime().halt(EXIT_DONE), "at-signal");
        Runtime.getRuntime().addShutdownHook(atSignal);
        int code = play(about, bot, Settings.of(System.getenv(), about));
        try {
            Runtime.getRuntime().removeShutdownHook(atSignal);
            System.exit(code);
        } catch (IllegalStateException signalled) {
            return; // a signal came at the end: the hook is at work
        }
    }

    static int play(About about, Bot bot, Settings settings) {
        try {
            Rehearsal.warmUp();
            new Client(about, bot, settings).run();
            return EXIT_DONE;
        } catch (Finished end) {
            say(settings.name(), end.getMessage());
            return end.code();
        } catch (InterruptedException interrupted) {
            return EXIT_DONE;
        } catch (InvalidProtocolBufferException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    static void say(String name, String line) {
        System.err.println(name + ": " + line);
    }
}

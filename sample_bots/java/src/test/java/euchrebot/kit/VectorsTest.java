package euchrebot.kit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import euchre.v1.Cards.Card;
import euchre.v1.Cards.Strain;
import euchre.v1.Cards.Suit;
import euchre.v1.Variants.DeckCard;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Runs the rule vectors of the Euchre Arena that concern cards and tricks; their README says what they mean. */
class VectorsTest {
    /** Members of the kinds that concern a bot's kit. Others hold expectations that would be lost, and are refused. */
    private static final Map<String, Set<String>> MEMBERS = Map.of(
            "lawful", Set.of("strain", "led", "hand", "lawful", "default"),
            "trick", Set.of("strain", "trick", "winner"),
            "order", Set.of("strain", "cards", "up"));

    private static final Set<String> COMMON = Set.of("kind", "variant", "note");

    @TestFactory
    Stream<DynamicTest> vectors() throws IOException {
        List<DynamicTest> tests = new ArrayList<>();
        List<String> kinds = new ArrayList<>();
        for (Path file : Descriptions.files(Descriptions.VECTORS)) {
            JsonObject content = JsonParser.parseString(Files.readString(file)).getAsJsonObject();
            assertEquals(1, content.get("format").getAsInt(), "the format of " + file);
            for (JsonElement element : content.getAsJsonArray("vectors")) {
                JsonObject vector = element.getAsJsonObject();
                for (JsonElement entry : vector.getAsJsonArray("cases")) {
                    JsonObject example = entry.getAsJsonObject();
                    String kind = example.get("kind").getAsString();
                    if (MEMBERS.containsKey(kind)) {
                        kinds.add(kind);
                        String name = vector.get("id").getAsString() + " " + kind;
                        tests.add(DynamicTest.dynamicTest(name, () -> check(kind, example)));
                    }
                }
            }
        }
        assertEquals(MEMBERS.keySet(), Set.copyOf(kinds), "kinds of vectors that were found");
        return tests.stream();
    }

    private static void check(String kind, JsonObject example) {
        for (String member : example.keySet()) {
            assertTrue(COMMON.contains(member) || MEMBERS.get(kind).contains(member), "unknown member " + member);
        }
        Variant variant = Descriptions.variant(text(example, "variant"));
        Strain strain = example.has("strain") ? CardTools.strain(text(example, "strain")) : Strain.STRAIN_UNSPECIFIED;
        Order order = variant.order(strain);
        switch (kind) {
            case "lawful" -> checkLawful(example, order);
            case "trick" -> checkTrick(example, variant, order);
            default -> checkOrder(example, order);
        }
    }

    private static String text(JsonObject example, String member) {
        return example.get(member).getAsString();
    }

    private static void checkLawful(JsonObject example, Order order) {
        List<Card> lawful = order.lowToHigh(CardTools.cards(text(example, "hand")));
        if (example.has("led")) {
            lawful = order.follows(order.effective(CardTools.card(text(example, "led"))), lawful);
        }
        if (!example.has("lawful") && !example.has("default")) {
            fail("the case expects nothing");
        }
        if (example.has("lawful")) {
            assertEquals(order.lowToHigh(CardTools.cards(text(example, "lawful"))), lawful);
        }
        if (example.has("default")) {
            assertEquals(text(example, "default"), CardTools.name(lawful.get(0)));
        }
    }

    private static void checkTrick(JsonObject example, Variant variant, Order order) {
        List<Integer> seats = new ArrayList<>();
        List<Card> cards = new ArrayList<>();
        for (String played : text(example, "trick").split(" ")) {
            String[] parts = played.split(":");
            seats.add(Integer.parseInt(parts[0]));
            cards.add(CardTools.card(parts[1]));
        }
        assertEquals(example.get("winner").getAsInt(), seats.get(variant.winner(order, cards)));
    }

    private static void checkOrder(JsonObject example, Order order) {
        assertEquals(text(example, "up"), CardTools.names(order.lowToHigh(CardTools.cards(text(example, "cards")))));
    }

    @Test
    void everyVariantOrdersItsWholeDeckInEveryStrain() throws IOException {
        List<Path> files = Descriptions.files(Descriptions.VECTORS.resolve("variants"));
        assertTrue(files.size() >= 40);
        for (Path file : files) {
            Variant variant = Descriptions.variant(file.getFileName().toString().replace(".json", ""));
            for (Strain strain : variant.strains()) {
                for (DeckCard entry : variant.description().getDeckList()) {
                    assertNotEquals(Suit.SUIT_UNSPECIFIED, variant.order(strain).effective(entry.getCard()),
                            () -> CardTools.name(entry.getCard()) + " in " + CardTools.name(strain) + " of " + file);
                }
            }
        }
    }

    @Test
    void everyCardIsFoundByItsName() {
        for (int number = 1; number < CardTools.CARD_LIMIT; number++) {
            Card card = Card.forNumber(number);
            assertEquals(card, CardTools.card(CardTools.name(card)));
            assertEquals("CARD_" + CardTools.name(card), card.name());
        }
        for (String wrong : List.of("", "A", "SA", "1S", "X4", "10S")) {
            assertThrows(IllegalArgumentException.class, () -> CardTools.card(wrong));
        }
    }

    @Test
    void withoutTakesOneCopyAway() {
        List<Card> twoAces = CardTools.cards("AS AS KS");
        assertEquals("AS KS", CardTools.names(CardTools.without(twoAces, CardTools.card("AS"))));
    }
}

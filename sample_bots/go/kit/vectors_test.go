package kit

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"google.golang.org/protobuf/encoding/protojson"

	pb "euchrebot/euchrev1"
)

// The rule vectors of the Euchre Arena; their README says what they mean.
const vectorFolder = "../../../tests/vectors"

// vectorCase holds the members of the kinds that concern a bot's kit: lawful, trick and order.
type vectorCase struct {
	Kind, Variant, Note, Strain string
	Led, Hand, Lawful, Default  *string
	Trick, Cards, Up            string
	Winner                      int
}

func loadVariant(t *testing.T, text string) *Variant {
	t.Helper()
	content, err := os.ReadFile(filepath.Join(vectorFolder, "variants", text+".json"))
	if err != nil {
		t.Fatal(err)
	}
	message := &pb.Variant{}
	if err := protojson.Unmarshal(content, message); err != nil {
		t.Fatal(err)
	}
	return NewVariant(message)
}

func mustCards(t *testing.T, names string) []Card {
	t.Helper()
	cards, err := ParseCards(names)
	if err != nil {
		t.Fatal(err)
	}
	return cards
}

func TestVectors(t *testing.T) {
	files, _ := filepath.Glob(filepath.Join(vectorFolder, "*.json"))
	if len(files) == 0 {
		t.Skip("no rule vectors beside this folder: they are part of the Euchre Arena repository")
	}
	checks := map[string]func(*testing.T, *vectorCase, *Variant, *Order){
		"lawful": checkLawful, "trick": checkTrick, "order": checkOrder,
	}
	run := map[string]int{}
	for _, path := range files {
		for _, vector := range readVectors(t, path) {
			for _, raw := range vector.Cases {
				var kind struct{ Kind string }
				if err := json.Unmarshal(raw, &kind); err != nil {
					t.Fatal(err)
				}
				check := checks[kind.Kind]
				if check == nil {
					continue
				}
				run[kind.Kind]++
				t.Run(vector.ID, func(t *testing.T) {
					c := readCase(t, raw)
					variant := loadVariant(t, c.Variant)
					var strain Strain
					if c.Strain != "" {
						var err error
						if strain, err = ParseStrain(c.Strain); err != nil {
							t.Fatal(err)
						}
					}
					check(t, c, variant, variant.Order(strain))
				})
			}
		}
	}
	for kind := range checks {
		if run[kind] == 0 {
			t.Errorf("no vector of kind %s was run", kind)
		}
	}
}

type vector struct {
	ID    string
	Cases []json.RawMessage
}

func readVectors(t *testing.T, path string) []vector {
	t.Helper()
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var file struct {
		Format  int
		Vectors []vector
	}
	if err := json.Unmarshal(content, &file); err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	if file.Format != 1 {
		t.Fatalf("%s has format %d; this reader knows 1", path, file.Format)
	}
	return file.Vectors
}

// readCase refuses members it does not know: they hold expectations that would be lost.
func readCase(t *testing.T, raw json.RawMessage) *vectorCase {
	t.Helper()
	c := &vectorCase{Winner: -1}
	decoder := json.NewDecoder(strings.NewReader(string(raw)))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(c); err != nil {
		t.Fatal(err)
	}
	return c
}

func checkLawful(t *testing.T, c *vectorCase, _ *Variant, order *Order) {
	lawful := order.LowToHigh(mustCards(t, *c.Hand))
	if c.Led != nil {
		lawful = order.Follows(order.Effective[mustCards(t, *c.Led)[0]], lawful)
	}
	if c.Lawful == nil && c.Default == nil {
		t.Fatal("the case expects nothing")
	}
	if c.Lawful != nil {
		if want := order.LowToHigh(mustCards(t, *c.Lawful)); !slices.Equal(lawful, want) {
			t.Errorf("lawful are %s, not %s", CardNames(want), CardNames(lawful))
		}
	}
	if c.Default != nil && CardName(lawful[0]) != *c.Default {
		t.Errorf("the default is %s, not %s", *c.Default, CardName(lawful[0]))
	}
}

func checkTrick(t *testing.T, c *vectorCase, variant *Variant, order *Order) {
	var seats []int
	var cards []Card
	for _, entry := range strings.Fields(c.Trick) {
		seat, name, _ := strings.Cut(entry, ":")
		seats = append(seats, int(seat[0]-'0'))
		cards = append(cards, mustCards(t, name)...)
	}
	if winner := seats[variant.Winner(order, cards)]; winner != c.Winner {
		t.Errorf("seat %d wins, not %d", c.Winner, winner)
	}
}

func checkOrder(t *testing.T, c *vectorCase, _ *Variant, order *Order) {
	if up := CardNames(order.LowToHigh(mustCards(t, c.Cards))); up != c.Up {
		t.Errorf("upwards it is %s, not %s", c.Up, up)
	}
}

// Every card of the deck has a place in the order of every strain, and each is found by its name.
func TestEveryVariantOrdersItsWholeDeck(t *testing.T) {
	files, _ := filepath.Glob(filepath.Join(vectorFolder, "variants", "*.json"))
	if len(files) == 0 {
		t.Skip("no descriptions of variants beside this folder")
	}
	for _, path := range files {
		variant := loadVariant(t, strings.TrimSuffix(filepath.Base(path), ".json"))
		for _, strain := range variant.Strains {
			for _, entry := range variant.Deck {
				if suit := variant.Order(strain).Effective[entry.Card]; suit == 0 {
					t.Errorf("%s: %s has no suit in %s", variant.Id, CardName(entry.Card), StrainName(strain))
				}
				if card, err := ParseCard(CardName(entry.Card)); err != nil || card != entry.Card {
					t.Errorf("%s is read as %v (%v)", CardName(entry.Card), card, err)
				}
			}
		}
	}
}

#!/usr/bin/env node
// A second verifier of the arena's journals, written from docs/verifying.md alone. Node.js 18 or later, no packages.
// Use: node verifier.mjs journal.jsonl (or journal.jsonl.gz). It checks: form and hash of every line; that the revealed
// seed is the one committed to; the deck of every hand, shuffled again; and, in two-sided games scored by five tricks
// or by contract, who took every trick and led to the next, and the points of every hand and leg. It does not check
// whether an action was lawful, who led first, times, faults, sets or ratings: `euchre-arena verify` does. Exit 0 or 1.
import { createHash, createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
const SUITS = 'SCHD', RANKS = '23456789TJQKA', SISTER = { S: 'C', C: 'S', H: 'D', D: 'H' };
const numberOf = (card) => card[0] === 'X' ? 51 + Number(card[1]) : 13 * SUITS.indexOf(card[1]) + RANKS.indexOf(card[0]);
const sha256 = (bytes) => createHash('sha256').update(bytes).digest('hex');
const sum = (numbers) => numbers.reduce((total, number) => total + number, 0);
const same = (left, right) => JSON.stringify(left) === JSON.stringify(right);
const parsed = (line) => { try { return JSON.parse(line); } catch { return {}; } }; // its hash will say what is wrong
const refuse = (message) => { throw new Error(message); };

// Points of the five-trick games: 3 or 4 tricks, march, lone march, euchre, none for the makers, lone euchre.
const USUAL = [1, 2, 4, 2, 2, 4], SIX_SEATS = [1, 3, 6, 3, 3, 6], NONE_COUNTS = [1, 2, 4, 2, 4, 4];
const FIVE_TRICKS = {
  'standard': USUAL, 'british': USUAL, 'british-33': USUAL, 'railroad': USUAL, 'british-6p-33': SIX_SEATS,
  'british-6p-50': SIX_SEATS, 'north-american': NONE_COUNTS, 'canadian': NONE_COUNTS, 'classic': [1, 2, 4, 2, 2, 2],
  'two-handed': [1, 2, null, 2, 2, null],
};
// The contract games: what a set contract costs (0: the bid), and the named bids: [tricks, value].
const CONTRACT = {
  'bid-euchre': {}, 'bid-later-24': {}, 'bid-later-6p': {}, 'bid-later-8p': {}, 'hasenpfeffer': {},
  'bid-canadian-32': { bids: { ALONE2: [8, 12], ALONE1: [8, 18], MOON: [8, 24] } },
  'bid-us-32': { bids: { '7-ALONE': [7, 14], '8-ALONE': [8, 16] } },
  'bid-us-48': { bids: { ALONE: [12, 24] } }, 'bid-us-48-widow': { bids: { ALONE: [11, 22] } },
  'bid-us-40': { bids: { ALONE: [10, 20] }, byCardsReceived: [20, 20, 15] },
  'hoosier': { bids: { ALONE: [10, 32] }, topBid: 10, topValue: 16 },
  'pepper': { setCost: 6, bids: { LITTLE_PEPPER: [6, 6], BIG_PEPPER: [6, 12] } },
  'pepper-2p': { setCost: 8, bids: { LITTLE_PEPPER: [8, 8], BIG_PEPPER: [8, 16] } },
};

// The deck of a board (docs/verifying.md, "Decks")
function* wordsOf(seed, name) {
  for (let block = 0; ; block++) {
    const digest = createHmac('sha256', seed).update(`${name}/${block}`).digest();
    for (let at = 0; at < 32; at += 4) yield digest.readUInt32BE(at);
  }
}
function shuffled(pack, seed, name) {
  const deck = [...pack].sort((left, right) => numberOf(left) - numberOf(right)), words = wordsOf(seed, name);
  for (let last = deck.length - 1; last > 0; last--) {
    const count = last + 1, usable = 2 ** 32 - (2 ** 32 % count);
    let word = words.next().value;
    while (word >= usable) word = words.next().value;
    [deck[last], deck[word % count]] = [deck[word % count], deck[last]];
  }
  return deck;
}
const renamed = (card, image, jokers) => jokers.includes(card) ? card : card[0] + image[SUITS.indexOf(card[1])];
// Tricks
function suitOf(card, strain, jokers) {
  if (strain.startsWith('NT')) return card[1];
  return jokers.includes(card) || card === `J${SISTER[strain]}` ? strain : card[1];
}
function heightOf(card, strain, jokers, options) {
  if (jokers.includes(card)) return 102 - (options.two_jokers === 'coloured-high' ? jokers.indexOf(card) / 2 : 0);
  const rank = RANKS.indexOf(card[0]);
  if (strain.startsWith('NT')) return strain === 'NTL' ? -rank : rank;
  if (card[0] === 'J' && suitOf(card, strain, jokers) === strain) return card[1] === strain ? 101 : 100;
  return card[1] === strain ? 50 + rank : rank;
}
function winnerOf(trick, strain, preset, jokers, options) {
  const led = suitOf(trick[0].card, strain, jokers);
  let best = null, height = 0;
  for (const { seat, card } of trick) {
    if (![led, strain].includes(suitOf(card, strain, jokers))) continue;
    const mine = heightOf(card, strain, jokers, options);
    if (best === null || mine > height || (mine === height && preset === 'british-6p-50')) [best, height] = [seat, mine];
  }
  return best;
}
// What was said
const WORD = /^(\d):(?:([2-9TJQKA][SCHD]|X[123])|([A-Z0-9_-]+)(?:\(([^()]*)\))?)(?:!|\/\d+)(?:~\w+)?$/;
function readPlay(hand, seats, preset, options) {
  const upcard = FIVE_TRICKS[preset] ? hand.deck.slice(10 * seats, 10 * seats + 2) : null;
  const story = { plays: [], maker: null, strain: null, bid: 0, name: '', loneMaker: false, loneDefender: false, received: 0 };
  const make = (seat, strain) => { story.maker = seat; story.strain = strain; };
  for (const text of hand.play.split(' ').filter(Boolean)) {
    const match = WORD.exec(text) ?? refuse(`${text} is no action`);
    const seat = Number(match[1]), [card, word, inside = ''] = match.slice(2);
    story.last = seat;
    if (card) story.plays.push({ seat, card });
    else if (word.startsWith('ORDER_UP'))
      make(options.order_up_makers === 'dealer-side' ? hand.dealer : seat, story.strain ?? upcard[1]);
    else if (word.startsWith('TAKE_UP') && word !== 'TAKE_UPCARD') make(hand.dealer, story.strain ?? upcard[1]);
    else if (word === 'TAKE_DOWN_ALONE') make(seat, upcard[1]);
    else if (['NAME', 'NAME_ALONE', 'NAME_BLIND'].includes(word)) make(seat, inside);
    else if (word === 'CHOOSE') story.strain = inside;
    else if (word === 'GIVE') story.received = inside.split(',').length;
    else if (word === 'BID' || CONTRACT[preset]?.bids?.[word]) {
      const parts = inside.split(',').filter(Boolean);
      story.name = word === 'BID' ? '' : word;
      story.bid = word === 'BID' ? Number(parts.shift()) : CONTRACT[preset].bids[word][0];
      make(seat, parts[0] ?? null);
      story.loneMaker = /ALONE|MOON/.test(story.name);
      continue;
    }
    if (/ALONE$/.test(word ?? '') && word !== 'NOT_ALONE')
      story[seat % 2 === story.maker % 2 ? 'loneMaker' : 'loneDefender'] = true;
  }
  return story;
}

// Points
function contractPoints(story, rules, taken, made, points) {
  const value = rules.byCardsReceived && story.name ? rules.byCardsReceived[story.received] : rules.bids?.[story.name]?.[1];
  const makers = story.maker % 2;
  if (!made) points[makers] -= value ?? (rules.setCost || story.bid);
  else points[makers] += value ?? (story.bid === rules.topBid ? rules.topValue : taken);
  return points;
}
function pointsOf(hand, story, preset, options, tricks) {
  const points = [0, 0], contract = CONTRACT[preset], makers = story.maker === null ? null : story.maker % 2;
  if (hand.end === 'renege') {
    points[1 - story.last % 2] += options.renege_award;
    if (contract && options.renege_contract === 'settle' && makers !== null)
      contractPoints(story, contract, story.bid, story.last % 2 !== makers, points);
  }
  if (hand.end !== 'played') return points;
  const taken = [0, 1].map((side) => sum(tricks.filter((_, seat) => seat % 2 === side)));
  if (contract) points[1 - makers] += taken[1 - makers];
  if (contract) return contractPoints(story, contract, taken[makers], taken[makers] >= story.bid, points);
  const [threeOrFour, march, loneMarch, euchre, none, loneEuchre] = FIVE_TRICKS[preset];
  if (taken[makers] === 5) points[makers] += story.loneMaker && loneMarch !== null ? loneMarch : march;
  else if (taken[makers] >= 3) points[makers] += threeOrFour;
  else if (story.loneDefender && loneEuchre !== null) points[1 - makers] += loneEuchre;
  else points[1 - makers] += taken[makers] === 0 ? none : euchre;
  return points;
}
function checkHand(hand, seats, preset, options, jokers) {
  const story = readPlay(hand, seats, preset, options), tricks = Array(seats).fill(0);
  const size = seats - (seats / 2 - 1) * (Number(story.loneMaker) + Number(story.loneDefender));
  for (let at = 0; at + size <= story.plays.length; at += size) {
    const trick = story.plays.slice(at, at + size), next = story.plays[at + size];
    const strain = story.strain ?? refuse('cards are played, but no strain is fixed');
    if (new Set(trick.map((play) => play.seat)).size !== size) refuse(`trick ${at / size + 1}: a seat plays twice`);
    if (hand.end === 'renege' && !next) break; // the card that ended the hand completes no trick
    const winner = winnerOf(trick, strain, preset, jokers, options);
    tricks[winner] += 1;
    if (next && next.seat !== winner) refuse(`seat ${winner} takes trick ${at / size + 1}, but seat ${next.seat} leads`);
  }
  if (hand.tricks && !same(hand.tricks, tricks)) refuse(`tricks ${hand.tricks}; by the cards they are ${tricks}`);
  const points = pointsOf(hand, story, preset, options, tricks);
  if (hand.end !== 'forfeit' && !same(hand.points, points)) refuse(`points ${hand.points}; by the tricks ${points}`);
}

// The journal
function checkLeg(leg, seating, night, seed, packs) {
  const { variant } = seating, preset = variant.split('(')[0], options = night.variants[variant];
  const jokers = options.joker_card === 'two-of-spades' ? ['2S'] : ['X1', 'X2', 'X3'];
  leg.hands.forEach((hand, number) => {
    const deck = hand.deck.match(/../g), pack = packs[variant] ??= [...deck].sort();
    if (!same([...deck].sort(), pack)) refuse(`hand ${number}: not the pack of the other hands`);
    const dealt = seed ? shuffled(deck, seed, `${leg.match ?? seating.match}/${hand.deal}`) : deck;
    const names = seed && seating.relabel ? dealt.map((card) => renamed(card, seating.relabel, jokers)) : dealt;
    if (!same(names, deck)) refuse(`hand ${number}: the deck does not follow from the seed`);
    if (!FIVE_TRICKS[preset] && !CONTRACT[preset]) return;
    try { checkHand(hand, seating.entrants.length, preset, options, jokers); }
    catch (error) { refuse(`hand ${number}: ${error.message}`); }
    const awards = [0, 1].map((side) => leg.forfeited?.includes(side) ? 0 : options.renege_award);
    if (hand.end === 'forfeit' && !same(hand.points, awards)) refuse(`hand ${number}: a forfeit gives ${awards}`);
  });
  const totals = leg.points.map((_, side) => sum(leg.hands.map((hand) => hand.points[side])));
  if (leg.hands.length && !same(leg.points, totals)) refuse(`points ${leg.points}; those of its hands are ${totals}`);
}
function verify(bytes) {
  const lines = bytes.toString('latin1').split('\n'), seatings = [], packs = {};
  if (lines.pop() !== '') refuse(`line ${lines.length + 1}: the last line is torn`);
  const [first, last] = [lines[0], lines.at(-1)].map(parsed), seed = last.seed ? Buffer.from(last.seed, 'hex') : null;
  let previous = '0'.repeat(64), offset = 0, legs = 0, notes = 0;
  lines.forEach((line, index) => {
    try {
      const body = line.slice(0, -74);
      previous = sha256(Buffer.from(previous + body, 'latin1'));
      if (line !== `${body},"sha":"${previous}"}`) refuse('its hash does not fit');
      const data = JSON.parse(line);
      if ((data.kind === 'night') !== (index === 0)) refuse('the first line opens the night, and no other does');
      if (data.kind === 'end' && index !== lines.length - 1) refuse('the night goes on after its end');
      if (data.kind === 'seating' && seatings.push(data) !== data.seating + 1) refuse('seatings are not numbered in order');
      [legs, notes] = [legs + (data.kind === 'leg'), notes + (data.kind === 'note')];
      if (data.kind === 'leg') checkLeg(data, seatings[data.seating], first, seed, packs);
      if (data.kind === 'end' && !same([data.legs, data.notes], [legs, notes])) refuse('a leg or a note is missing');
      if (data.kind === 'end' && sha256(seed) !== first.commitment) refuse('the seed is not the one committed to');
    } catch (error) { refuse(`line ${index + 1}, byte ${offset}: ${error.message}`); }
    offset += line.length + 1;
  });
  return `${lines.length} lines, ${legs} legs; decks ${seed ? 'dealt again' : 'NOT checked: not closed yet'}; last hash ${previous}`;
}
try {
  const bytes = readFileSync(process.argv[2] ?? refuse('usage: node verifier.mjs JOURNAL'));
  console.log(`everything fits: ${verify(bytes[0] === 0x1f ? gunzipSync(bytes) : bytes)}`);
} catch (error) {
  console.log(`does not fit: ${error.message}`);
  process.exitCode = 1;
}

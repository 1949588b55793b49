// Written by `python -m tests.pages.schema` from the schemas of the service. Do not edit.

declare namespace Table {
  /** The table took the command; `seq` is the last record that it led to. */
  interface Accepted {
    accepted: true;
    seq: number;
  }
  /**
   * Acknowledge every alarm up to that number: silent for now, settled only with its cause.
   *
   * `pit`: asked where the early warning's alarms are shown too, which the table never sees.
   */
  interface Acknowledge {
    view_seq?: number | null;
    people?: Proof[];
    player?: string;
    upto: number;
    pit?: boolean;
    do: "acknowledge";
  }
  /** What a player may do; the value is the word used in records and by the API. */
  type Action = "stand" | "hit" | "double" | "split" | "surrender" | "stay-low" | "stay-high" | "insurance" | "no-insurance" | "pass" | "bet" | "call" | "raise" | "fold" | "card" | "no-card";
  /**
   * An action and what it costs against the best one, in per cent of the least first wager.
   *
   * Of a larger wager bonuses of a fixed amount are a smaller part.
   */
  interface ActionCost {
    action: string;
    cost_per_cent: number;
  }
  /**
   * An alarm: something wrong that is not settled, and whom it calls by now.
   *
   * `trouble` is hold, device or pack, `about` which one: the hold's number, the device's name, the
   * pack's label. `level` counts from 0 (nobody is called yet) by who is called: 1 the dealer, 2
   * the floor, 3 the pit boss; `who` is who must act. `heard`: it is quiet now, `acknowledged`: the
   * floor knows of it. `key` acknowledges it, null where there is nothing to acknowledge.
   */
  interface AlarmView {
    number: number;
    trouble: string;
    about: string;
    level: number;
    who: string;
    title: string;
    text: string;
    since_ms: number;
    heard: boolean;
    acknowledged: boolean;
    key: Key | null;
  }
  /** How many entries of a round have a mark. */
  interface Badge {
    mark: string;
    count: number;
  }
  /** Commands of several players at once. */
  interface Batch {
    commands: BatchItem[];
  }
  /** The answers to the commands of a batch, in their order. */
  interface BatchAnswer {
    answers: (Accepted | Refusal)[];
  }
  /** A command of a batch, and its key: sent again with it, the command acts once. */
  interface BatchItem {
    key: string;
    command: PlaceWager | RemoveWager | RepeatWagers | CloseBets | Decide | ConfirmWager | DeclineWager | TurnCard | ReportPeek | ConfirmSettled | LoadPack | ScanPack | CutShoe | ScanRest | CloseShoe | ChangeDealer | CallFloor | Happened | DealKept | Resolve | Undo | Correct | Acknowledge | CloseDay | PressButton | ReadNote | OpenRack | CloseRack | SignSlip | BuyIn | ChangeBox | CountBox | VoidSlip | OpenBets | TakeSeat | LeaveSeat | MarkAway | Clap;
  }
  /**
   * What a hand was paid on top: `pays` for each unit of its wager, or the fixed `amount` in minor
   * units, which is nothing for each unit.
   */
  interface BonusPaid {
    pays: string | null;
    amount: number | null;
  }
  /** What a dealer's button means; pins and keys are mapped to these by the configuration. */
  type Button = "next" | "stand" | "hit" | "repeat" | "call";
  /**
   * A player has bought chips: `amount` of cash goes into the drop box, `chips` out of the rack.
   *
   * `seat` is the player's, 0 for somebody who stands by.
   */
  interface BuyIn {
    view_seq?: number | null;
    people?: Proof[];
    player?: string;
    amount: number;
    chips: ChipCount[];
    seat?: number;
    do: "buy_in";
  }
  /** The dealer stops the table and calls the floor. */
  interface CallFloor {
    view_seq?: number | null;
    people?: Proof[];
    player?: string;
    do: "call_floor";
  }
  /**
   * A place on a strategy card.
   *
   * `letters` are the best actions, that of most options first; `mistake_per_cent` is what the
   * least mistake costs where the first stands. `plays` are in the same order.
   */
  interface CardCell {
    letters: string;
    mistake_per_cent: number;
    plays: CardPlay[];
  }
  /** What first cards are worth, in per cent of the pot, if the next card is refused or taken. */
  interface CardLine {
    hand: string;
    points: string;
    refused: number;
    taken: number;
    within: number;
  }
  /** A decision where these actions are open: `chance` is how often it comes up, of 1 round. */
  interface CardPlay {
    best: string;
    costs: ActionCost[];
    chance: number;
  }
  /** A row of a strategy card: a hand, and a cell a column (none: it never comes up). */
  interface CardRow {
    hand: string;
    cells: (CardCell | null)[];
  }
  /**
   * A card on the felt: its code, or empty for one that lies face down.
   *
   * `label` names it in the index style of the table's cards (`13♥` or `K♥`). `raised`: pushed
   * slightly up, as the dealer's low hand is where there is one.
   */
  interface CardView {
    code: string;
    label: string;
    raised: boolean;
  }
  /** How many cards were counted at a seat, all its hands together (seat 0: the dealer's). */
  interface CardsAtSeat {
    seat: number;
    cards: number;
  }
  /** The drop box is taken away, if there was one, and `box` is put in its place. */
  interface ChangeBox {
    view_seq?: number | null;
    people?: Proof[];
    player?: string;
    box: string;
    do: "change_box";
  }
  /**
   * Another dealer takes over, between rounds.
   *
   * `person` is the id in the directory; empty: whoever proves who they are with this command, or
   * somebody unknown where nobody does.
   */
  interface ChangeDealer {
    view_seq?: number | null;
    people?: Proof[];
    player?: string;
    person: string;
    do: "change_dealer";
  }
  /** `pieces` of the chip that is worth `chip`; of a difference they may be below zero. */
  interface ChipCount {
    chip: number;
    pieces: number;
  }
  /**
   * The chips of the table. `denominations` are those that are counted, the smallest first; none:
   * it keeps no account. `counting`: the rack may be counted now, which it is between rounds alone.
   * `buy_ins`: the house puts buy-ins on slips, of one of `seats`. `box` is the drop box under the
   * table, empty without one. The newest shift comes first.
   */
  interface ChipsView {
    table: string;
    currency: string;
    denominations: number[];
    open: boolean;
    counting: boolean;
    buy_ins: boolean;
    seats: number;
    box: string;
    shifts: RackShiftView[];
  }
  /** All spots flash a code for some seconds, between rounds: it is looked for in the video. */
  interface Clap {
    view_seq?: number | null;
    people?: Proof[];
    player?: string;
    do: "clap";
  }
  /** The dealer said "no more bets": the round begins. */
  interface CloseBets {
    view_seq?: number | null;
    people?: Proof[];
    player?: string;
    do: "close_bets";
  }
  /** The floor closes the gaming day, between rounds. */
  interface CloseDay {
    view_seq?: number | null;
    people?: Proof[];
    player?: string;
    do: "close_day";
  }
  /**
   * The rack was counted at the end of a shift, every chip of the table: the closer.
   *
   * `roll`: the next shift goes on with this very count as its opener. `box` is the drop box that
   * is put under the table now, empty where it is not changed.
   */
  interface CloseRack {
    view_seq?: number | null;
    people?: Proof[];
    player?: string;
    chips: ChipCount[];
    roll?: boolean;
    box?: string;
    do: "close_rack";
  }
  /** The shoe is over: `left` cards were counted in it; null: all were run through the reader. */
  interface CloseShoe {
    view_seq?: number | null;
    people?: Proof[];
    player?: string;
    left?: number | null;
    do: "close_shoe";
  }
  type Command = PlaceWager | RemoveWager | RepeatWagers | CloseBets | Decide | ConfirmWager | DeclineWager | TurnCard | ReportPeek | ConfirmSettled | LoadPack | ScanPack | CutShoe | ScanRest | CloseShoe | ChangeDealer | CallFloor | Happened | DealKept | Resolve | Undo | Correct | Acknowledge | CloseDay | PressButton | ReadNote | OpenRack | CloseRack | SignSlip | BuyIn | ChangeBox | CountBox | VoidSlip | OpenBets | TakeSeat | LeaveSeat | MarkAway | Clap;
  /** What another choice of an option comes to; edges in per cent of the first wager. */
  interface ComparedOption {
    option: string;
    value: string;
    edge_per_cent: number;
    difference_per_cent: number;
  }
  /** The dealer has paid, taken or left the wager of a hand as the display said. */
  interface ConfirmSettled {
    view_seq?: number | null;
    people?: Proof[];
    player?: string;
    seat: number;
    hand?: number;
    do: "settle";
  }
  /** The further wager that the table asks for lies beside the hand. */
  interface ConfirmWager {
    view_seq?: number | null;
    people?: Proof[];
    player?: string;
    seat: number;
    hand?: number;
    do: "confirm_wager";
  }
  /** A round was played otherwise than it was recorded: replace, remove or insert steps. */
  interface Correct {
    view_seq?: number | null;
    people?: Proof[];
    player?: string;
    round: number;
    edits: EditAsked[];
    reason: string;
    do: "correct";
  }
  /** What lay in the drop box that the slip `taken` says was taken: the soft count. */
  interface CountBox {
    view_seq?: number | null;
    people?: Proof[];
    player?: string;
    taken: number;
    amount: number;
    do: "count_box";
  }
  /**
   * The pack has been cut and the cut card is in its place.
   *
   * `at`: after how many cards it was put in; null: where the house has it. The ledger tells it;
   * when to shuffle is the house's number of cards alone.
   */
  interface CutShoe {
    view_seq?: number | null;
    people?: Proof[];
    player?: string;
    at?: number | null;
    do: "cut";
  }
  /**
   * The cut card of the shoe in use: put in after `at` cards, as people `declared` or as usual.
   *
   * `out`: how many cards were gone when it came out, in round `round` (0: none was in play), at
   * `at_ms`; 0: it has not come. `scanned`: its own code was read, else by the number of cards.
   */
  interface CutView {
    at: number;
    declared: boolean;
    out: number;
    round: number;
    at_ms: number;
    scanned: boolean;
  }
  /**
   * The gaming day that is open: its ISO date, and when it is planned to end.
   *
   * `close` is the floor's key to close it, null while a round is in play.
   */
  interface DayView {
    label: string;
    ends_ms: number;
    close: Key | null;
  }
  /** The card that was kept is dealt, before any other; `card` is its code if it was not read. */
  interface DealKept {
    view_seq?: number | null;
    people?: Proof[];
    player?: string;
    card?: string | null;
    do: "deal_kept";
  }
  /**
   * The dealer display: the one next thing (`headline`) and why, and what may be pressed.
   *
   * `headline` is one line; `lead`, then `detail` or the `choices` to ask for, are its parts, laid
   * out by the page. `bonus` is what a paid hand wins besides, to be announced.
   *
   * `seq` is the number of the record that this picture stands on; a page sends it back with a
   * command, so that a press on an outdated picture is refused. `refusal` says why the last input
   * was refused. `seats` lists every spot of the table, empty ones too. Where players play for a
   * pot, `pot` is what lies in it and `button` the seat that deals. `words` are the game's own for
   * `dealer` and `seat`. `keys` are those of the first hold while there is one; the key that calls
   * the floor is always the last. `roles`: people are known by name and PIN. `alarm` is the gravest
   * that calls somebody, null where none does. `happened` is what people may say that went wrong,
   * likeliest first. `dummy`: the round in play has no bets. `done` is what the resolution of a
   * hold has done that was chosen last, empty once anything else has happened. `kept_cards` is how
   * many cards lie ready, to be dealt before those of the shoe. `spots` are the bet spots whose
   * sensors work. `note` is the oldest message of the pit that is not marked as read, empty without
   * one. `window` is how long players at a distance have still, null where no clock is set.
   * `players` are those of a game server. `at_ms` is the wall time of the record that the picture
   * stands on.
   */
  interface DealerView {
    seq: number;
    game: string;
    round: number;
    phase: string;
    tone: Tone;
    headline: string;
    lead: string;
    detail: string;
    choices: string[];
    why: string;
    bonus: string;
    seat: number | null;
    keys: Key[];
    hands: HandView[];
    dealer: HandView | null;
    shoe: ShoeView;
    holds: HoldView[];
    devices: DeviceView[];
    refusal: string;
    seats: number;
    limits: string;
    rule: string;
    simulated: boolean;
    pot: string;
    button: number;
    words: GameWords;
    wager: WagerView;
    roles: boolean;
    alarm: AlarmView | null;
    happened: Key[];
    dummy: boolean;
    done: string;
    kept_cards: number;
    spots: SpotView[];
    note: string;
    window: WindowView | null;
    players: PlayerView[];
    at_ms: number;
  }
  /**
   * A player's decision on a hand (hand 0: a side bet, such as insurance).
   *
   * `amount` of a bet or a raise, in minor units above the call; null for other actions.
   */
  interface Decide {
    view_seq?: number | null;
    people?: Proof[];
    player?: string;
    seat: number;
    action: Action;
    hand?: number;
    amount?: number | null;
    do: "decide";
  }
  /** The further wager is not put down: the player chooses anew. */
  interface DeclineWager {
    view_seq?: number | null;
    people?: Proof[];
    player?: string;
    seat: number;
    hand?: number;
    do: "decline_wager";
  }
  /**
   * A device, whether it works, and why not.
   *
   * On the dealer's display `why` says what to do with hands, on the status page what a technician
   * has to know.
   */
  interface DeviceView {
    name: string;
    up: boolean;
    why: string;
  }
  /**
   * The pit's directory of people by which PINs are judged here. Wall times in ms.
   *
   * `people` is how many it has, `by` how the key begins by which a pit has signed it. While the
   * line to that pit is down nobody who is taken out there is out here: `away_since_ms` says since
   * when, null while it is up. `by_file`: there is no such line, it is brought.
   */
  interface DirectoryView {
    serial: number;
    issued_ms: number;
    good_until_ms: number;
    people: number;
    by: string;
    away_since_ms: number | null;
    by_file: boolean;
  }
  /** One change to a round as it was recorded; see `facts.Edit`. `card` is a card code. */
  interface EditAsked {
    at: number;
    do: EditKind;
    card?: string | null;
    action?: Action | null;
    amount?: number | null;
  }
  /**
   * What an edit does to a step. The value stands on record and in the API: it never changes.
   *
   * WAGER changes what lay on a spot; DEAD takes a spot out of the round. BURN takes a card out of
   * its hand and puts it aside, KEEP keeps it as the next card: both have left the shoe.
   */
  type EditKind = "replace" | "remove" | "insert" | "wager" | "dead" | "burn" | "keep";
  /** Newest days first; `level` of the test, a warning at `alarm_at`. `read`: all is counted. */
  interface ExpectedAnswer {
    read: boolean;
    currency: string;
    lines: ExpectedLine[];
    warnings: LeakWarning[];
    level: number;
    alarm_at: number;
  }
  /**
   * Rounds of a gaming day, of one game with its options, and of a dealer; in minor units.
   *
   * `house_won` is what the house won, `expected` what wagers and plays like these bring it on
   * average, `mistakes` what of it the players' mistakes bring. `not_held` rounds have no
   * expectation and are in no other figure.
   */
  interface ExpectedLine {
    day: string;
    game: string;
    options: string;
    dealer: string;
    rounds: number;
    hands: number;
    wagered: number;
    house_won: number;
    expected: number;
    mistakes: number;
    not_held: number;
  }
  /**
   * A foreign card, or one that had left its shoe already; `round` 0: none was in play.
   *
   * `text` says which of the two and names no card: it may lie face down.
   */
  interface ForeignCardView {
    shoe: number;
    round: number;
    at_ms: number;
    text: string;
  }
  /**
   * The game's own words for its dealer and its seats, in lower case: `operator`, `box`.
   *
   * `joker`: its pack has Jokers, so that one may be entered. `index` is the style in which the
   * table's cards print their ranks.
   */
  interface GameWords {
    dealer: string;
    seat: string;
    joker: boolean;
    index: IndexStyle;
  }
  /**
   * A table: the head and its rows. `forced` are the cells, by row and column, without a choice.
   *
   * They stand out where the table is shown.
   */
  interface Grid {
    head: string[];
    rows: string[][];
    forced: [number, number][];
  }
  /**
   * How a hand ended (hand 0: a side bet).
   *
   * `stake` is its wager in units of the seat's first bet: 2 where it was doubled, 1/2 for
   * insurance; null where amounts are not tracked. `pays` is what its player gained for each unit
   * of its wager, the bonus left out: 3/2, -1, 0; null in a pot, where `share` is what it took of
   * that in minor units. `outcome` is win, lose, push, surrender or void, empty while it is not
   * known.
   */
  interface HandOutcome {
    seat: number;
    hand: number;
    outcome: string;
    settled: boolean;
    stake: string | null;
    pays: string | null;
    share: number | null;
    bonus: BonusPaid | null;
  }
  /**
   * One hand. `note` is the state in a word or two, `result` is empty until it is known, and
   * `outcome` is its value: win, lose, push or surrender.
   *
   * `total` is what it counts in one line, `total_parts` the same part by part. Hand 0 of a seat is
   * a side bet, such as insurance; it has no cards. `wager` and `net` are amounts as text.
   */
  interface HandView {
    seat: number;
    hand: number;
    light: string;
    cards: CardView[];
    total: string;
    total_parts: TotalView[];
    wager: string;
    note: string;
    result: string;
    outcome: string;
    net: string;
    settled: boolean;
    active: boolean;
  }
  /**
   * People noticed an irregularity: the table stops for it, with its lawful resolutions.
   *
   * `round` is the one that it is about; null: the one in play, or the last one.
   */
  interface Happened {
    view_seq?: number | null;
    people?: Proof[];
    player?: string;
    what: Reason;
    round?: number | null;
    do: "happened";
  }
  /** The table is on record up to `seq`. */
  interface Healthy {
    ok: true;
    seq: number;
  }
  /**
   * An open hold: what happened, what to do, and the lawful resolutions.
   *
   * `reason` is the irregularity's id; `picture` names what the camera saw of a card that lies face
   * up, empty where there is none.
   */
  interface HoldView {
    number: number;
    title: string;
    text: string;
    since_ms: number;
    resolutions: Key[];
    reason: string;
    picture: string;
  }
  /** Why a request did not reach the table, and what to change. */
  interface HttpProblem {
    detail: string;
  }
  /** A style of index: Finnish prints 1, 11, 12, 13 where Anglo prints A, J, Q, K. */
  type IndexStyle = "anglo" | "finnish";
  /**
   * Something the dealer may press now.
   *
   * `command` is the body that the page sends back (see the API), `key` the keyboard key, `button`
   * the name of the physical button that does the same, if any. `needs` names what the page has to
   * ask before it sends: `counts` (how many cards at each seat?), `card` (which card?), `amount`
   * (how much? `low` to `high` in minor units, whole numbers of `chip`, beside `to_call`), `count`
   * (how many cards are left?), `seat` (whose hand?), `correction` (what was otherwise in that
   * round?) or nothing. `offered`: the dealer offers this by name. `who` is who has to stand for it
   * with name and PIN, and say why: `floor`, `two` (the floor and one more), or nobody.
   */
  interface Key {
    label: string;
    command: Record<string, string | number | boolean>;
    key: string;
    button: string;
    needs: string;
    low: number;
    high: number;
    chip: number;
    to_call: number;
    offered: boolean;
    who: string;
  }
  /**
   * A warning of the test: as of that round; `dealer` is empty where the whole table says most.
   *
   * `for_players`: they win too much; else the house does.
   */
  interface LeakWarning {
    day: string;
    round: number;
    dealer: string;
    for_players: boolean;
  }
  /** The player of a seat leaves: at once between rounds, else when the round is over. */
  interface LeaveSeat {
    view_seq?: number | null;
    people?: Proof[];
    player?: string;
    seat: number;
    do: "leave_seat";
  }
  /**
   * The rounds and wagers since the last clean reconciliation, newest first.
   *
   * `earlier` is how many came before the oldest of the list: the record has them.
   */
  interface LedgerList {
    ledger: LedgerView;
    rounds: ListedRound[];
    earlier: number;
  }
  /**
   * How the shoes add up: `text` is what the last reconciliation found.
   *
   * `method` is how the house adds up (off, count, scan); `verdict` proven, agrees, discrepant, or
   * empty before the first; `clean` as the house wants it. `since` counts the rounds since the last
   * clean one, void ones included. `warnings` are the early warning's, for the pit alone.
   * `serials`: the serial numbers of the pack in the shoe are known. `foreign_cards` are those
   * since the last clean one, newest first. `cut` is the cut card, null while none is in the shoe.
   */
  interface LedgerView {
    method: string;
    verdict: string;
    shoe: number;
    at_ms: number;
    text: string;
    clean: boolean;
    since: number;
    warnings: string[];
    serials: boolean;
    foreign_cards: ForeignCardView[];
    cut: CutView | null;
  }
  /** A round since the last clean reconciliation; `net` is the players' gain as text. */
  interface ListedRound {
    number: number;
    shoe: number;
    started_ms: number;
    ended_ms: number;
    void: boolean;
    wagers: ListedWager[];
    net: string;
  }
  /** A wager of a hand (hand 0: a side bet), as text and in minor units (null: not tracked). */
  interface ListedWager {
    seat: number;
    hand: number;
    wager: string;
    amount: number | null;
  }
  /**
   * A complete, shuffled pack is in the shoe.
   *
   * `counted`: how many cards a machine or people counted in it; null where nobody did. `pack` is
   * the label of the pack, where the house has several: each is watched by itself. After
   * `scan_pack` it says that all of it went through; with `counted`, that people counted instead.
   */
  interface LoadPack {
    view_seq?: number | null;
    people?: Proof[];
    player?: string;
    counted?: number | null;
    pack?: string;
    do: "load_pack";
  }
  /** Who asks for the log, where the table knows its people: somebody of the floor. */
  interface LogAsked {
    people?: Proof[];
  }
  /**
   * What one record says: `text` is the whole line, the rest its parts as data.
   *
   * `code` is the name of what happened, the same in every language, `marks` are what sets it apart
   * (hold, alarm, person, entry, refusal, doubt, picture, device, correction, void, aside,
   * restart). `by` are the people who gave their PINs, each with the role of then, `reason` is what
   * they typed, `took_ms` how long what it ends had lasted (null: it ends nothing). `round` and
   * `hold` are 0 where it is about none. `picture` names a picture that may be shown.
   */
  interface LogLine {
    seq: number;
    at_ms: number;
    code: string;
    text: string;
    marks: string[];
    round: number;
    hold: number;
    by: string[];
    reason: string;
    took_ms: number | null;
    picture: string;
    times: number;
  }
  /**
   * Lines of the logbook, the newest first.
   *
   * `more`: there are older ones, before the last line's `seq`. `problem` is what ended the reading
   * early, in words: a record is read up to its damage.
   */
  interface LogbookAnswer {
    lines: LogLine[];
    more: boolean;
    problem: string;
  }
  /** The manual of a table: which one it is of, and its parts. */
  interface Manual {
    table: string;
    game: string;
    parts: ManualPart[];
  }
  /** What one role reads: `name` is its place in the page's address. */
  interface ManualPart {
    name: string;
    title: string;
    sections: Section[];
  }
  /** The player of a seat has lost the connection (`away`), or is back. The clock goes on. */
  interface MarkAway {
    view_seq?: number | null;
    people?: Proof[];
    player?: string;
    seat: number;
    away: boolean;
    do: "mark_away";
  }
  /** Which way chips go: from the cage into the rack, or back. */
  type Moved = "fill" | "credit";
  /**
   * `sheet` is None while it is computed, for `computing_s` seconds by now, or cannot be.
   *
   * `computing_s` is None where nothing is being computed; until then ask again. `loses` is set
   * where the house is known to lose, `edge` is its edge in words. `said` is why there is no sheet,
   * empty where there is one. `pot` stands in its place where players play for a pot.
   */
  interface OddsAnswer {
    title: string;
    rule: string;
    currency: string;
    loses: boolean;
    edge: string;
    said: string;
    computing_s: number | null;
    sheet: OddsSheet | null;
    pot: PotSheet | null;
  }
  /** A PAR sheet with its strategy card; `chances` in per cent of hands a round. */
  interface OddsSheet {
    edge_per_cent: number;
    figures: [string, string][];
    options: OptionValue[];
    chances: [string, number][];
    compared: ComparedOption[];
    card: StrategyCard;
  }
  /** The dealer opens bets, at a table where they do not open by themselves. */
  interface OpenBets {
    view_seq?: number | null;
    people?: Proof[];
    player?: string;
    do: "open_bets";
  }
  /** A hold as the pit sees it; `owed` is what is to be paid and given back, seat by seat. */
  interface OpenHold {
    number: number;
    title: string;
    text: string;
    since_ms: number;
    owed: string[];
  }
  /** The rack was counted before play, every chip of the table: the opener. */
  interface OpenRack {
    view_seq?: number | null;
    people?: Proof[];
    player?: string;
    chips: ChipCount[];
    do: "open_rack";
  }
  /** A house option as it is configured; `default` is empty where it is the default. */
  interface OptionValue {
    name: string;
    value: string;
    default: string;
    meaning: string;
  }
  /** `pieces` of the chip that is worth `chip`; of a difference they may be below zero. */
  interface PiecesView {
    chip: number;
    pieces: number;
  }
  /** A wager on a spot, in minor units; null: a bet whose amount is not tracked. */
  interface PlaceWager {
    view_seq?: number | null;
    people?: Proof[];
    player?: string;
    seat: number;
    amount: number | null;
    do: "place_wager";
  }
  /**
   * Who plays at a seat for a game server, by the name for screens.
   *
   * `away`: without a connection. `leaves`: once the round is over.
   */
  interface PlayerView {
    seat: number;
    name: string;
    away: boolean;
    leaves: boolean;
  }
  /** What players may see: the felt and what is being waited for, shuffles included. */
  interface PlayersView {
    seq: number;
    game: string;
    round: number;
    notice: string;
    hands: HandView[];
    dealer: HandView | null;
    shoe: ShoeView;
    seats: number;
    limits: string;
    rule: string;
    simulated: boolean;
    pot: string;
    button: number;
    words: GameWords;
    dummy: boolean;
    window: WindowView | null;
    players: PlayerView[];
    at_ms: number;
  }
  /** Hands of a number of cards: the chance to have each target's points, in per cent, exact. */
  interface PointsLine {
    cards: number;
    chances: number[];
  }
  /**
   * Chances among `players` players, from dealt rounds but for `points`, which are exact.
   *
   * `within` of a line: how far its share, or the worse known of two, may be off, 95 times of 100.
   */
  interface PotSheet {
    players: number;
    rounds: number;
    targets: string[];
    points: PointsLine[];
    wins: WinLine[];
    cards: CardLine[];
  }
  /** The same as pressing the physical button of that name. */
  interface PressButton {
    view_seq?: number | null;
    people?: Proof[];
    player?: string;
    button: Button;
    do: "press";
  }
  /** Who authorizes a command: a name, and the PIN that proves it. */
  interface Proof {
    name: string;
    pin: string;
  }
  /** A shift of the rack, its slips from the first; `unclosed`: days that ended without closer. */
  interface RackShiftView {
    number: number;
    day: string;
    open: boolean;
    slips: SlipView[];
    win: RackWin;
    unclosed: string[];
  }
  /**
   * What a shift came to: closer + credits + drop - opener - fills, beside what its rounds say.
   *
   * `drop` is the cash that was counted so far, `buy_ins` what of it slips say was paid for chips:
   * it is no sum of its own. `difference` is how much more the chips say. A figure is null while
   * something is `missing` for it, in words. Its rounds are `first_round` to `last_round`; below
   * that, none. Amounts are minor units.
   */
  interface RackWin {
    opener: number;
    closer: number | null;
    fills: number;
    credits: number;
    drop: number;
    buy_ins: number;
    chips: number | null;
    rounds: number;
    difference: number | null;
    missing: string[];
    first_round: number;
    last_round: number;
  }
  /** The dealer has read the oldest message of the pit: the one of that number. */
  interface ReadNote {
    view_seq?: number | null;
    people?: Proof[];
    player?: string;
    note: number;
    do: "read_note";
  }
  /** Why the table is held. The value stands on record and in the API: it never changes. */
  type Reason = "unreadable" | "burn_unread" | "hidden_unread" | "impossible" | "foreign" | "unexpected" | "early" | "drawn" | "overdrawn" | "twin" | "recount" | "out_of_cards" | "floor" | "difference" | "shoe_off" | "pack_size" | "bets_differ" | "late_bet" | "taken_back" | "misread" | "not_asked" | "face_up" | "kept_refused" | "wrong_spot" | "skipped" | "exposed" | "payout" | "past_posting" | "player_left" | "device" | "damaged" | "misdeal" | "revision";
  /**
   * The table did not take the command; `refused` is the rule in words, `code` its name.
   *
   * The code stays the same in every language; it is empty where no table answered.
   *
   * `seq` is the record of the refusal, -1 where none could be written. `step` counts from 1: the
   * step of a corrected round that is refused, null where it is about none.
   */
  interface Refusal {
    accepted: false;
    seq: number;
    refused: string;
    code: string;
    step: number | null;
  }
  /** The wager of a spot is taken back, before "no more bets". */
  interface RemoveWager {
    view_seq?: number | null;
    people?: Proof[];
    player?: string;
    seat: number;
    do: "remove_wager";
  }
  /** Every spot that had a wager in the last round, and has none now, gets it again. */
  interface RepeatWagers {
    view_seq?: number | null;
    people?: Proof[];
    player?: string;
    do: "repeat_wagers";
  }
  /**
   * A round from its first card to its last chip, and the house options it was played under.
   *
   * `rules` are the game and its revision, as on record: `finnish-27/1`. `void`: every bet went
   * back. `dummy`: it was played without bets. `log` is what happened in it beside its steps and
   * later about it, the oldest first; `badges` counts what it is about. `ended_ms` is 0 while it is
   * in play.
   */
  interface Replay {
    number: number;
    game: string;
    options: Record<string, number | string | boolean>;
    steps: ReplayStep[];
    void: boolean;
    dummy: boolean;
    started_ms: number;
    ended_ms: number;
    log: LogLine[];
    badges: Badge[];
    rules: string;
  }
  /**
   * One thing that happened in a round, at `at_ms`, and the hands after it.
   *
   * `seat` and `hand` say whom it was about (seat 0: the dealer). `said` is a player's action, or
   * `done` and `declined` where a further wager was asked for, empty for cards and chips; `amount`
   * is that of a bet or a raise, in minor units. `picture` names what the camera saw of the card
   * that was dealt or turned, empty where there is none or where the card has not been seen.
   * `took_ms` is the time since the step before it, or since the round began.
   */
  interface ReplayStep {
    at_ms: number;
    seat: number;
    hand: number;
    said: string;
    amount: number | null;
    text: string;
    why: string;
    hands: HandView[];
    dealer: HandView;
    picture: string;
    took_ms: number;
  }
  /** The dealer has looked at the hidden card, which was not read: a natural or not. */
  interface ReportPeek {
    view_seq?: number | null;
    people?: Proof[];
    player?: string;
    natural: boolean;
    do: "peek";
  }
  /** A lawful resolution; its value is as `Reason`'s. */
  type Resolution = "enter_card" | "no_card" | "set_aside" | "face_down" | "one" | "two" | "count" | "refilled" | "release" | "squared" | "void" | "new_shoe" | "count_again" | "pack_out" | "keep" | "dummy" | "take_back" | "burn_last" | "keep_last" | "burn_kept" | "placed" | "dead_hand" | "correct" | "replaced" | "stands" | "resumed" | "chips_back" | "bets_right";
  /**
   * A lawful resolution of an open hold; `card` is a card code where it enters a card.
   *
   * A card takes the same command twice, each with a key of its own: the first names it and changes
   * nothing else, the second, with nothing in between, enters it. Who may is asked at the second.
   *
   * `reason` is why, in a few words, where the floor has to vouch for it; `seat` whose hand it is,
   * where it is about one. `cards` is how many cards were counted on the felt, `seats` the same
   * seat by seat.
   */
  interface Resolve {
    view_seq?: number | null;
    people?: Proof[];
    player?: string;
    hold: number;
    resolution: Resolution;
    card?: string | null;
    reason?: string;
    seat?: number | null;
    cards?: number | null;
    seats?: CardsAtSeat[];
    do: "resolve";
  }
  /** A round in a list of rounds. `ended_ms` is 0 while it is in play; `zone` is the table's. */
  interface RoundLine {
    number: number;
    shoe: number;
    started_ms: number;
    ended_ms: number;
    net: number;
    void: boolean;
    dummy: boolean;
    badges: Badge[];
    zone: string;
  }
  /**
   * What round `number` came to. `ended`: no further hand is played in it; `void`: every wager goes
   * back. A correction changes it, and the record says so.
   */
  interface RoundOutcomes {
    number: number;
    ended: boolean;
    void: boolean;
    hands: HandOutcome[];
  }
  /**
   * A round that was played, a void one included, or the one in play (`ended_ms` null).
   *
   * `dummy`: it was played without bets. `badges` are what it is to be noticed for.
   */
  interface RoundSummary {
    number: number;
    started_ms: number;
    ended_ms: number | null;
    void: boolean;
    seats: SeatResult[];
    net: string;
    dummy: boolean;
    badges: Badge[];
  }
  /** Rounds, the newest first; `more` and `problem` as in `LogbookAnswer`. */
  interface RoundsAnswer {
    lines: RoundLine[];
    more: boolean;
    problem: string;
  }
  /**
   * The enforced rules of a game with its house options.
   *
   * `rule` is the rule in one line; `edge` the house's edge in words. `house_loses`: it is known to
   * be negative; whoever shows the book shows that before everything else.
   */
  interface RuleBook {
    game: string;
    title: string;
    rule: string;
    edge: string;
    house_loses: boolean;
    sections: Section[];
  }
  /**
   * The pack will be run through the reader, all of it, before it is loaded and cut.
   *
   * `load_pack` ends it: a pack in which a kind is missing or too often is not taken.
   */
  interface ScanPack {
    view_seq?: number | null;
    people?: Proof[];
    player?: string;
    do: "scan_pack";
  }
  /** What is left in the shoe will be run through the reader, from its first card. */
  interface ScanRest {
    view_seq?: number | null;
    people?: Proof[];
    player?: string;
    do: "scan_rest";
  }
  /**
   * What a hand of a seat won or lost in a round (hand 0: a side bet); amounts as text.
   *
   * `outcome` is win, lose, push, surrender or void, empty while it is not known.
   */
  interface SeatResult {
    seat: number;
    hand: number;
    wager: string;
    outcome: string;
    net: string;
  }
  /** A part of a sheet: a title, lines of text, and a table if it has one. */
  interface Section {
    title: string;
    lines: string[];
    grid: Grid | null;
  }
  /**
   * What happened at a table in a gaming day, or in the hours of it that were asked for.
   *
   * Times are wall times in ms since the epoch, `zone` is the table's. `rounds` were begun in that
   * time and are over, `void` of them are void; `players_net` is what the players won with the
   * others, in minor units, as the rounds stood at the end of that time, `earlier_net` what they
   * were paid in it (below zero: gave back) for earlier rounds that were corrected or voided.
   * `found` is how many records have each mark, `wrong_pins` how many wrong PINs were entered,
   * `lock_outs` how many names they locked. `people` gave their PINs. `closed`: nothing is added to
   * the day any more. `head` is where the day ends by now. `lines` are all of it in words, each
   * with its name.
   */
  interface ShiftSheet {
    table: string;
    game: string;
    currency: string;
    day: string;
    zone: string;
    since_ms: number;
    until_ms: number;
    rounds: number;
    void: number;
    without_bets: number;
    players_net: number;
    earlier_net: number;
    cards: number;
    shoes: number;
    found: Badge[];
    wrong_pins: number;
    lock_outs: number;
    people: string[];
    open_holds: number;
    closed: boolean;
    head: string;
    lines: [string, string][];
  }
  /**
   * The shoe gauge: cards gone of `size`; the cut at `cut`, 0: none. Counts, never values.
   *
   * `counted`: people are to count what is left, and no display says how many that should be.
   */
  interface ShoeView {
    number: number;
    size: number;
    gone: number;
    cut: number;
    state: string;
    due: boolean;
    counted: boolean;
  }
  /** Chips have come to the rack or gone to the cage: `amount` is what the slip says. */
  interface SignSlip {
    view_seq?: number | null;
    people?: Proof[];
    player?: string;
    kind: Moved;
    amount: number;
    chips: ChipCount[];
    do: "sign_slip";
  }
  /**
   * A slip: `kind` is opener, closer, fill, credit, buy_in, box or count; `by` names who signed.
   *
   * `amount` is what its chips are worth, of a count the cash. `box` is the drop box that was taken
   * or counted, of a buy-in where its cash went; `seat` is whose buy-in it was (0: of nobody
   * seated). `placed` is the box that was put there, `taken` the slip by which a counted one was
   * taken. `difference` is what an opener had more than the closer before it, null where there was
   * none. `rolled`: nobody counted anew. `to_count`: its box is still to be counted. `may_void`: it
   * can be made void now.
   */
  interface SlipView {
    number: number;
    kind: string;
    at_ms: number;
    by: string[];
    chips: PiecesView[];
    amount: number;
    box: string;
    placed: string;
    taken: number;
    seat: number;
    difference: PiecesView[] | null;
    rolled: boolean;
    to_count: boolean;
    may_void: boolean;
    void: SlipVoidView | null;
  }
  /** Why a slip does not hold, when that was signed, and by whom. */
  interface SlipVoidView {
    reason: string;
    at_ms: number;
    by: string[];
  }
  /**
   * What the sensor of a bet spot says: `chips` in a word or an amount.
   *
   * `differs`: something else lies there than was entered, or than when bets were closed.
   */
  interface SpotView {
    seat: number;
    chips: string;
    differs: boolean;
  }
  /**
   * The status of the table; `simulated`: its devices are not real.
   *
   * `notice` is what the technician has to know of the configuration: a sentence, then its detail
   * line by line; empty where there is nothing. `house_loses` says so where it does by the options,
   * `edge_note` why the house's edge is not known (yet); empty elsewhere. `directory`: the pit's
   * directory of people that is in force, null where people are the table's own.
   */
  interface Status {
    seq: number;
    table: string;
    game: string;
    software: string;
    phase: string;
    waiting_for: string;
    why: string;
    who: string;
    since_ms: number;
    tone: Tone;
    round: number;
    hands: HandView[];
    dealer: HandView | null;
    shoe: ShoeView;
    devices: DeviceView[];
    holds: OpenHold[];
    rounds_per_hour: number | null;
    rounds_played: number;
    rounds: RoundSummary[];
    limits: string;
    rule: string;
    seats: number;
    pot: string;
    button: number;
    words: GameWords;
    ledger: LedgerView;
    roles: boolean;
    alarms: AlarmView[];
    day: DayView | null;
    wrong_pins: WrongPinsView[];
    closed: boolean;
    notes: number;
    pit_acts: string[];
    options: [string, string][];
    set_by_pit: string[];
    window: WindowView | null;
    deals: string;
    stakes: [number, number];
    simulated: boolean;
    notice: string[];
    house_loses: string;
    edge_note: string;
    directory: DirectoryView | null;
  }
  /** A strategy as a table; `meanings` are the letters with their actions. */
  interface StrategyCard {
    columns: string[];
    rows: CardRow[];
    meanings: [string, string][];
  }
  /**
   * `player` takes a seat and is called `name` on screens.
   *
   * `player` is the server's own id, which no display shows. At a seat whose player leaves, it is
   * kept for the next round.
   */
  interface TakeSeat {
    view_seq?: number | null;
    people?: Proof[];
    player: string;
    seat: number;
    name: string;
    do: "take_seat";
  }
  /** How a display colours its sentence. */
  type Tone = "calm" | "act" | "forced" | "pay" | "take" | "shuffle" | "held" | "safe";
  /**
   * One number of a total, in words: `word` says what it is, `over` that it is too many.
   *
   * Either text may be empty: some numbers stand alone, and some words.
   */
  interface TotalView {
    word: string;
    number: string;
    over: boolean;
  }
  /**
   * The card that lies face down was turned (seat 0: the dealer's).
   *
   * `card` is a card code where the card was not read when it was dealt; null where it was. A card
   * that is entered takes the same command twice, each with a key of its own: the first names it,
   * the second, with nothing in between, turns it.
   */
  interface TurnCard {
    view_seq?: number | null;
    people?: Proof[];
    player?: string;
    seat?: number;
    hand?: number;
    card?: string | null;
    do: "turn";
  }
  /**
   * What was chosen last to settle a hold was a mistake: it is as it was before.
   *
   * `hold` is the number of the hold for which it was chosen.
   */
  interface Undo {
    view_seq?: number | null;
    people?: Proof[];
    player?: string;
    hold: number;
    reason?: string;
    do: "undo";
  }
  /** The table is stopped. */
  interface Unhealthy {
    ok: false;
    why: string;
  }
  /** A slip does not hold; its number is not given again. */
  interface VoidSlip {
    view_seq?: number | null;
    people?: Proof[];
    player?: string;
    slip: number;
    reason: string;
    do: "void_slip";
  }
  /** What a wager on a spot may be: `low` to `high` in whole numbers of `chip` (minor units). */
  interface WagerView {
    low: number;
    high: number;
    chip: number;
  }
  /** A player's last hand, in per cent: how often it comes, each part it wins, both, its share. */
  interface WinLine {
    points: string;
    comes: number;
    wins: number[];
    both: number;
    share: number;
    within: number;
  }
  /**
   * How long players at a distance have still: to bet (`kind` bets), or to answer for a hand.
   *
   * It closes at `closes_at_ms` of the table's wall time, as that stands on record; pages count
   * down to it by the table's time, which their stream tells, never by their own clock. `left_ms`
   * is what is left while the clock stands, null while it runs. `last_called`: the last call has
   * come. `expired`: the time is over, and the table waits still.
   */
  interface WindowView {
    kind: string;
    seat: number;
    hand: number;
    length_ms: number;
    closes_at_ms: number;
    left_ms: number | null;
    last_called: boolean;
    expired: boolean;
  }
  /**
   * Wrong PINs for a person, by name or id; empty: for names that nobody has.
   *
   * `locked_until_ms` is the end of the lock-out that they led to, null where they led to none.
   */
  interface WrongPinsView {
    who: string;
    wrong: number;
    at_ms: number;
    locked_until_ms: number | null;
  }
}

declare namespace Calibration {
  /** All that the page shows. `ended` is empty until the calibration is over. */
  interface Shown {
    deck: ShownCard[];
    ended: string;
    ended_details: string;
    good: boolean;
    hint: string;
    live: boolean;
    measurements: ShownMeasurement[];
    question: ShownQuestion | null;
    said: string[];
    step: ShownStep | null;
    title: string;
  }
  /** One card in the overview of the deck, as `guide.DeckCard`. */
  interface ShownCard {
    key: string;
    label: string;
    name: string;
    red: boolean;
    state: "captured" | "last" | "missing" | "verified" | "wanted";
  }
  /** An answer that is possible: the key that is typed, and what it means. */
  interface ShownChoice {
    key: string;
    text: string;
  }
  /** A measurement with its limits in `unit` (null: none), and what to do unless it is good. */
  interface ShownMeasurement {
    at_least: number | null;
    at_most: number | null;
    name: string;
    remedy: string;
    unit: string;
    value: number | null;
    verdict: string;
  }
  /** What is asked, the first line large; with `waits` it is waited for, whatever the choices. */
  interface ShownQuestion {
    choices: ShownChoice[];
    details: string;
    number: number;
    text: string;
    waits: boolean;
  }
  /** How far a calibration is, as `guide.Step`. */
  interface ShownStep {
    done: number;
    name: string;
    nth: number;
    of: number;
    total: number;
  }
}

declare namespace World {
  /** The game's own words for its dealer and its seats. */
  interface GameWordsView {
    dealer: string;
    seat: string;
  }
  /** The card in the dealer's hand (null: none), and the seat it goes to (0: the dealer). */
  interface HeldCard {
    card: string | null;
    to: number | null;
  }
  /** Which pins of a spot's lamp are on. */
  interface LightView {
    blue: boolean;
    green: boolean;
    red: boolean;
  }
  /**
   * The world as the page draws it. `dealer` is robot or visitor.
   *
   * `display_token` is the table's token where a visitor may press the display's keys, else empty.
   * `troubles` are what can go wrong with a card at this reader. `training` is null where nobody is
   * trained.
   */
  interface PageView {
    burned: number;
    button: number;
    buzzer: boolean;
    dealer: string;
    dealer_cards: string[];
    discard: number;
    display_token: string;
    game: string;
    hand: HeldCard;
    index: "anglo" | "finnish";
    log: string[];
    low_cards: number;
    paused: boolean;
    pot: number;
    ready: number;
    round: number;
    rule: string;
    scanner: ScannerView;
    seats: SeatView[];
    seed: number;
    service_url: string;
    shoe: ShoeLeft;
    speed: number;
    title: string;
    training: TrainingView | null;
    troubles: TroubleKey[];
    vying: boolean;
    words: GameWordsView;
  }
  /** A hand on the felt: codes of its cards, and its bet in minor units. */
  interface PlayedHandView {
    bet: number;
    cards: string[];
    doubled: boolean;
    hand: number;
  }
  /** The reader at the mouth of the shoe, a scanner or a camera by its `name`. */
  interface ScannerView {
    busy: boolean;
    name: string;
    plugged: boolean;
  }
  /**
   * A seat: who sits there, and what lies before it. Amounts are in minor units.
   *
   * `bet` is what is bet between rounds (null: nothing), `side` the side bet.
   */
  interface SeatView {
    bank: number;
    bet: number | null;
    folded: boolean;
    hands: PlayedHandView[];
    light: LightView;
    name: string;
    said: string;
    seat: number;
    side: number;
  }
  /** How many cards are in the shoe, of how many, and how many of them lie behind the cut card. */
  interface ShoeLeft {
    cut: number;
    left: number;
    number: number;
    size: number;
    state: string;
  }
  /** A training as the page shows it. `rounds` 0: until it is stopped; `less`: there is less. */
  interface TrainingView {
    less: boolean;
    over: boolean;
    round: number;
    rounds: number;
    trouble: string;
  }
  /** A key that makes something go wrong with the next card: what it says, and what it does. */
  interface TroubleKey {
    do: string;
    text: string;
  }
}

declare namespace Studio {
  /**
   * The player's own: amounts in minor units; `seat` is null for who bets behind `behind`.
   *
   * `waits`: the seat is free once the round is over. `won` is the gain of the last round.
   */
  interface OwnView {
    behind: number;
    bet: number;
    in_play: boolean;
    leaving: boolean;
    left: number;
    may_buy: boolean;
    name: string;
    seat: number | null;
    waits: boolean;
    won: number | null;
  }
  /** A key: what it says, and what it chooses. */
  interface PlayChoice {
    action: string;
    label: string;
  }
  /**
   * A page. `you` is null for who looks on; `choices` are those of the player's hand `hand`.
   *
   * `table` is what the table shows everybody, null while it does not answer; `held`: it stands
   * still for a moment. `least` is the smallest bet, `most` the largest, in minor units.
   */
  interface PlayerPageView {
    betting: boolean;
    choices: PlayChoice[];
    hand: number | null;
    held: boolean;
    least: number;
    most: number;
    now_ms: number;
    table: Record<string, unknown> | null;
    you: OwnView | null;
  }
}

declare namespace Pit {
  /**
   * An alert as page and machines see it; `table` is empty for the pit, `*` for several tables.
   *
   * `who` must act. `step`: how often it went to the next of them. `answered_by` is empty until
   * somebody has it in hand. Times are the pit's wall times, in ms.
   */
  interface AlertView {
    number: number;
    kind: string;
    table: string;
    text: string;
    who: string;
    since_ms: number;
    count: number;
    step: number;
    answered_by: string;
    answered_ms: number | null;
    ended_ms: number | null;
  }
  /** Nothing is archived since `since_ms` (the pit's wall time); `why` is for people. */
  interface ArchiveStandstill {
    since_ms: number;
    why: string;
  }
  /**
   * A round, put right `corrections` times; `later` is what of that came soon after it.
   *
   * `felt` is how the cards and bets lay after each record, at a table of `seats` seats; null where
   * the records do not say it to this software, and `no_felt` why. It begins with record
   * `first_seq`; `pictures` are on record of cards that lie face up, and kept by the table.
   * `before` and `after` are the numbers of the table's rounds on either side; null: there is none.
   */
  interface ArchivedRound {
    table: string;
    number: number;
    day: string;
    game: string;
    dealer: string;
    wagered: number;
    net: number | null;
    void: boolean;
    corrections: number;
    steps: RoundStep[];
    later: RoundStep[];
    seats: number;
    felt: ToldRound | null;
    no_felt: string;
    first_seq: number;
    pictures: RecordPicture[];
    before: number | null;
    after: number | null;
  }
  /** A picture by its name on record; `jpeg` in base64, empty unless it is shown. */
  interface CardPictureView {
    name: string;
    state: PictureState;
    jpeg: string;
  }
  /**
   * A card on the felt: its code, or empty for one that lies face down.
   *
   * `label` names it in the index style of the table's cards (`13♥` or `K♥`). `raised`: pushed
   * slightly up, as the dealer's low hand is where there is one.
   */
  interface CardView {
    code: string;
    label: string;
    raised: boolean;
  }
  /**
   * What the page is sent: places of tables and tiles that changed, and the pit's own time.
   *
   * `standstill`: the archive's, null while it goes on. `alerts`: all that are open, where they
   * changed; null where not.
   */
  interface Change {
    picture: number;
    at_ms: number;
    standstill: ArchiveStandstill | null;
    alerts: AlertView[] | null;
    places: WallPlace[];
    tiles: Tile[];
  }
  /**
   * The hands after record `seq` of a round.
   *
   * `text` and `why` say what happened where the record is a step of it, and are empty where it is
   * its beginning, its end or a correction. `pot` is what lies in it, empty without one.
   */
  interface FeltAfter {
    seq: number;
    text: string;
    why: string;
    hands: HandView[];
    dealer: HandView;
    pot: string;
  }
  /**
   * The game's own words for its dealer and its seats, in lower case: `operator`, `box`.
   *
   * `joker`: its pack has Jokers, so that one may be entered. `index` is the style in which the
   * table's cards print their ranks.
   */
  interface GameWords {
    dealer: string;
    seat: string;
    joker: boolean;
    index: IndexStyle;
  }
  /**
   * One hand. `note` is the state in a word or two, `result` is empty until it is known, and
   * `outcome` is its value: win, lose, push or surrender.
   *
   * `total` is what it counts in one line, `total_parts` the same part by part. Hand 0 of a seat is
   * a side bet, such as insurance; it has no cards. `wager` and `net` are amounts as text.
   */
  interface HandView {
    seat: number;
    hand: number;
    light: string;
    cards: CardView[];
    total: string;
    total_parts: TotalView[];
    wager: string;
    note: string;
    result: string;
    outcome: string;
    net: string;
    settled: boolean;
    active: boolean;
  }
  /** A style of index: Finnish prints 1, 11, 12, 13 where Anglo prints A, J, Q, K. */
  type IndexStyle = "anglo" | "finnish";
  /** Something wrong at the table. */
  interface LiveAlarm {
    number: number;
    title: string;
    text: string;
  }
  /** A card as it lies; `raised`: pushed slightly up. */
  interface LiveCard {
    code: string;
    label: string;
    raised: boolean;
  }
  /** What lies on the felt, and what the table says of it. */
  interface LiveFelt {
    seq: number;
    round: number;
    hands: LiveHand[];
    dealer: LiveHand | null;
    shoe: LiveShoe;
    seats: number;
    pot: string;
    button: number;
    words: LiveWords;
    limits: string;
    rule: string;
    rounds: LiveRound[];
    holds: LiveHold[];
    alarms: LiveAlarm[];
  }
  /** A hand as the table's own pages show it; seat 0 is the dealer, hand 0 a side bet. */
  interface LiveHand {
    seat: number;
    hand: number;
    light: string;
    cards: LiveCard[];
    total: string;
    total_parts: LiveTotal[];
    wager: string;
    note: string;
    result: string;
    outcome: string;
    net: string;
    settled: boolean;
    active: boolean;
  }
  /** Why play stands still. */
  interface LiveHold {
    number: number;
    title: string;
    text: string;
  }
  /**
   * A table as its live page shows it: its tile, and its felt; null where there is none to be
   * drawn, and `no_felt` says why. `at_ms` is the pit's time, `heard_ms` when the table was heard.
   */
  interface LivePicture {
    at_ms: number;
    heard_ms: number | null;
    tile: Tile;
    felt: LiveFelt | null;
    no_felt: string;
  }
  /** One of the last rounds; wall times of the table in ms, `ended_ms` null while in play. */
  interface LiveRound {
    number: number;
    started_ms: number;
    ended_ms: number | null;
    void: boolean;
    dummy: boolean;
  }
  /** The shoe: counts of cards, never values. */
  interface LiveShoe {
    number: number;
    size: number;
    gone: number;
    cut: number;
    state: string;
    due: boolean;
    counted: boolean;
  }
  /** A part of what a hand counts. */
  interface LiveTotal {
    word: string;
    number: string;
    over: boolean;
  }
  /** The game's words for its dealer and its seats, and how its cards print their ranks. */
  interface LiveWords {
    dealer: string;
    seat: string;
    joker: boolean;
    index: IndexStyle;
  }
  /** What there is of a picture. */
  type PictureState = "gone" | "held_back" | "not_here" | "other" | "shown";
  /** The picture by which the card of record `seq` was read, or could not be. */
  interface RecordPicture {
    seq: number;
    name: string;
  }
  /**
   * What cameras saw of the cards of a round, of those that `pictures` of the round names.
   *
   * `said` is why some did not come; empty: each of them is settled.
   */
  interface RoundPictures {
    table: string;
    number: number;
    said: string;
    pictures: CardPictureView[];
  }
  /**
   * A record of a round in words; `where` is a seat or the dealer, in the words of its game, or
   * empty for the table.
   */
  interface RoundStep {
    seq: number;
    at_ms: number;
    where: string;
    what: string;
  }
  /**
   * A table as the wall shows it; texts are the table's own. Times are the pit's, in ms.
   *
   * `since_ms` is null where it is not known. `pace` is rounds an hour, `target` what the house
   * expects. `stakes` are the least and the largest bet, in minor units, both 0 where they are not
   * known; `deals` is who deals. `seats_taken` of `seats` have a hand. `shoe` is the part of the
   * shoe that is gone, up to the cut. `unheard`: alarms that nobody has answered. `page`: the
   * table's own.
   */
  interface Tile {
    table: string;
    need: string;
    rank: number;
    pit: string;
    floor: string;
    game: string;
    limits: string;
    stakes: [number, number];
    deals: string;
    waiting_for: string;
    why: string;
    who: string;
    since_ms: number | null;
    round: number;
    rounds_played: number;
    pace: number | null;
    target: number | null;
    seats_taken: number;
    seats: number;
    shoe: number;
    holds: number;
    alarms: number;
    unheard: number;
    simulated: boolean;
    software: string;
    seq: number;
    house_loses: string;
    edge_note: string;
    page: string;
  }
  /**
   * A round felt by felt, and the game's words for its seats and its dealer.
   *
   * `button` is the seat that deals where the deal passes, else 0.
   */
  interface ToldRound {
    words: GameWords;
    button: number;
    felts: FeltAfter[];
  }
  /**
   * One number of a total, in words: `word` says what it is, `over` that it is too many.
   *
   * Either text may be empty: some numbers stand alone, and some words.
   */
  interface TotalView {
    word: string;
    number: string;
    over: boolean;
  }
  /** What is needed to put a table in its place, of a tile that is not looked at. */
  interface WallPlace {
    table: string;
    need: string;
    rank: number;
    since_ms: number | null;
    pit: string;
    floor: string;
    game: string;
  }
}

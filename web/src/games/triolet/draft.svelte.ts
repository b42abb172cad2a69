/** The draft of a move: my rack, and the tokens placed from it. It is merged with each new position. */
import { type DraftToken, exchangeText, type RackToken, JOKER, mergeDraft, mergeRack, placementText } from "./logic";

export class Draft {
  held = $state.raw<RackToken[]>([]);
  laid = $state.raw<DraftToken[]>([]);
  /** The token that waits for a square. */
  chosen = $state<number | null>(null);
  /** The joker that waits for its value. */
  unnamedJoker = $state<number | null>(null);
  /** The tokens to be exchanged; null while none are asked for. */
  exchanging = $state.raw<number[] | null>(null);

  readonly text = $derived.by(() => placementText(this.laid));
  /** Whether a preview can be requested: there are tokens, and every joker has its value. */
  readonly complete = $derived.by(() => this.laid.length > 0 && this.laid.every((each) => each.value !== null));
  readonly joker = $derived.by(() => this.laid.find(({ id }) => id === this.unnamedJoker) ?? null);

  of = (id: number) => this.laid.find((each) => each.id === id);
  on = (square: number) => this.laid.find((each) => each.square === square);

  /** The position changed: what is gone from the rack or covered on the board is gone here. */
  merge(rack: string[], board: (string | null)[]): void {
    this.held = mergeRack(this.held, rack);
    this.laid = mergeDraft(this.laid, this.held, board);
    const holds = (id: number) => this.held.some((each) => each.id === id);
    if (this.chosen !== null && !holds(this.chosen)) this.chosen = null;
    if (this.unnamedJoker !== null && !this.of(this.unnamedJoker)) this.unnamedJoker = null;
    this.exchanging = this.exchanging?.filter(holds) ?? null;
  }

  lay(id: number, square: number): void {
    const token = this.held.find((each) => each.id === id)?.token;
    if (!token) return;
    const value = token === JOKER ? (this.of(id)?.value ?? null) : Number(token);
    this.laid = [...this.laid.filter((each) => each.id !== id && each.square !== square), { id, token, square, value }];
    this.chosen = null;
    this.unnamedJoker = token === JOKER && value === null ? id : null;
  }

  takeBack(id: number): void {
    this.laid = this.laid.filter((each) => each.id !== id);
    if (this.unnamedJoker === id) this.unnamedJoker = null;
  }

  nameJoker(value: number): void {
    this.laid = this.laid.map((each) => (each.id === this.unnamedJoker ? { ...each, value } : each));
    this.unnamedJoker = null;
  }

  /** A token of the rack was tapped: it is chosen, or given up. */
  tap(id: number): void {
    if (this.exchanging) {
      this.exchanging = this.exchanging.includes(id)
        ? this.exchanging.filter((each) => each !== id)
        : [...this.exchanging, id];
      return;
    }
    if (this.of(id)) this.takeBack(id);
    this.chosen = this.chosen === id ? null : id;
  }

  pickUp(): void {
    this.laid = [];
    this.unnamedJoker = this.chosen = null;
  }

  startExchange(): void {
    this.pickUp();
    this.exchanging = [];
  }

  get exchangeAction(): string {
    return exchangeText(this.held.filter(({ id }) => this.exchanging?.includes(id)).map(({ token }) => token));
  }

  /** One step back: the exchange, the token chosen, or the last one laid. */
  escape(): void {
    if (this.exchanging) this.exchanging = null;
    else if (this.chosen !== null) this.chosen = null;
    else this.laid = this.laid.slice(0, -1);
  }
}

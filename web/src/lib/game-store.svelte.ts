/** The reactive state of one game screen: the connection, the board, and the texts for players and actions. */
import { onDestroy, untrack } from "svelte";
import { serverClockOffset, type Seat, type EngineAnalysis } from "./api";
import { browserEnvironment } from "./browser-environment";
import { reloadOnce } from "./browser-window";
import { GameClient, type ClientState } from "./game-client";
import type { GameUi, Translate } from "./game-ui";
import type { Candidate, Command, GameEvent, GameType } from "./wire";
import { loadGameUi } from "./games";
import { CATALOGUES, translator, type Key } from "./i18n";
import { activeActions } from "./history";
import { api, prefs, t } from "./prefs.svelte";
import { router } from "./router.svelte";
import { play } from "./browser-sounds";
import { computerName, displayNames, mySeatToAct } from "./game-state";
import { seatMarks } from "./seat-marks";
import { skippedText } from "./status-text";
import { turnsOf } from "./turns";
import { toasts } from "./toast.svelte";

export class GameStore {
  clientState = $state.raw<ClientState>()!;
  /** How far the server's clock is ahead of ours, in seconds. */
  clockOffset = $state(serverClockOffset);
  /** The board of the game; null if it has none, undefined while it is loaded. */
  ui = $state.raw<GameUi | null | undefined>(undefined);
  gameType = $state.raw<GameType | null>(null);
  /** Whether the screen was left: later answers are ignored. */
  isClosed = false;
  /** Whether the board animates what has happened: the result waits for it. */
  isAnimating = $state(false);
  /** Called for each new event. */
  onEvent: () => void = () => undefined;
  readonly client: GameClient;

  constructor(readonly id: string) {
    this.client = new GameClient(
      browserEnvironment(id),
      {
        changed: (clientState) => (this.clientState = clientState),
        eventReceived: (event) => this.eventReceived(event),
        refused: (error) => {
          if (error.code === "stale") toasts.show(t("code_stale"));
          else toasts.showError(error);
        },
        outdated: reloadOnce,
      },
      prefs.lang,
    );
    this.clientState = this.client.clientState;
    onDestroy(() => {
      this.isClosed = true;
      this.client.close();
    });
    $effect(() => this.client.setLanguage(prefs.lang));
    $effect(() => {
      if (!this.isOver) this.hasShownResult = false;
      if (!this.isOver || this.isAnimating) return;
      // The board begins its animation of the last move only after it has been given the position.
      const timer = setTimeout(() => (this.hasShownResult = true));
      return () => clearTimeout(timer);
    });
    $effect(() => {
      // A board that could not be loaded is asked for again with each new connection.
      if (!this.gameKey || !this.isOnline || untrack(() => this.ui)) return;
      void loadGameUi(this.gameKey).then(
        (ui) => (this.ui = ui),
        () => (this.ui = null), // the server's picture is shown
      );
    });
    $effect(() => {
      const wanted = this.gameKey;
      void prefs.lang;
      if (wanted)
        void api.gameTypes().then(
          (all) => (this.gameType = all.find((each) => each.key === wanted) ?? null),
          () => undefined,
        );
    });
  }

  state = $derived.by(() => this.clientState?.state ?? null);
  private isOnline = $derived.by(() => this.clientState?.connection === "online");
  mySeats = $derived.by(() => this.clientState?.mySeats ?? []);
  gameKey = $derived.by(() => this.state?.game_key);
  /** The seat to act, if it is mine. */
  seatToAct = $derived.by(() => (this.state ? mySeatToAct(this.state, this.mySeats) : null));
  /** The actions that were not undone. */
  history = $derived.by(() => (this.state ? activeActions(this.state, this.clientState.log) : []));
  /** Whether the result may be shown: the animation of the last move is over. That of a replay does not hide it again. */
  showsResult = $derived.by(() => this.isOver && (this.hasShownResult || !this.isAnimating));
  private isOver = $derived.by(() => this.state?.outcome != null);
  private hasShownResult = $state(false);
  /** My seat: the one to act, if it sees the view that is shown, else the one whose view it is. */
  viewer = $derived.by<Seat | null>(() => {
    const { state, seatToAct } = this;
    return seatToAct !== null && state?.same_view_seats.includes(seatToAct) ? seatToAct : (state?.viewer ?? null);
  });
  translate = $derived.by<Translate>(() => translator(this.ui?.messages ?? {}, prefs.lang));
  /** The number of actions of my seats. */
  myMoveCount = $derived.by(
    () =>
      this.history.filter((each) => each.type === "action" && each.seat !== null && this.mySeats.includes(each.seat))
        .length,
  );
  canUndo = $derived.by(() => this.state?.can_undo ?? false);

  /** The turns of the game, as the list shows them. */
  turns = $derived.by(() =>
    turnsOf(this.history, this.ui?.describeTurn !== undefined, this.state?.score_history ?? []),
  );

  /** The name of each player. */
  private names = $derived.by(() => {
    const state = this.state;
    if (!state) return [];
    return displayNames(state.seats, this.mySeats, {
      bot: (level) => computerName(level, this.gameType, t),
      open: t("free_seat"),
      guest: t("guest"),
      you: t("you_name"),
      tag: (seat) =>
        seatMarks(this.ui ?? null, seat, state.view)
          .map(({ colour }) => t(`colour_${colour}`))
          .join(t("colour_and")),
    });
  });

  playerName = (seat: Seat): string => this.names[seat] ?? "";

  /** An action as a short text. */
  describe = (text: string): string => {
    try {
      return this.ui ? this.ui.describeAction(text, this.translate) : text.length > 48 ? `${text.slice(0, 46)}…` : text;
    } catch {
      return text; // a text that the board cannot describe is shown as it is
    }
  };

  act = (action: string): void => {
    toasts.clear();
    if (!this.client.act(action)) toasts.show(t("still_sending"));
    else if (this.clientState.connection !== "online") toasts.show(t("send_when_online"));
  };

  sendCommand(command: Command): void {
    if (!this.client.sendCommand(command)) toasts.show(t("still_sending"));
  }

  /** A hint for the position; null if the game has advanced since, or the request failed. */
  async hint(): Promise<(Candidate & EngineAnalysis) | null> {
    const seq = this.clientState.log.length;
    try {
      const hint = await api.hint(this.id, 1);
      return this.isClosed || seq !== this.clientState.log.length ? null : hint;
    } catch (error) {
      if (!this.isClosed) toasts.fail(error);
      return null;
    }
  }

  async rematch(): Promise<void> {
    try {
      const { game_id: id } = await api.rematch(this.id);
      if (!this.isClosed) router.go({ at: "game", id });
    } catch (error) {
      if (!this.isClosed) toasts.fail(error);
    }
  }

  /** The game's sentence for an end of which the user is the subject; null if it has none. */
  ownReason = (key: string, values: Record<string, string | number>): string | null =>
    this.ui && key in (this.ui.messages.en ?? {})
      ? this.translate(key, values)
      : key in CATALOGUES.en!
        ? t(key as Key, values)
        : null;

  /** A game of the same start and chance, played again. */
  async repeat(): Promise<void> {
    try {
      const { game_id: id } = await api.repeat(this.id);
      if (!this.isClosed) router.go({ at: "game", id });
    } catch (error) {
      if (!this.isClosed) toasts.fail(error);
    }
  }

  /** An action or a turn of several in words. */
  describeTurn(actions: readonly GameEvent[], chance: readonly GameEvent[] = []): string {
    const texts = chance.map(({ text }) => text);
    try {
      if (this.ui?.describeTurn) return this.ui.describeTurn({ chance: texts, actions }, this.translate);
    } catch {
      // texts that the board cannot describe are shown one by one
    }
    return actions.map(({ text }) => this.describe(text)).join(", ");
  }

  /** Show for a moment whose turn was skipped. */
  private announceSkipped(event: GameEvent): void {
    const skipped = event.skipped ?? [];
    if (!skipped.length || this.state?.status === "over") return; // at the end nobody can play
    toasts.show(skippedText(skipped, this.mySeats, this.playerName, t));
  }

  private eventReceived(event: GameEvent): void {
    this.clockOffset = event.time - Date.now() / 1000;
    this.onEvent();
    if (event.seat !== null && this.mySeats.includes(event.seat)) toasts.clear(); // a hint may name hidden tokens
    this.announceSkipped(event);
    if (!prefs.sound) return;
    const newest = event.seq === this.clientState.log.length;
    if (newest && this.clientState.state?.status === "over") play("end");
    else if (event.type === "action" || (event.type === "chance" && newest)) play("place");
    if (newest && this.seatToAct !== null && event.seat !== null && !this.mySeats.includes(event.seat))
      setTimeout(() => play("turn"), 140);
  }
}

/** One game as this screen knows it: the live connection, the board that fits, names and words. */
import { onDestroy } from "svelte";
import { serverClockOffset, type Seat, type EngineAnalysis } from "./api";
import { browserEnvironment, GameClient, type ClientState } from "./game-client";
import type { GameUi, Say } from "./game-ui";
import type { Candidate, Command, GameEvent, GameType } from "./wire";
import { board } from "./games";
import { speaker } from "./i18n";
import { activeActions } from "./history";
import { api, prefs, t } from "./prefs.svelte";
import { place } from "./router.svelte";
import { play } from "./browser-sounds";
import { myTurn, named } from "./game-state";
import { toasts } from "./toast.svelte";
import { reloadOnce } from "./version";

export class Session {
  known = $state.raw<ClientState>()!;
  /** How far the server's clock is serverClockOffset of ours, in seconds. */
  skew = $state(serverClockOffset);
  /** The board of this kind of game; null: there is none, undefined: it is being loaded. */
  ui = $state.raw<GameUi | null | undefined>(undefined);
  kind = $state.raw<GameType | null>(null);
  /** The screen is left: what comes later is not for it. */
  left = false;
  /** Called when something happens at the table. */
  onhappened: () => void = () => undefined;
  readonly client: GameClient;

  constructor(readonly id: string) {
    this.client = new GameClient(
      browserEnvironment(id),
      {
        changed: (now) => (this.known = now),
        eventReceived: (event) => this.eventReceived(event),
        refused: (refusal) => {
          if (refusal.code === "stale") toasts.say(t("stale"));
          else toasts.refuse(refusal);
        },
        outdated: reloadOnce,
      },
      prefs.lang,
    );
    this.known = this.client.known;
    onDestroy(() => {
      this.left = true;
      this.client.close();
    });
    $effect(() => this.client.setLanguage(prefs.lang));
    $effect(() => {
      if (this.key) void board(this.key).then((found) => (this.ui = found));
    });
    $effect(() => {
      const wanted = this.key;
      void prefs.lang;
      if (wanted)
        void api.gameTypes().then(
          (all) => (this.kind = all.find((each) => each.key === wanted) ?? null),
          () => undefined,
        );
    });
  }

  now = $derived.by(() => this.known?.state ?? null);
  mine = $derived.by(() => this.known?.mine ?? []);
  key = $derived.by(() => this.now?.game_key);
  /** The seat to act, if it is mine. */
  mover = $derived.by(() => (this.now ? myTurn(this.now, this.mine) : null));
  /** The actions that stand. */
  line = $derived.by(() => (this.now ? activeActions(this.now, this.known.log) : []));
  viewer = $derived.by<Seat | null>(() => this.mover ?? this.now?.viewer ?? null);
  say = $derived.by<Say>(() => speaker(this.ui?.messages ?? {}, prefs.lang));
  /** How many of the actions are mine. */
  played = $derived.by(
    () =>
      this.line.filter((each) => each.type === "action" && each.seat !== null && this.mine.includes(each.seat)).length,
  );
  mayUndo = $derived.by(() => this.now?.status === "live" && !this.now.offer && this.played > 0);

  name = (seat: Seat): string =>
    this.now
      ? named(seat, this.now.seats, this.mine, {
          bot: (level) => t("computer_level", { level }),
          open: t("free_seat"),
          guest: t("guest"),
          you: t("you_name"),
        })
      : "";

  /** An action in short words. */
  words = (text: string): string => {
    try {
      return this.ui ? this.ui.describe(text, this.say) : text.length > 48 ? `${text.slice(0, 46)}…` : text;
    } catch {
      return text; // a move that nobody foresaw is still a move
    }
  };

  act = (action: string): void => {
    toasts.clear();
    if (!this.client.act(action)) toasts.say(t("still_sending"));
    else if (this.known.connection !== "online") toasts.say(t("will_send"));
  };

  do(what: Command): void {
    if (!this.client.sendCommand(what)) toasts.say(t("still_sending"));
  }

  /** Command the computer would play here; null if that is of no use any more when the answer comes. */
  async hint(): Promise<(Candidate & EngineAnalysis) | null> {
    const seq = this.known.log.length;
    try {
      const found = await api.hint(this.id, 1);
      return this.left || seq !== this.known.log.length ? null : found;
    } catch (error) {
      if (!this.left) toasts.fail(error);
      return null;
    }
  }

  async rematch(): Promise<void> {
    try {
      const { game_id: id } = await api.rematch(this.id);
      if (!this.left) place.go({ at: "game", id });
    } catch (error) {
      if (!this.left) toasts.fail(error);
    }
  }

  private eventReceived(event: GameEvent): void {
    this.skew = event.time - Date.now() / 1000;
    this.onhappened();
    if (!prefs.sound) return;
    const newest = event.seq === this.known.log.length;
    if (newest && this.known.state?.status === "over") play("end");
    else if (event.type === "action" || (event.type === "chance" && newest)) play("place");
    if (newest && this.mover !== null && event.seat !== null && !this.mine.includes(event.seat))
      setTimeout(() => play("turn"), 140);
  }
}

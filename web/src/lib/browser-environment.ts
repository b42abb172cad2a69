/** What a game client needs of the browser: sockets, timers, random numbers and session storage. */
import { API } from "./api";
import { parseOutbox, type ClientEnvironment, type SocketLike } from "./game-client";

export function browserEnvironment(gameId: string): ClientEnvironment {
  const storageKey = `tripot.request.${gameId}`;
  return {
    keep: (message) => {
      try {
        if (message) sessionStorage.setItem(storageKey, JSON.stringify(message));
        else sessionStorage.removeItem(storageKey);
      } catch {
        // storage is switched off: a reload then loses a request that was not sent
      }
    },
    kept: () => {
      try {
        return parseOutbox(sessionStorage.getItem(storageKey));
      } catch {
        return null;
      }
    },
    connect: () => {
      const address = new URL(`${API}/games/${gameId}/ws`, location.href.split("#")[0]);
      address.protocol = address.protocol === "https:" ? "wss:" : "ws:";
      return new WebSocket(address) as unknown as SocketLike;
    },
    later: (work, ms) => window.setTimeout(work, ms),
    cancel: (timer) => window.clearTimeout(timer),
    random: Math.random,
    id: () =>
      Array.from(crypto.getRandomValues(new Uint8Array(12)), (byte) => byte.toString(16).padStart(2, "0")).join(""),
  };
}

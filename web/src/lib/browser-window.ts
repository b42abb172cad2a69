/** The window that the page is in. */

/** The whole screen for the game, and back. */
export function toggleFullscreen(): void {
  if (document.fullscreenElement) void document.exitFullscreen();
  else void document.documentElement.requestFullscreen?.().catch(() => undefined); // not allowed here: nothing is lost
}

/** Load the page again, but only if the server answers: without it there would be no page at all. */
export async function reloadIfOnline(): Promise<void> {
  const answer = await fetch("./", { cache: "no-store" }).catch(() => null);
  if (answer?.ok) location.reload();
}

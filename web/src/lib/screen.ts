/** The whole screen for the game, and back. */
export function full(): void {
  if (document.fullscreenElement) void document.exitFullscreen();
  else void document.documentElement.requestFullscreen?.().catch(() => undefined); // not allowed here: nothing is lost
}

/** The browser window: full screen, and loading the page again. */

const RELOADED_FOR = "tripot.versions"; // the server versions for which this tab was loaded again

/** Show the page on the full screen, or leave it. */
export function toggleFullscreen(): void {
  if (document.fullscreenElement) void document.exitFullscreen();
  else void document.documentElement.requestFullscreen?.().catch(() => undefined); // not allowed here: nothing is lost
}

/** Whether the server answers. */
export async function isOnline(): Promise<boolean> {
  const answer = await fetch("./", { cache: "no-store" }).catch(() => null);
  return answer?.ok ?? false;
}

/** Load the page again, but only if the server answers: without it there would be no page at all. */
export async function reloadIfOnline(): Promise<void> {
  if (await isOnline()) location.reload();
}

/** Load the page again, but only once for each version: several servers of different versions may answer in turn. */
export function reloadOnce(version: string): void {
  try {
    const seen = JSON.parse(sessionStorage.getItem(RELOADED_FOR) ?? "[]") as string[];
    if (seen.includes(version)) return;
    sessionStorage.setItem(RELOADED_FOR, JSON.stringify([...seen, version]));
  } catch {
    return; // storage is switched off: then the page could not know that it has done so
  }
  location.reload();
}

/** The version of the server, by which the page notices that it is outdated. */

const KEPT = "tripot.versions";

let first: string | null = null;

/** Whether the server is another version than the one that the page was loaded from. */
export function isOutdated(version: string): boolean {
  first ??= version;
  return version !== first;
}

/** Load the page again, but once only for a version: several servers of different versions may answer in turn. */
export function reloadOnce(version: string): void {
  try {
    const seen = JSON.parse(sessionStorage.getItem(KEPT) ?? "[]") as string[];
    if (seen.includes(version)) return;
    sessionStorage.setItem(KEPT, JSON.stringify([...seen, version]));
  } catch {
    return; // storage is switched off: then the page could not know that it has done so
  }
  location.reload();
}

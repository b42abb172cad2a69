/** The version of the server, by which the page notices that it is outdated. */

let firstVersion: string | null = null;

/** Whether the server has another version than the one that the page was loaded from. */
export function isOutdated(version: string): boolean {
  firstVersion ??= version;
  return version !== firstVersion;
}

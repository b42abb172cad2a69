/** The version of the server, by which the page notices that it is outdated. */

let firstVersion: string | null = null;

/** Whether the server has another version than in its first answer to the page.
 *
 * A page that is loaded just before the server is replaced has that answer from the new server. It is noticed only
 * if it asks for a path that the server does not know. */
export function isOutdated(version: string): boolean {
  firstVersion ??= version;
  return version !== firstVersion;
}

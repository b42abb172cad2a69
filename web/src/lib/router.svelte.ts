/** Where the visitor is; the back button works because the address says all. */
import { read, write, type Route } from "./routes";

class Place {
  route = $state.raw<Route>(read(location.hash));

  constructor() {
    addEventListener("hashchange", () => (this.route = read(location.hash)));
  }

  go(route: Route): void {
    location.hash = write(route);
  }

  /** Go on without a way back: for an address that holds a secret. */
  replace(route: Route): void {
    history.replaceState(null, "", write(route));
    this.route = route;
  }
}

export const place = new Place();

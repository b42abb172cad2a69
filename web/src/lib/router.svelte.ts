/** The current route, which follows the hash of the address. */
import { parseRoute, routeHash, type Route } from "./routes";

class Router {
  route = $state.raw<Route>(parseRoute(location.hash));

  constructor() {
    addEventListener("hashchange", () => (this.route = parseRoute(location.hash)));
  }

  go(route: Route): void {
    location.hash = routeHash(route);
  }

  /** Go to a route without a new history entry, for an address that contains a secret. */
  replace(route: Route): void {
    history.replaceState(null, "", routeHash(route));
    this.route = route;
  }
}

export const router = new Router();

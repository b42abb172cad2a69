/** Where the visitor is; the back button works because the address says all. */
import { parseRoute, routeHash, type Route } from "./routes";

class Router {
  route = $state.raw<Route>(parseRoute(location.hash));

  constructor() {
    addEventListener("hashchange", () => (this.route = parseRoute(location.hash)));
  }

  go(route: Route): void {
    location.hash = routeHash(route);
  }

  /** Go on without a way back: for an address that holds a secret. */
  replace(route: Route): void {
    history.replaceState(null, "", routeHash(route));
    this.route = route;
  }
}

export const router = new Router();

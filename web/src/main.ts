import { mount } from "svelte";
import "./app.css";
import App from "./App.svelte";
import { reloadIfOnline } from "./lib/browser-window";

// A tab with an outdated page cannot load further modules: reload the page, at most once a minute.
addEventListener("vite:preloadError", () => {
  const last = Number(sessionStorage.getItem("tripot.reloaded") ?? 0);
  if (Date.now() - last < 60_000) return;
  sessionStorage.setItem("tripot.reloaded", String(Date.now()));
  void reloadIfOnline();
});

mount(App, { target: document.getElementById("app")! });

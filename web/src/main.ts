import { mount } from "svelte";
import "./app.css";
import App from "./App.svelte";
import { reloadIfOnline } from "./lib/browser-window";

// A tab older than the server's page cannot load what it did not load yet: take the new page, once.
addEventListener("vite:preloadError", () => {
  const last = Number(sessionStorage.getItem("tripot.reloaded") ?? 0);
  if (Date.now() - last < 60_000) return;
  sessionStorage.setItem("tripot.reloaded", String(Date.now()));
  void reloadIfOnline();
});

mount(App, { target: document.getElementById("app")! });

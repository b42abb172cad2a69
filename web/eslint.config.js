import js from "@eslint/js";
import svelte from "eslint-plugin-svelte";
import { defineConfig } from "eslint/config";
import ts from "typescript-eslint";
import svelteConfig from "./svelte.config.js";

export default defineConfig(
  js.configs.recommended,
  ts.configs.recommended,
  svelte.configs.recommended,
  svelte.configs.prettier, // turns off the rules about layout: Prettier decides on it
  {
    linterOptions: { reportUnusedDisableDirectives: "error" },
    rules: {
      // TypeScript reports undefined names, and knows those of the browser.
      "no-undef": "off",
      // The name for what a loop or a callback is given and does not need.
      "@typescript-eslint/no-unused-vars": ["error", { argsIgnorePattern: "^_$", varsIgnorePattern: "^_$" }],
      // Sets and maps are replaced as a whole in $state.raw, or deliberately not reactive.
      "svelte/prefer-svelte-reactivity": "off",
    },
  },
  {
    files: ["**/*.svelte", "**/*.svelte.ts"],
    languageOptions: { parserOptions: { parser: ts.parser, svelteConfig } },
  },
  {
    // Rules that need types see only TypeScript files: components would double the time of the whole run,
    // and the types that cross from one component to another are unknown here. svelte-check knows them.
    files: ["**/*.ts"],
    ignores: ["**/*.svelte.ts"],
    extends: [ts.configs.recommendedTypeCheckedOnly],
    languageOptions: { parserOptions: { projectService: true, extraFileExtensions: [".svelte"] } },
  },
);

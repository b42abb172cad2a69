/** Text can be read: at least 4.5 to 1 in light and dark, as the colours stand in app.css. */
import { expect, test } from "vitest";
import css from "../app.css?raw";

const block = (selector: string): Record<string, string> => {
  const body = css.slice(css.indexOf(`${selector} {`)).split("}")[0]!;
  return Object.fromEntries(
    [...body.matchAll(/--([\w-]+): (#[0-9a-f]{6});/g)].map(([, name = "", colour = ""]) => [name, colour]),
  );
};
const light = block(":root");
const themes = { light, dark: { ...light, ...block(':root[data-theme="dark"]') } };

const luminance = (colour: string): number => {
  const [red, green, blue] = [1, 3, 5].map((at) => {
    const part = parseInt(colour.slice(at, at + 2), 16) / 255;
    return part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
};
const contrast = (one: string, two: string): number => {
  const [more, less] = [luminance(one), luminance(two)].sort((a, b) => b - a) as [number, number];
  return (more + 0.05) / (less + 0.05);
};

for (const [theme, colours] of Object.entries(themes)) {
  for (const text of ["ink", "soft", "brass", "bad"]) {
    for (const ground of ["paper", "panel", "tile", "tile-2"]) {
      test(`${theme}: ${text} on ${ground}`, () => {
        expect(contrast(colours[text]!, colours[ground]!)).toBeGreaterThanOrEqual(4.5);
      });
    }
  }
  test(`${theme}: the main button`, () =>
    expect(contrast(colours["on-felt"]!, colours.felt!)).toBeGreaterThanOrEqual(4.5));
}

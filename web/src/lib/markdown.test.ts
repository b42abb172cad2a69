import { expect, test } from "vitest";
import { contents, inline, parts, render } from "./markdown";

test("no text of a rulebook becomes markup", () => {
  const html = render(
    "# <script>alert(1)</script>\n\n<img src=x onerror=alert(1)> & `<b>`\n\n| <i> |\n| --- |\n| \"'<u> |\n\n```\n<hr>\n```\n\n- <br>",
  );
  expect(html).not.toMatch(/<(script|img|b|i|u|hr|br)\b/);
  expect(html).toContain("&lt;img");
});

test("a link leads only to a web address or a place in the text", () => {
  expect(inline("[a](javascript:alert(1))")).not.toContain("<a");
  expect(inline('[a](https://x.org/"onclick="b)')).not.toContain('"onclick');
  expect(inline("[a](#TO-3)")).toContain('href="#TO-3"');
});

test("the heading of a clause has its number as id", () => {
  expect(render("### TO-3 What may lie")).toBe(
    '<h3 id="TO-3" tabindex="-1"><span class="clause">TO-3</span> What may lie</h3>',
  );
  expect(render("## The end")).toBe("<h2>The end</h2>");
});

test("lines of a paragraph, and of an item, are one", () => {
  expect(render("one\ntwo\n\nthree")).toBe("<p>one two</p>\n<p>three</p>");
  expect(render("- one\n  two\n- three")).toBe("<ul><li>one two</li><li>three</li></ul>");
  expect(render("text:\n- item")).toBe("<p>text:</p>\n<ul><li>item</li></ul>");
  expect(render("1. a\n2. b")).toBe("<ol><li>a</li><li>b</li></ol>");
});

test("words in lines", () => {
  expect(inline("a **b** *c* `d*e*`")).toBe("a <strong>b</strong> <em>c</em> <code>d*e*</code>");
  expect(inline("2 * 3 * 4")).toBe("2 * 3 * 4");
});

test("a table has a head and a body, each row as wide as the head", () => {
  expect(render("| a | b |\n| --- | --- |\n| 1 |")).toContain("<tbody><tr><td>1</td><td></td></tr></tbody>");
});

test("a fence keeps its lines, even if it is not closed", () => {
  expect(render("```\n a\n\n b\n```\nc")).toBe('<pre tabindex="0"><code> a\n\n b</code></pre>\n<p>c</p>');
  expect(render("```\na")).toBe('<pre tabindex="0"><code>a</code></pre>');
});

test("parts begin at headings, and nothing is lost", () => {
  const source = "# T\n\nx\n\n### TO-1 A\n\na\n\n```\n# no heading\n```\n\n## End\n";
  const result = parts(source);
  expect(result.map((part) => part.clause)).toEqual([null, null, null, "TO-1", null]);
  expect(
    result
      .map((part) => part.text)
      .join("")
      .trim(),
  ).toBe(source.trim());
});

test("the contents are the chapters that have clauses", () => {
  const text = "# A game\n\n## In the box\n\nmuch\n\n## Moving\n\n### AG-1 One step\n\ntext\n\n### AG-2 Two *steps*\n";
  expect(contents(text)).toEqual([
    {
      title: "Moving",
      clauses: [
        { clause: "AG-1", title: "One step" },
        { clause: "AG-2", title: "Two *steps*" },
      ],
    },
  ]);
});

test("a drawing in characters is a part, and its clause ends after it", () => {
  const result = parts("# Box\n\nOne:\n\n```\na\n```\n\n### A-1 Start\n\ntext\n\n```\n# b\n```\n\nmore\n");
  expect(result.map(({ clause, within, block }) => [clause, within, block])).toEqual([
    [null, null, null],
    [null, null, 1],
    [null, null, null],
    [null, "A-1", 2],
    ["A-1", null, null],
  ]);
});

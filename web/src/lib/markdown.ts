/** Renders the Markdown of rulebooks as HTML: headings, paragraphs, lists, tables, code blocks and inline markup.
 * All text is escaped before tags are added, so it cannot contain markup. */

const ESCAPES: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };

export function escape(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => ESCAPES[sign]!);
}

/** The clause at the start of a heading, such as TO-3. */
export function clauseOf(heading: string): string | null {
  return /^([A-Z]+-\d+)\b/.exec(heading)?.[1] ?? null;
}

/** Inline code, bold, italics and links. Code comes first, because it contains no markup. */
export function inline(text: string): string {
  return escape(text)
    .split(/(`[^`]+`)/)
    .map((part) => {
      if (part.length > 2 && part.startsWith("`")) return `<code>${part.slice(1, -1)}</code>`;
      return part
        .replace(/\*\*(\S(?:.*?\S)?)\*\*/g, "<strong>$1</strong>")
        .replace(/\*(\S(?:.*?\S)?)\*/g, "<em>$1</em>")
        .replace(/\[([^\]]+)\]\((#[^)\s]*|https?:\/\/[^)\s]+)\)/g, '<a href="$2" rel="noreferrer">$1</a>');
    })
    .join("");
}

const cells = (row: string): string[] =>
  row
    .trim()
    .replace(/^\||\|$/g, "")
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim().replaceAll("\\|", "|"));

function table(rows: string[]): string {
  const [head = "", , ...body] = rows;
  const width = cells(head).length;
  const row = (text: string, tag: string): string => {
    const row = cells(text);
    return `<tr>${Array.from({ length: width }, (_, at) => `<${tag}>${inline(row[at] ?? "")}</${tag}>`).join("")}</tr>`;
  };
  const heading = cells(head).some(Boolean) ? `<thead>${row(head, "th")}</thead>` : "";
  return `<div class="table" tabindex="0"><table>${heading}<tbody>${body.map((each) => row(each, "td")).join("")}</tbody></table></div>`;
}

function list(lines: string[]): string {
  const numbered = /^\d+\./.test(lines[0]!);
  const items: string[] = [];
  for (const line of lines) {
    const begun = /^(?:[-*]|\d+\.)\s+(.*)$/.exec(line);
    if (begun) items.push(begun[1]!);
    else items[items.length - 1] += ` ${line.trim()}`;
  }
  const tag = numbered ? "ol" : "ul";
  return `<${tag}>${items.map((item) => `<li>${inline(item)}</li>`).join("")}</${tag}>`;
}

const isItem = (line: string): boolean => /^(?:[-*]|\d+\.)\s+\S/.test(line);
const begins = (line: string): boolean => /^(#{1,6}\s|```|\|)/.test(line) || isItem(line);

export function render(source: string): string {
  const lines = source.replaceAll("\r\n", "\n").split("\n");
  const html: string[] = [];
  let at = 0;
  const take = (goesOn: (line: string) => boolean): string[] => {
    const from = at;
    while (at < lines.length && goesOn(lines[at]!)) at++;
    return lines.slice(from, at);
  };
  while (at < lines.length) {
    const line = lines[at]!;
    const heading = /^(#{1,6})\s+(.*)$/.exec(line);
    if (!line.trim()) {
      at++;
    } else if (heading) {
      at++;
      const depth = heading[1]!.length;
      const number = clauseOf(heading[2]!);
      const rest = number ? heading[2]!.slice(number.length).trim() : heading[2]!;
      const label = number ? `<span class="clause">${number}</span> ` : "";
      html.push(`<h${depth}${number ? ` id="${number}" tabindex="-1"` : ""}>${label}${inline(rest)}</h${depth}>`);
    } else if (line.startsWith("```")) {
      at++;
      const code = take((each) => !each.startsWith("```"));
      at++;
      html.push(`<pre tabindex="0"><code>${escape(code.join("\n"))}</code></pre>`);
    } else if (line.startsWith("|")) {
      html.push(table(take((each) => each.startsWith("|"))));
    } else if (isItem(line)) {
      html.push(list(take((each) => isItem(each) || /^\s+\S/.test(each))));
    } else {
      const text = [line.trim()];
      at++;
      text.push(...take((each) => each.trim() !== "" && !begins(each)).map((each) => each.trim()));
      html.push(`<p>${inline(text.join(" "))}</p>`);
    }
  }
  return html.join("\n");
}

/** A part of a rulebook: the text of a clause, or a drawing in characters. */
export interface Part {
  /** The clause of its heading; a clause with a drawing has several parts, and only the last one has its number. */
  clause: string | null;
  /** The clause that a drawing belongs to. */
  within: string | null;
  text: string;
  /** The number of the drawing in the rulebook, from 1. */
  block: number | null;
}

/** A rulebook in parts, each of which begins with a heading or is a drawing, except the first. */
export function parts(source: string): Part[] {
  const result: Part[] = [{ clause: null, within: null, text: "", block: null }];
  let blocks = 0;
  let fenced = false;
  for (const line of source.split("\n")) {
    const last = result.at(-1)!;
    const fence = line.startsWith("```");
    if (fence && !fenced) result.push({ clause: null, within: last.clause, text: `${line}\n`, block: ++blocks });
    else if (fence) {
      last.text += `${line}\n`;
      const before = result.at(-2)!;
      result.push({ clause: before.clause, within: null, text: "", block: null });
      before.clause = null;
    } else {
      const heading = fenced ? null : /^#{1,6}\s+(.*)$/.exec(line);
      if (heading) result.push({ clause: clauseOf(heading[1]!), within: null, text: "", block: null });
      result.at(-1)!.text += `${line}\n`;
    }
    if (fence) fenced = !fenced;
  }
  return result.filter((part) => part.text.trim() || part.clause);
}

export interface Heading {
  clause: string | null;
  title: string;
}

/** The table of contents of a rulebook: chapters with their clauses. */
export function contents(text: string): { title: string; clauses: Heading[] }[] {
  const chapters: { title: string; clauses: Heading[] }[] = [];
  for (const [, signs, heading] of text.matchAll(/^(##{1,2}) +(.*)$/gm)) {
    const clause = clauseOf(heading!);
    if (signs === "##") chapters.push({ title: heading!, clauses: [] });
    else if (clause) chapters.at(-1)?.clauses.push({ clause, title: heading!.slice(clause.length).trim() });
  }
  return chapters.filter((each) => each.clauses.length);
}

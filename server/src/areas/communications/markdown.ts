import { cleanLines, cleanUrl } from '../../outside/clean.ts';
import { TEXT } from '../../outside/mail-templates/html.ts';
import { type Html, html, join } from '../../outside/mail-templates/markup.ts';
import { fill, PLACEHOLDER, type Values, valueFor } from './placeholders.ts';

/**
 * The small part of Markdown that a mail needs. The text is parsed first and its placeholders are filled afterwards, so a name
 * is never read as markup. All text is escaped, and only http and https addresses become links. Why this is not a library:
 * docs/decisions/0026-markdown-of-messages.md.
 */
export type Inline =
  | { is: 'text'; text: string }
  | { is: 'value'; name: string; fallback: string | undefined }
  | { is: 'strong' | 'em'; inside: Inline[] }
  | { is: 'link'; label: string; url: string };
export type Block =
  | { is: 'heading'; line: Inline[] }
  | { is: 'paragraph'; lines: Inline[][] }
  | { is: 'list'; start: number | null; items: Inline[][] };

// A link's host cannot contain a placeholder, so no value can change where the link leads. The text between the marks of an
// alternative cannot contain its opening mark again (no bracket in a label, no star in emphasis), so a failed attempt ends at
// the next mark, and a line of a thousand stars or brackets is read in one pass.
const HOST = String.raw`https?:\/\/[^\s/?#{}()<>"]+`;
const INLINE = new RegExp(
  [
    PLACEHOLDER.source,
    String.raw`\*\*(?<strong>[^\n]+?)\*\*`,
    String.raw`\*(?<em>[^\s*][^*\n]*)\*`,
    String.raw`\[(?<label>[^[\]\n]+)\]\((?<url>${HOST}(?:[/?#][^\s()]*)?)\)`,
    String.raw`(?<bare>${HOST}(?:[/?#](?:[^\s<>"]*[^\s<>".,;:!?)\]*])?)?)`,
  ].join('|'),
  'g',
);

function readLine(line: string): Inline[] {
  const found: Inline[] = [];
  let from = 0;
  const upTo = (at: number) => {
    if (at > from) found.push({ is: 'text', text: line.slice(from, at) });
  };
  for (const match of line.matchAll(INLINE)) {
    const { strong, em, label, url, bare } = match.groups!;
    upTo(match.index);
    from = match.index + match[0].length;
    if (strong !== undefined) found.push({ is: 'strong', inside: readLine(strong) });
    else if (em !== undefined) found.push({ is: 'em', inside: readLine(em) });
    else if (label !== undefined) found.push({ is: 'link', label, url: url! });
    else if (bare !== undefined) found.push({ is: 'link', label: bare, url: bare });
    else found.push({ is: 'value', name: match[1]!, fallback: match[2] });
  }
  upTo(line.length);
  return found;
}

export function readMarkdown(text: string): Block[] {
  const blocks: Block[] = [];
  let open: Block | null = null;
  for (const line of cleanLines(text)) {
    const heading = /^#{1,3} (.+)$/.exec(line);
    const item = /^(?:[-*]|(\d{1,4})[.)]) (.+)$/.exec(line);
    if (line === '') open = null;
    else if (heading !== null) {
      blocks.push({ is: 'heading', line: readLine(heading[1]!) });
      open = null;
    } else if (item !== null) {
      const start = item[1] === undefined ? null : Number(item[1]);
      if (open?.is !== 'list' || (open.start === null) !== (start === null)) {
        open = { is: 'list', start, items: [] };
        blocks.push(open);
      }
      open.items.push(readLine(item[2]!));
    } else {
      if (open?.is !== 'paragraph') {
        open = { is: 'paragraph', lines: [] };
        blocks.push(open);
      }
      open.lines.push(readLine(line));
    }
  }
  return blocks;
}

const linkOf = ({ label, url }: { label: string; url: string }, values: Values) => {
  const to = cleanUrl(fill(url, values, encodeURIComponent));
  return { to, label: label === url && to !== null ? to : fill(label, values) };
};

export function htmlOf(blocks: readonly Block[], values: Values): Html {
  const inline = (nodes: readonly Inline[]): Html =>
    join(
      nodes.map((node) => {
        if (node.is === 'text') return html`${node.text}`;
        if (node.is === 'value') return html`${valueFor(values, node.name, node.fallback)}`;
        if (node.is !== 'link') {
          return node.is === 'strong' ? html`<b>${inline(node.inside)}</b>` : html`<i>${inline(node.inside)}</i>`;
        }
        const { to, label } = linkOf(node, values);
        return to === null ? html`${label}` : html`<a href="${to}" style="color:#1c1f23">${label}</a>`;
      }),
    );
  return join(
    blocks.map((block) => {
      if (block.is === 'heading') {
        return html`<h2 class="ink" dir="auto" style="${TEXT};font-size:19px;line-height:26px;font-weight:700;margin:22px 0 8px 0">${inline(block.line)}</h2>`;
      }
      if (block.is === 'paragraph') {
        return html`<p class="ink" dir="auto" style="${TEXT};margin:0 0 14px 0">${join(block.lines.map(inline), '<br>')}</p>`;
      }
      const items = join(block.items.map((item) => html`<li style="margin:0 0 4px 0">${inline(item)}</li>`));
      const style = html`class="ink" dir="auto" style="${TEXT};margin:0 0 14px 0;padding-left:24px"`;
      return block.start === null
        ? html`<ul ${style}>${items}</ul>`
        : html`<ol start="${block.start}" ${style}>${items}</ol>`;
    }),
  );
}

export function textOf(blocks: readonly Block[], values: Values): string {
  const inline = (nodes: readonly Inline[]): string =>
    nodes
      .map((node) => {
        if (node.is === 'text') return node.text;
        if (node.is === 'value') return valueFor(values, node.name, node.fallback);
        if (node.is !== 'link') return inline(node.inside);
        const { to, label } = linkOf(node, values);
        return to === null || to === label ? label : `${label} (${to})`;
      })
      .join('');
  return blocks
    .map((block) => {
      if (block.is === 'heading') return inline(block.line);
      if (block.is === 'paragraph') return block.lines.map(inline).join('\n');
      return block.items
        .map((item, i) => `${block.start === null ? '-' : `${block.start + i}.`} ${inline(item)}`)
        .join('\n');
    })
    .join('\n\n');
}

/** The text without its marks, for where no recipient's values are filled in. */
export const plainText = (blocks: readonly Block[]): string => textOf(blocks, {} as Values);

import { cleanUrl } from '../../outside/clean.ts';
import { type Html, html, join } from '../../outside/mail-templates/markup.ts';
import { type Block, type Inline, readMarkdown } from '../communications/index.ts';

/**
 * What an organizer wrote in Markdown, as HTML. It is read by the reader of messages, which knows no HTML and no address but http and
 * https. The pages fill no placeholders, so those are shown as they were typed.
 */
export function proseOf(text: string): Html {
  return html`<div class="prose" dir="auto">${join(readMarkdown(text).map(blockOf))}</div>`;
}

function blockOf(block: Block): Html {
  if (block.is === 'heading') return html`<h2>${inline(block.line)}</h2>`;
  if (block.is === 'paragraph') return html`<p>${join(block.lines.map(inline), '<br>')}</p>`;
  const items = join(block.items.map((item) => html`<li>${inline(item)}</li>`));
  return block.start === null ? html`<ul>${items}</ul>` : html`<ol start="${block.start}">${items}</ol>`;
}

const inline = (nodes: readonly Inline[]): Html =>
  join(
    nodes.map((node) => {
      if (node.is === 'text') return html`${node.text}`;
      if (node.is === 'value') return html`{{${node.name}${node.fallback === undefined ? '' : `|${node.fallback}`}}}`;
      if (node.is === 'link') {
        const to = cleanUrl(node.url);
        // The site that a link leads to learns nothing of ours, and search engines do not take it for our word.
        return to === null ? html`${node.label}` : html`<a href="${to}" rel="nofollow noopener ugc">${node.label}</a>`;
      }
      return node.is === 'strong'
        ? html`<strong>${inline(node.inside)}</strong>`
        : html`<em>${inline(node.inside)}</em>`;
    }),
  );

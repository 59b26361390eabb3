import { cleanLine, cleanName, shortened } from '../clean.ts';
import { action, block, event, foot, head, pageOf, TEXT } from './html.ts';
import { SUBJECT } from './letter.ts';
import type { RenderedMail } from './mail.ts';
import { html, join } from './markup.ts';

/** A mail with several links, each below what it opens. */
export interface LinkList {
  language: string;
  organization: string;
  subject: string;
  title: string;
  text: string;
  /** `url` is null where nothing is left to open. */
  links: readonly { name: string; lines: readonly string[]; url: string | null }[];
  /** What the buttons say. */
  open: string;
  footer: string;
  accent?: string | undefined;
}

/** Nearer than to the event below, so that one sees which event a button opens. */
const NEAR_ITS_EVENT = 12;

export function renderLinks(list: LinkList): RenderedMail {
  const organization = cleanLine(list.organization);
  const subject = shortened(cleanLine(list.subject), SUBJECT);
  const links = list.links.map(({ name, lines, url }) => ({
    name: cleanLine(name),
    // Among them are names that somebody typed.
    lines: lines.map(cleanName).filter((line) => line !== ''),
    url,
  }));
  const blocks = [
    `${list.title}.`,
    list.text,
    ...links.map(({ name, lines, url }) => [name, ...lines, ...(url === null ? [] : [url])].join('\n')),
    organization,
    `-- \n${list.footer}`,
  ];
  const card = join([
    head({ organization, title: list.title }),
    block(html`<p class="ink" style="${TEXT};margin:0">${list.text}</p>`, 18),
    ...links.flatMap(({ name, lines, url }) => [
      event({ name, lines }),
      ...(url === null ? [] : [action({ label: list.open, url }, list.accent, NEAR_ITS_EVENT)]),
    ]),
    foot(html`${list.footer}`),
  ]);
  const { language, text: preview } = list;
  return { subject, text: `${blocks.join('\n\n')}\n`, html: pageOf({ language, subject, preview }, card) };
}

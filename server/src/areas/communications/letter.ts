import type { CommunicationKind } from '@turnout/contract';
import { newsTexts } from '@turnout/words/mails';
import { cleanLine, shortened } from '../../outside/clean.ts';
import { block, event as eventBox, foot, head, pageOf, TEXT } from '../../outside/mail-templates/html.ts';
import type { RenderedMail } from '../../outside/mail-templates/index.ts';
import { colonOf, eventLines, SUBJECT, wordsOf } from '../../outside/mail-templates/letter.ts';
import { html, join } from '../../outside/mail-templates/markup.ts';
import { htmlOf, readMarkdown, textOf } from './markdown.ts';
import { fill, type Values } from './placeholders.ts';
import type { Setting } from './values.ts';

export interface Message {
  kind: CommunicationKind;
  subject: string;
  text: string;
}

/** What is particular to one recipient's copy of the message. */
export interface Copy {
  values: Values;
  /** The link for unsubscribing; null if the message has none. */
  unsubscribe: string | null;
  /** The link with which the recipient manages their registration; null if the message has none. */
  manage?: string | null;
  test: boolean;
}

/** Renders an organizer's message in the design of the other mails. */
export function renderMessage(message: Message, { event, organization }: Setting, copy: Copy): RenderedMail {
  const { values, unsubscribe, manage = null, test } = copy;
  const words = wordsOf({ event, organization });
  const own = newsTexts(event.language);
  const title = shortened(fill(cleanLine(message.subject), values), SUBJECT);
  const subject = test ? `[Test] ${title}` : title;
  const body = readMarkdown(message.text);
  const text = textOf(body, values);
  const about = { name: cleanLine(event.name), lines: eventLines(event) };
  const footer = words.t('footer', { event: about.name });
  const blocks = [
    ...(test ? [own.t('test')] : []),
    text,
    [about.name, ...about.lines].join('\n'),
    [
      '-- ',
      cleanLine(organization.name),
      footer,
      ...(manage === null ? [] : [`${words.t('manage')}${colonOf(words)} ${manage}`]),
      ...(unsubscribe === null ? [] : [`${own.t('unsubscribe')}: ${unsubscribe}`]),
    ].join('\n'),
  ];
  const card = join([
    ...(test ? [block(html`<p class="ink" style="${TEXT};margin:0;font-weight:700">${own.t('test')}</p>`, 34)] : []),
    head({ organization: cleanLine(organization.name), title }),
    block(htmlOf(body, values), 18),
    eventBox(about),
    foot(
      html`${footer}${manage === null ? '' : footLink(manage, words.t('manage'))}${unsubscribe === null ? '' : footLink(unsubscribe, own.t('unsubscribe'))}`,
    ),
  ]);
  return {
    subject,
    text: `${blocks.join('\n\n')}\n`,
    html: pageOf({ language: words.language, subject, preview: text.replaceAll(/\s+/g, ' ').slice(0, 140) }, card),
  };
}

const footLink = (url: string, label: string) => html` <a href="${url}" style="color:#5b626b">${label}</a>`;

import { cleanLine, cleanName, shortened } from '../clean.ts';
import { block, action as button, foot, head, MUTED, pageOf, TEXT } from './html.ts';
import { html, join } from './markup.ts';

/** A mail about an account or a membership: a few sentences and perhaps a button. */
export interface Notice {
  language: string;
  /** Who writes: the organization, or the name of the installation. */
  from: string;
  subject: string;
  title: string;
  paragraphs: readonly string[];
  /** `copy`: what stands before the address itself, for programs whose buttons do not work. */
  action: { label: string; url: string; copy?: string } | null;
  /** Why the person gets this mail. */
  footer: string;
}

/** Names come from people, so they are cleaned: none of them may begin a header or become a link. */
export const nameInNotice = cleanName;

/** Renders a notice in the design of the other mails. The link also stands in the text, for programs that show no buttons. */
export function renderNotice(notice: Notice): { subject: string; text: string; html: string } {
  const { language, paragraphs, action, footer } = notice;
  const from = cleanLine(notice.from);
  const subject = shortened(cleanLine(notice.subject), 150);
  const title = cleanLine(notice.title);
  const lines = paragraphs.map(cleanLine);
  const blocks = [
    title.replace(/[.!?]?$/, (end) => end || '.'),
    ...lines,
    ...(action === null ? [] : [`${action.label}:\n${action.url}`]),
    from,
    `-- \n${footer}`,
  ];
  const card = join([
    head({ organization: from, title }),
    block(join(lines.map((line) => html`<p class="ink" style="${TEXT};margin:0 0 14px 0">${line}</p>`)), 18),
    action === null ? html`` : button(action),
    action?.copy === undefined ? html`` : address(action.copy, action.url),
    foot(html`${footer}`),
  ]);
  const preview = lines.join(' ').slice(0, 140);
  return { subject, text: `${blocks.join('\n\n')}\n`, html: pageOf({ language, subject, preview }, card) };
}

const address = (copy: string, url: string) =>
  block(
    html`<div class="mute" style="${MUTED}">${copy}<br><a href="${url}" style="color:#5b626b">${url}</a></div>`,
    20,
  );

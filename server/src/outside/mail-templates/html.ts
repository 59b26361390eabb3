import { BLACK } from './letter.ts';
import type { Letter } from './mail.ts';
import { Html, html, join } from './markup.ts';

// Only tables and inline styles are used, because Outlook (which renders with Word), Gmail and Apple Mail all understand them.
// The classes are only for dark mode and narrow screens; a program that drops <style> still shows a good mail.
const FONT = new Html("font-family:-apple-system,BlinkMacSystemFont,'Segoe UI',Roboto,Helvetica,Arial,sans-serif");
export const TEXT = new Html(`${FONT};font-size:16px;line-height:24px;color:#1c1f23`);
const SMALL = new Html(`${FONT};font-size:14px;line-height:20px;color:#1c1f23`);
export const MUTED = new Html(`${FONT};font-size:13px;line-height:19px;color:#5b626b`);
const TITLE = new Html(`${FONT};font-size:26px;line-height:32px;font-weight:700;color:#111315;letter-spacing:-0.3px`);
const MONO = new Html("font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,'Courier New',monospace");
const LINE = new Html('border-top:1px solid #e3e5e8');

const STYLE = new Html(`
:root{color-scheme:light dark;supported-color-schemes:light dark}
a{color:#1c1f23}
@media (max-width:620px){.card{border-radius:0!important}.pad{padding-left:22px!important;padding-right:22px!important}.outer{padding:0!important}}
@media (prefers-color-scheme:dark){
.page{background:#101214!important}.card{background:#1b1e22!important}
.ink,.ink a{color:#f2f4f6!important}.mute{color:#a9b0b9!important}
.box{background:#262a30!important}.line{border-color:#353a42!important}
.button{background:#f2f4f6!important}.button a{color:#111315!important;background:#f2f4f6!important;border-color:#f2f4f6!important}
}`);

const table = (content: Html, attributes = new Html('')) =>
  html`<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0"${attributes}>${content}</table>`;

/** A word that is wider than a phone's screen is broken instead of making the whole mail wider. */
const BREAK = new Html('overflow-wrap:anywhere;word-break:break-word');
/** Beside a long value, a column whose words may be broken becomes as narrow as a few letters. */
const WORDS = new Html('overflow-wrap:break-word;word-break:normal');

export const block = (content: Html, top = 24) =>
  html`<tr><td class="pad" style="padding:${top}px 40px 0 40px;${BREAK}">${content}</td></tr>`;

const label = (text: string) => html`<div class="mute" style="${MUTED};padding-bottom:4px">${text}</div>`;

const quote = ({ label: title, lines }: NonNullable<Letter['quote']>) =>
  block(
    html`${label(title)}<div class="ink line" dir="auto" style="${TEXT};border-left:3px solid #c3c8ce;padding-left:14px">${join(
      lines.map((line) => html`${line}`),
      '<br>',
    )}</div>`,
  );

export const event = ({ name, lines }: Letter['event']) =>
  block(
    table(
      html`<tr><td class="box" bgcolor="#f4f5f6" style="background:#f4f5f6;border-radius:8px;padding:18px 20px">
<div class="ink" dir="auto" style="${TEXT};font-size:17px;font-weight:600">${name}</div>${join(
        lines.map(
          (line) => html`<div class="mute" dir="auto" style="${MUTED};font-size:15px;line-height:23px">${line}</div>`,
        ),
      )}</td></tr>`,
    ),
  );

const facts = (rows: Letter['facts']) =>
  block(
    table(
      join(
        rows.map(
          ({ label: name, value, strong }) => html`<tr>
<td class="mute" valign="top" style="${MUTED};${WORDS};padding:3px 16px 3px 0">${name}</td>
<td class="ink" valign="top" align="right" style="${SMALL};padding:3px 0;font-weight:${strong ? '700' : '500'}">${value}</td></tr>`,
        ),
      ),
    ),
    20,
  );

const CELL = new Html(`${LINE};padding:10px 0`);

const people = ({ label: title, rows, more }: NonNullable<Letter['people']>) =>
  block(
    html`${label(title)}${table(
      join([
        ...rows.map(
          ({ name, details, amount, link }) => html`<tr>
<td class="ink line" dir="auto" valign="top" style="${SMALL};${CELL}"><span style="font-weight:600">${name}</span>${join(
            details.map((detail) => html`<br><span class="mute" style="${MUTED}">${detail}</span>`),
          )}${
            link === null ? '' : html`<br><a href="${link.url}" style="color:#1c1f23;font-weight:600">${link.label}</a>`
          }</td>
<td class="ink line" valign="top" align="right" nowrap style="${SMALL};${CELL};padding-left:16px;white-space:nowrap">${amount}</td></tr>`,
        ),
        moreRow(more),
      ]),
    )}`,
  );

/**
 * Half as wide as the picture has pixels, so that it is sharp on screens of high density. The picture has a white border, which
 * scanners need on a dark background.
 */
const QR_SIDE = 165;
const picture = (qr: string, alt: string) =>
  html`<img src="cid:${qr}" width="${QR_SIDE}" height="${QR_SIDE}" alt="${alt}" style="display:block;width:${QR_SIDE}px;height:${QR_SIDE}px;border:0;background:#ffffff;margin:6px 0 8px 0"/>`;

const tickets = (
  { label: title, rows, more }: NonNullable<Letter['tickets']>,
  { openTicket, qr: alt }: Pick<Letter, 'openTicket' | 'qr'>,
) =>
  block(
    html`${label(title)}${table(
      join([
        ...rows.map(
          ({ code, people: names, link, qr }) => html`<tr>
<td class="ink line" dir="auto" valign="top" style="${SMALL};${CELL}">${
            qr === null ? '' : picture(qr, alt)
          }<span style="${MONO};font-size:13px">${code}</span>${
            names === '' ? '' : html`<br><span class="mute" style="${MUTED}">${names}</span>`
          }</td>
<td class="ink line" valign="top" align="right" nowrap style="${SMALL};${CELL};padding-left:16px;white-space:nowrap">${
            link === null ? '' : html`<a href="${link}" style="color:#1c1f23;font-weight:600">${openTicket}</a>`
          }</td></tr>`,
        ),
        moreRow(more),
      ]),
    )}`,
  );

const moreRow = (more: string | null) =>
  more === null ? html`` : html`<tr><td colspan="2" class="mute line" style="${MUTED};${CELL}">${more}</td></tr>`;

export const action = ({ label: text, url }: NonNullable<Letter['action']>, colour = BLACK, top = 28) =>
  block(
    html`<table role="presentation" cellpadding="0" cellspacing="0" border="0"><tr><td class="${colour === BLACK ? 'button' : 'accent'}" bgcolor="${colour}" style="background:${colour};border-radius:8px">
<a href="${url}" style="${FONT};display:inline-block;font-size:16px;line-height:20px;font-weight:600;color:#ffffff;text-decoration:none;padding:13px 22px;border:1px solid ${colour};border-radius:8px">${text}</a></td></tr></table>`,
    top,
  );

const calendarLink = ({ label: text, url }: NonNullable<Letter['calendar']>) =>
  block(html`<div class="ink" style="${SMALL}"><a href="${url}" style="color:#1c1f23">${text}</a></div>`, 16);

export function htmlOf(letter: Letter): string {
  const paragraphs = [letter.greeting, ...letter.paragraphs].map(
    (text) => html`<p class="ink" style="${TEXT};margin:0 0 14px 0">${text}</p>`,
  );
  const card = join([
    head(letter),
    block(join(paragraphs), 18),
    letter.quote === null ? html`` : quote(letter.quote),
    letter.payment === null ? html`` : quote(letter.payment),
    event(letter.event),
    facts(letter.facts),
    letter.people === null ? html`` : people(letter.people),
    letter.together === null ? html`` : people(letter.together),
    letter.tickets === null ? html`` : tickets(letter.tickets, letter),
    letter.action === null ? html`` : action(letter.action, letter.accent),
    letter.calendar === null ? html`` : calendarLink(letter.calendar),
    block(html`<p class="ink" style="${TEXT};margin:0">${letter.signOff}<br>${letter.organization}</p>`, 30),
    foot(html`${letter.footer}`),
  ]);
  // Mail programs show the beginning of a mail beside its subject, where the first sentence says more than the organization's name.
  const preview = [letter.title, ...letter.paragraphs].join(' ').slice(0, 140);
  return pageOf({ ...letter, preview }, card);
}

export const head = ({
  organization,
  title,
  logo = null,
}: Pick<Letter, 'organization' | 'title'> & { logo?: string | null }) =>
  join([
    block(
      logo === null
        ? html`<div class="ink" dir="auto" style="${SMALL};font-weight:600">${organization}</div>`
        : html`<img src="cid:${logo}" height="40" alt="${organization}" style="display:block;height:40px;max-width:220px;border:0"/>`,
      34,
    ),
    block(html`<h1 class="ink" style="${TITLE};margin:0">${title}</h1>`, 22),
  ]);

export const foot = (content: Html) =>
  block(html`<div class="mute line" style="${MUTED};${LINE};padding:18px 0 34px 0">${content}</div>`, 30);

/** The page around the content of every mail. `card` holds the rows of its only column. */
export function pageOf(
  { language, subject, preview }: Pick<Letter, 'language' | 'subject'> & { preview: string },
  card: Html,
): string {
  return html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<meta name="format-detection" content="telephone=no,date=no,address=no,email=no">
<title>${subject}</title>
<style>${STYLE}</style>
</head>
<body class="page" style="margin:0;padding:0;background:#eceef0">
<div style="display:none;max-height:0;overflow:hidden">${preview}</div>
${table(
  html`<tr><td class="outer" align="center" style="padding:28px 12px">
<!--[if mso]><table role="presentation" width="600" cellpadding="0" cellspacing="0"><tr><td><![endif]-->
${table(card, new Html(' class="card" bgcolor="#ffffff" style="max-width:600px;background:#ffffff;border-radius:12px"'))}
<!--[if mso]></td></tr></table><![endif]-->
</td></tr>`,
  new Html(' class="page" bgcolor="#eceef0" style="background:#eceef0"'),
)}
</body>
</html>
`.toString();
}

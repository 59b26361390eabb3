import { htmlOf } from './html.ts';
import { colonOf, letterOf, wordsOf } from './letter.ts';
import type { MailData, MailKind, RenderedMail } from './mail.ts';
import { textOf } from './text.ts';

export { MAX_ATTACHED, MAX_ROWS } from './letter.ts';
export { MAIL_KINDS, type MailData, type MailKind, type RenderedMail } from './mail.ts';

/** Renders a mail to one person in the event's language. All text that users typed is escaped, and the subject is one line. */
export function renderMail(kind: MailKind, data: MailData): RenderedMail {
  const letter = letterOf(kind, data);
  return { subject: letter.subject, text: textOf(letter), html: htmlOf(letter) };
}

/** "Registration: K7M2XQ9R4T" in the language and words of the mail. */
export function registrationLine(data: MailData): string {
  const words = wordsOf(data);
  return `${words.t('registration')}${colonOf(words)} ${data.registration.code}`;
}

import { ticketTexts } from '@turnout/words/tickets';
import { normalized } from '../../common/unicode.ts';
import { printableLine } from '../clean.ts';
import { termsOf } from '../terms.ts';
import { drawA4 } from './a4.ts';
import { Canvas } from './canvas.ts';
import { facesFor } from './fonts.ts';
import { peopleTexts } from './parts.ts';
import { drawPhone } from './phone.ts';
import type { TicketFormat, TicketPrint } from './ticket.ts';

/** Prints on the calling thread. Code that serves requests must use index.ts, which prints on another one. */
export const renderTicketPdf = (ticket: TicketPrint, format: TicketFormat): Promise<Buffer> =>
  renderTicketsPdf([ticket], format);

/** How many letters of terms a document repeats. Setting them takes up to half a second of processor time. */
const TERMS_LETTERS = 50_000;

/**
 * Each ticket begins on a page of its own; on A4, long terms may need another page. If so many tickets have so long terms that they
 * would be most of the document, only the first ticket has them. The same tickets give the same bytes. `between` is called
 * before each ticket.
 */
export async function renderTicketsPdf(
  prints: TicketPrint[],
  format: TicketFormat,
  between: () => void = () => {},
): Promise<Buffer> {
  const [first] = prints;
  if (first === undefined) throw new Error('There are no tickets to print.');
  const letters = prints.reduce((sum, { event: { terms } }) => sum + (terms ?? '').length, 0);
  const tickets =
    letters <= TERMS_LETTERS
      ? prints
      : [first, ...prints.slice(1).map((ticket) => ({ ...ticket, event: { ...ticket.event, terms: null } }))];
  const { event, organization } = first;
  const faces = await facesFor(tickets.flatMap(textsOf), event.language);
  const canvas = new Canvas(
    {
      pdfVersion: '1.7',
      lang: event.language,
      displayTitle: true,
      info: {
        Title: printableLine(
          `${event.name} – ${ticketTexts(event.language, termsOf(organization.terminology)).t('ticket')}`,
        ),
        Author: printableLine(organization.name),
        Subject: printableLine(tickets.map((ticket) => ticket.registration_code).join(' ')).slice(0, 500),
        Creator: 'Turnout',
        Producer: 'Turnout',
        CreationDate: new Date(0),
      },
    },
    faces,
  );
  // pdfkit needs a date to make the file's id. It is removed from the file, so that the bytes depend only on the tickets.
  delete canvas.doc.info.CreationDate;
  // pdfkit 0.20 would also write the titles as XML without escaping them: "Fish & Chips" would break the file.
  Object.assign(canvas.doc, { endMetadata: () => {} });
  const chunks: Buffer[] = [];
  const finished = new Promise<void>((resolve, reject) => {
    canvas.doc.on('data', (chunk: Buffer) => chunks.push(chunk));
    canvas.doc.on('end', resolve);
    canvas.doc.on('error', reject);
  });
  for (const ticket of tickets) {
    between();
    (format === 'a4' ? drawA4 : drawPhone)(canvas, ticket);
  }
  canvas.doc.end();
  await finished;
  return Buffer.concat(chunks);
}

function textsOf(ticket: TicketPrint): string[] {
  const { event, organization, days } = ticket;
  const own = Object.values(organization.terminology ?? {});
  const texts = [event.name, event.venue ?? '', event.terms ?? '', organization.name, ...own];
  return [...texts, ...peopleTexts(ticket), ...days.map((day) => day.name)].map((text) => normalized(text, 'NFC'));
}

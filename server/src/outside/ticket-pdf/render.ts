import { normalized } from '../../unicode.ts';
import { printableLine } from '../clean.ts';
import { drawA4 } from './a4.ts';
import { Canvas } from './canvas.ts';
import { facesFor } from './fonts.ts';
import { drawPhone } from './phone.ts';
import type { TicketFormat, TicketPrint } from './ticket.ts';
import { ticketWords } from './words/words.ts';

/** Prints on the calling thread. Code that serves requests must use index.ts, which prints on another one. */
export const renderTicketPdf = (ticket: TicketPrint, format: TicketFormat): Promise<Buffer> =>
  renderTicketsPdf([ticket], format);

/** Each ticket begins on a page of its own; on A4, long terms may need another page. The same tickets give the same bytes. */
export async function renderTicketsPdf(tickets: TicketPrint[], format: TicketFormat): Promise<Buffer> {
  const [first] = tickets;
  if (first === undefined) throw new Error('There are no tickets to print.');
  const { event, organization } = first;
  const faces = await facesFor(tickets.flatMap(textsOf), event.language);
  const canvas = new Canvas(
    {
      pdfVersion: '1.7',
      lang: event.language,
      displayTitle: true,
      info: {
        Title: printableLine(`${event.name} – ${ticketWords(event.language, organization.terminology).ticket}`),
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
  for (const ticket of tickets) (format === 'a4' ? drawA4 : drawPhone)(canvas, ticket);
  canvas.doc.end();
  await finished;
  return Buffer.concat(chunks);
}

function textsOf({ event, organization, people, days }: TicketPrint): string[] {
  const own = Object.values(organization.terminology ?? {});
  const names = people.flatMap(({ name, attendee_type }) => [name, attendee_type]);
  const texts = [event.name, event.venue ?? '', event.terms ?? '', organization.name, ...own, ...names];
  return [...texts, ...days.map((day) => day.name)].map((text) => normalized(text, 'NFC'));
}

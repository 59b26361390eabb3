import { type TicketWords, ticketTexts } from '@turnout/words/tickets';
import { printableLine, printableLines } from '../clean.ts';
import { termsOf } from '../terms.ts';
import { type Canvas, gap, HAIRLINE, type Line, lineHeight, MUTED, type Part, type Style, stack } from './canvas.ts';
import * as parts from './parts.ts';
import { qrOf, quietZone } from './qr.ts';
import type { TicketPrint } from './ticket.ts';

const PAGE = { width: 595.28, height: 841.89 };
const MARGIN = 56;
const WIDTH = PAGE.width - 2 * MARGIN;
const BOTTOM = PAGE.height - MARGIN;
const QR_SIDE = 205;
const LEFT = WIDTH - QR_SIDE - 44;

export function drawA4(canvas: Canvas, ticket: TicketPrint): void {
  const words = ticketTexts(ticket.event.language, termsOf(ticket.organization.terminology));
  newPage(canvas);
  // The band stays inside the margin, because printers cannot print to the edge of the paper.
  if (ticket.test) parts.testBand(canvas, words, WIDTH, 14).draw(MARGIN, 28);
  const head = header(canvas, ticket, words);
  const top = ticket.test ? 86 : MARGIN;
  head.draw(MARGIN, top);
  const y = top + head.height;

  const qr = qrOf(ticket.code);
  const right = stack(
    canvas.qr(qr, QR_SIDE),
    gap(quietZone(qr, QR_SIDE) - 8),
    parts.code(canvas, ticket, 12, QR_SIDE),
    gap(6),
    canvas.text(words.t('hint'), { ...parts.LABEL, leading: 1.45 }, QR_SIDE, { align: 'center' }),
  );
  const left = details(canvas, ticket, words, BOTTOM - y);
  left.draw(MARGIN, y);
  right.draw(MARGIN + WIDTH - QR_SIDE, y + 3);
  terms(canvas, ticket, words, y + Math.max(left.height, right.height + 3));
}

const newPage = (canvas: Canvas) => canvas.doc.addPage({ size: [PAGE.width, PAGE.height], margin: 0 });

function header(canvas: Canvas, ticket: TicketPrint, words: TicketWords): Part {
  const small: Style = { weight: 'strong', size: 10 };
  const organization = canvas.text(printableLine(ticket.organization.name), small, WIDTH * 0.7, { maxLines: 1 });
  const kind = canvas.text(
    printableLine(words.t('ticket')),
    { ...small, weight: 'regular', color: MUTED },
    WIDTH * 0.28,
    {
      maxLines: 1,
      align: 'right',
    },
  );
  return stack(
    { height: 0, draw: (x, y) => kind.draw(x + WIDTH * 0.72, y) },
    organization,
    gap(30),
    parts.heading(canvas, ticket, [34, 30, 26, 22, 18], 12.5, WIDTH),
    gap(28),
    canvas.rule(WIDTH),
    gap(30),
  );
}

/** The attendees, the days and the registration, in the given height. */
function details(canvas: Canvas, ticket: TicketPrint, words: TicketWords, height: number): Part {
  const people = (most: number) => parts.people(canvas, ticket, words, LEFT, most);
  const days = (most: number) => parts.days(canvas, ticket, words, LEFT, most);
  const registration = parts.registration(canvas, ticket, words, LEFT);
  const between = 20;
  // Each of the two labels is about 14 points high.
  const room = height - registration.height - 2 * between - 28;
  const all = [people(Number.POSITIVE_INFINITY), days(Number.POSITIVE_INFINITY)] as const;
  const fits = all[0].height + all[1].height <= room;
  // If both lists do not fit, each of them gets at least half of the room.
  const forDays = Math.max(room / 2, room - all[0].height);
  const shownDays = fits ? all[1] : days(forDays);
  const shownPeople = fits ? all[0] : people(room - Math.min(shownDays.height, forDays));
  const dated = ticket.days.length === 0 ? [] : [shownDays, gap(between)];
  return stack(shownPeople, gap(between), ...dated, registration);
}

const TERMS: Style = { weight: 'regular', size: 8, leading: 1.5, color: '#26292e' };
const COLUMN_GAP = 28;
const COLUMN = (WIDTH - COLUMN_GAP) / 2;

/** Short terms are one column, long ones two. What does not fit continues on another page. */
function terms(canvas: Canvas, ticket: TicketPrint, words: TicketWords, y: number): void {
  const paragraphs = printableLines(ticket.event.terms ?? '');
  if (paragraphs.join('') === '') return;
  const broken = (width: number) => paragraphs.flatMap((paragraph) => canvas.lines(paragraph, TERMS, width));
  const title = stack(
    canvas.rule(WIDTH, HAIRLINE, 0.6),
    gap(16),
    canvas.text(words.t('terms'), parts.LABEL, WIDTH),
    gap(5),
  );
  const step = lineHeight(TERMS);
  const roomAt = (top: number) => Math.max(0, Math.floor((BOTTOM - top - title.height) / step));

  let top = y + 32;
  const short = broken(WIDTH * 0.8);
  if (short.length <= Math.min(8, roomAt(top))) {
    stack(title, canvas.setLines(short, TERMS, WIDTH * 0.8, 'auto')).draw(MARGIN, top);
    return;
  }
  let lines: Line[] = broken(COLUMN);
  // They begin on this page only if a fair part of them fits.
  if (roomAt(top) < Math.min(6, lines.length / 2)) top = nextPage(canvas, ticket, words);
  for (;;) {
    const tall = Math.min(roomAt(top), Math.ceil(lines.length / 2));
    title.draw(MARGIN, top);
    canvas.setLines(lines.slice(0, tall), TERMS, COLUMN, 'auto').draw(MARGIN, top + title.height);
    const second = canvas.setLines(lines.slice(tall, 2 * tall), TERMS, COLUMN, 'auto');
    second.draw(MARGIN + COLUMN + COLUMN_GAP, top + title.height);
    lines = lines.slice(2 * tall);
    if (lines.length === 0) return;
    top = nextPage(canvas, ticket, words);
  }
}

/** The page names its ticket, because printed pages of several tickets get mixed up. Returns the `y` where its text begins. */
function nextPage(canvas: Canvas, ticket: TicketPrint, words: TicketWords): number {
  newPage(canvas);
  const small: Style = { weight: 'regular', size: 9, color: MUTED };
  const reference = `${ticket.test ? `${words.t('test').toUpperCase()} · ` : ''}${words.t('registration')} ${ticket.registration_code}`;
  canvas.text(printableLine(ticket.event.name), small, WIDTH * 0.6, { maxLines: 1 }).draw(MARGIN, MARGIN - 16);
  const right = canvas.text(printableLine(reference), small, WIDTH * 0.38, { maxLines: 1, align: 'right' });
  right.draw(MARGIN + WIDTH * 0.62, MARGIN - 16);
  return MARGIN + 14;
}

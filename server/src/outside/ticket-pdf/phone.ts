import { ticketTexts } from '@turnout/words/tickets';
import { printableLine, printableLines } from '../clean.ts';
import { termsOf } from '../terms.ts';
import { type Canvas, gap, HAIRLINE, type Part, type Style, stack } from './canvas.ts';
import { HIGHEST_LIST } from './lists.ts';
import * as parts from './parts.ts';
import { qrOf, quietZone } from './qr.ts';
import type { TicketPrint } from './ticket.ts';

/** The page is as wide as a phone and as high as its content, because a phone can scroll. */
const PAGE_WIDTH = 360;
const MIN_HEIGHT = 640;
const MARGIN = 28;
const WIDTH = PAGE_WIDTH - 2 * MARGIN;

const TERMS: Style = { weight: 'regular', size: 9, leading: 1.5, color: '#26292e' };

export function drawPhone(canvas: Canvas, ticket: TicketPrint): void {
  const words = ticketTexts(ticket.event.language, termsOf(ticket.organization.terminology));
  const paragraphs = ticket.event.terms === null ? [] : printableLines(ticket.event.terms);
  const qr = qrOf(ticket.code);
  // As large as the page allows with the quiet zone that the standard requires.
  const side = (PAGE_WIDTH * qr.size) / (qr.size + 8) - 12;
  const rule = stack(gap(20), canvas.rule(WIDTH, HAIRLINE, 0.6), gap(20));
  const centred = (part: Part, width: number): Part => ({
    height: part.height,
    draw: (x, y) => part.draw(x + (WIDTH - width) / 2, y),
  });

  const band = ticket.test ? parts.testBand(canvas, words, PAGE_WIDTH, MARGIN) : gap(0);
  const column = stack(
    canvas.text(printableLine(ticket.organization.name), { weight: 'strong', size: 10 }, WIDTH, { maxLines: 1 }),
    gap(12),
    parts.heading(canvas, ticket, [24, 21, 18, 16, 14], 11.5, WIDTH),
    gap(quietZone(qr, side) - 4),
    centred(canvas.qr(qr, side), side),
    gap(quietZone(qr, side) - 8),
    parts.code(canvas, ticket, 14, WIDTH),
    gap(22),
    canvas.rule(WIDTH, HAIRLINE, 0.6),
    gap(18),
    parts.people(canvas, ticket, words, WIDTH, HIGHEST_LIST),
    gap(16),
    ...(ticket.days.length === 0 ? [] : [parts.days(canvas, ticket, words, WIDTH, HIGHEST_LIST), gap(16)]),
    parts.registration(canvas, ticket, words, WIDTH),
    ...(paragraphs.join('') === ''
      ? []
      : [
          rule,
          canvas.text(words.t('terms'), parts.LABEL, WIDTH),
          gap(5),
          ...paragraphs.map((paragraph) => canvas.text(paragraph, TERMS, WIDTH, { align: 'auto' })),
        ]),
  );
  const height = Math.max(MIN_HEIGHT, band.height + 28 + column.height + 36);
  canvas.doc.addPage({ size: [PAGE_WIDTH, height], margin: 0 });
  band.draw(0, 0);
  column.draw(MARGIN, band.height + 28);
}

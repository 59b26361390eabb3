import type { TicketWords } from '@turnout/words/tickets';
import { printableLine, printableName, shortened } from '../clean.ts';
import { capitalized, formatDate, formatEventDates, formatHours } from '../locale.ts';
import { type Canvas, gap, INK, MUTED, PAPER, type Part, type Style, stack } from './canvas.ts';
import { cutItem, type Item, list, MAX_ROWS } from './lists.ts';
import type { TicketPrint } from './ticket.ts';

// The parts that both formats of a ticket are made of.

export const LABEL: Style = { weight: 'regular', size: 8.5, color: MUTED, leading: 1.25 };
const VALUE: Style = { weight: 'strong', size: 11, leading: 1.35 };
const DETAIL: Style = { weight: 'regular', size: 10, color: MUTED, leading: 1.4 };

const labelled = (canvas: Canvas, label: string, width: number, ...parts: Part[]): Part =>
  stack(canvas.text(label, LABEL, width, { maxLines: 1 }), gap(3), ...parts);

/** More attendees or days than this are shown as a list. */
const FEW = 3;

/** The attendees who can be seen on the ticket: all if they are few, otherwise those for whom the longest list has room. */
const peopleIn = ({ people }: TicketPrint): Item[] =>
  people.slice(0, MAX_ROWS).map(({ name, attendee_type }): Item => [printableName(name), printableLine(attendee_type)]);

/** As much of a list of products as two lines can show, whatever it is made of. */
const MAX_PRODUCTS = 200;

/** What the attendees have booked, where there is room for it: on tickets of a few. */
const productsIn = ({ people }: TicketPrint): string[] =>
  people.length > FEW
    ? []
    : people.map(({ products = [] }) => printableLine(shortened(products.join(' · '), MAX_PRODUCTS)));

/** What can be seen of the attendees: what is needed to choose their fonts. */
export const peopleTexts = (ticket: TicketPrint): string[] => [
  ...(ticket.people.length > FEW ? peopleIn(ticket).map(cutItem) : peopleIn(ticket)).flat(),
  ...productsIn(ticket),
];

/** The attendees: one in large type, a few in medium type, more as a list that is at most `height` high. */
export function people(canvas: Canvas, ticket: TicketPrint, words: TicketWords, width: number, height: number): Part {
  const everyone = peopleIn(ticket);
  const label = words.t('people', { count: everyone.length });
  if (everyone.length > FEW) {
    const rows = list(canvas, everyone, ticket.people.length, words, width, height);
    return labelled(canvas, label, width, rows);
  }
  const sizes = everyone.length === 1 ? [22, 19, 16] : [15, 13];
  const products = productsIn(ticket);
  const parts = everyone.flatMap(([name, type], index) => [
    gap(index === 0 ? 0 : 8),
    canvas.fit(name, { weight: 'display', size: 22, leading: 1.16 }, sizes, width, 3),
    gap(2),
    ...(type === '' ? [] : [canvas.text(type, DETAIL, width, { maxLines: 2 })]),
    ...(products[index] === '' ? [] : [canvas.text(products[index]!, DETAIL, width, { maxLines: 2 })]),
  ]);
  return labelled(canvas, label, width, ...parts);
}

export function days(canvas: Canvas, ticket: TicketPrint, words: TicketWords, width: number, height: number): Part {
  const all = ticket.days.slice(0, MAX_ROWS).map((day) => {
    const date = capitalized(printableLine(formatDate(day.date, ticket.event)));
    const name = printableLine(day.name);
    const hours = printableLine(formatHours(day.opens_at, day.closes_at, ticket.event) ?? '');
    // The name of a day without a name of its own is its date.
    return { date, hours, name: name === day.date || name === date ? '' : name };
  });
  if (all.length > FEW) {
    const items = all.map(({ date, name, hours }): Item => [date, hours === '' ? name : hours]);
    return labelled(
      canvas,
      words.t('days', { count: ticket.days.length }),
      width,
      list(canvas, items, ticket.days.length, words, width, height),
    );
  }
  const parts = all.flatMap(({ date, name, hours }, index) => {
    const detail = [hours, name].filter((text) => text !== '').join(' · ');
    return [
      gap(index === 0 ? 0 : 5),
      canvas.text(date, VALUE, width, { maxLines: 2 }),
      ...(detail === '' ? [] : [canvas.text(detail, DETAIL, width, { maxLines: 2 })]),
    ];
  });
  return labelled(canvas, words.t('days', { count: ticket.days.length }), width, ...parts);
}

export const registration = (canvas: Canvas, ticket: TicketPrint, words: TicketWords, width: number): Part =>
  labelled(
    canvas,
    words.t('registration'),
    width,
    canvas.text(printableLine(ticket.registration_code), VALUE, width, { maxLines: 1 }),
  );

/** The event's name, dates and venue. */
export function heading(canvas: Canvas, ticket: TicketPrint, sizes: number[], body: number, width: number): Part {
  const dates = formatEventDates(ticket.event);
  const title: Style = { weight: 'display', size: sizes[0] ?? body, leading: 1.14 };
  const line = (text: string, color: string) =>
    canvas.text(printableLine(text), { weight: 'regular', size: body, leading: 1.45, color }, width, { maxLines: 2 });
  return stack(
    canvas.fit(printableLine(ticket.event.name), title, sizes, width, 4),
    gap(body * 0.7),
    ...(dates === null ? [] : [line(capitalized(dates), INK)]),
    ...(ticket.event.venue === null ? [] : [line(ticket.event.venue, MUTED)]),
  );
}

/**
 * The code in groups of four, to be typed in if the QR code cannot be scanned. Digits have one width and zeros are slashed, so
 * that 0 and O or 1 and I are not confused.
 */
export function code(canvas: Canvas, ticket: TicketPrint, size: number, width: number): Part {
  const groups = ticket.code.match(/.{1,4}/g) ?? [];
  const perLine = groups.length > 4 ? Math.ceil(groups.length / 2) : groups.length;
  const lines = [groups.slice(0, perLine), groups.slice(perLine)]
    .filter((line) => line.length > 0)
    .map((line) => ({ text: line.join(' '), rtl: false }));
  const style: Style = {
    weight: 'strong',
    size,
    leading: 1.5,
    features: ['tnum', 'zero', 'ss02', 'kern'],
    tracking: 0.6,
  };
  const widest = Math.max(...lines.map((line) => canvas.width(line.text, style)));
  const fitted = widest <= width ? style : { ...style, size: (size * width) / widest, tracking: 0.3 };
  return canvas.setLines(lines, fitted, width, 'center');
}

/** White on black, so that nobody takes a test ticket for a real one, even on a black-and-white print. */
export function testBand(canvas: Canvas, words: TicketWords, width: number, inset: number): Part {
  const height = 30;
  const mark: Style = { weight: 'strong', size: 13, color: PAPER, tracking: 2 };
  const note: Style = { weight: 'regular', size: 10, color: PAPER };
  return {
    height,
    draw: (x, y) => {
      canvas.doc.rect(x, y, width, height).fill(INK);
      const end = canvas.line(words.t('test').toUpperCase(), mark, x + inset, y + height / 2 + mark.size * 0.364);
      canvas.line(words.t('testNote'), note, end + 10, y + height / 2 + mark.size * 0.364);
    },
  };
}

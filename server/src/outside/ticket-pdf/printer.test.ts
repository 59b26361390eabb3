import { expect, test } from 'vitest';
import { longestStall } from '../../../../test/support/stall.ts';
import { PrintedTooLong, Printer } from './printer.ts';
import { renderTicketPdf } from './render.ts';
import { crowded, sample } from './ticket-pdf.support.ts';

const printer = new Printer();
const long = {
  ...sample,
  people: Array.from({ length: 200 }, () => ({ name: 'محمد عبد الرحمن '.repeat(24), attendee_type: 'Adult' })),
};

test('prints the same as printing on this thread', async () => {
  expect(await printer.print({ tickets: [crowded], format: 'a4' }, 'acme')).toEqual(
    await renderTicketPdf(crowded, 'a4'),
  );
});

test('other work goes on meanwhile; the control: if printed on this thread, it waits', async () => {
  const there = await longestStall(() => printer.print({ tickets: [long], format: 'a4' }, 'acme'));
  const here = await longestStall(() => renderTicketPdf(long, 'a4'));
  expect(there).toBeLessThan(here / 2);
});

test('an organization with many orders delays another only by the order that is being printed', async () => {
  const order: string[] = [];
  const print = async (whose: string) => {
    await printer.print({ tickets: [sample], format: 'a4' }, whose);
    order.push(whose);
  };
  await Promise.all([...Array.from({ length: 6 }, () => print('many')), print('one')]);
  expect(order.indexOf('one')).toBe(1);
});

test('an organization with too many waiting orders is refused, others are not', async () => {
  const many = Array.from({ length: 60 }, () => printer.print({ tickets: [sample], format: 'phone' }, 'many'));
  const one = printer.print({ tickets: [sample], format: 'phone' }, 'one');
  const ends = await Promise.allSettled(many);
  const refused = ends.filter((end) => end.status === 'rejected').map((end) => end.reason.code);
  // One is being printed, fifty wait.
  expect(refused).toEqual(Array(9).fill('unavailable'));
  expect((await one).subarray(0, 5).toString()).toBe('%PDF-');
});

test('an order that takes too long is refused, its thread is replaced, and the next order is printed', async () => {
  const slow = new Printer({ limit: 2_000, thread: new URL('./endless-thread.support.ts', import.meta.url) });
  const endless = slow.print({ tickets: [{ ...sample, code: 'ENDLESS' }], format: 'a4' }, 'acme');
  const next = slow.print({ tickets: [sample], format: 'a4' }, 'other');
  await expect(endless).rejects.toMatchObject({ code: 'unavailable', message: expect.stringContaining('too long') });
  await expect(endless).rejects.toBeInstanceOf(PrintedTooLong);
  expect((await next).toString()).toBe('printed');
});

test('an order that has used its processor time is stopped before its next ticket, and the thread goes on', async () => {
  const strict = new Printer({ processorLimit: 1 });
  const print = (tickets: number) =>
    strict.print({ tickets: Array.from({ length: tickets }, () => sample), format: 'a4' }, 'acme');
  await expect(print(100)).rejects.toBeInstanceOf(PrintedTooLong);
  await expect(print(100)).rejects.toBeInstanceOf(PrintedTooLong);
  await expect(strict.print({ tickets: [], format: 'a4' }, 'acme')).rejects.toThrow('no tickets to print');
});

test('a ticket that cannot be printed fails alone, and a thread that ends is replaced', async () => {
  await expect(printer.print({ tickets: [], format: 'a4' }, 'acme')).rejects.toThrow('no tickets to print');
  const broken = { tickets: [{ ...sample, code: null as unknown as string }], format: 'a4' as const };
  await expect(printer.print(broken, 'acme')).rejects.toThrow();
  expect((await printer.print({ tickets: [sample], format: 'phone' }, 'acme')).subarray(0, 5).toString()).toBe('%PDF-');
});

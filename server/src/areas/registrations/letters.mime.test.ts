import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { leaf, type Part, Receiver } from '../../../../test/support/mail-receiver.ts';
import { startTest, type TestTurnout } from '../../../../test/support/turnout.ts';
import { people, yearEvent } from '../../../../test/support/year-event.ts';
import { PrintedTooLong, Printer } from '../../outside/ticket-pdf/printer.ts';
import { textOf as pdfTextOf, readQr } from '../../outside/ticket-pdf/ticket-pdf.support.ts';

/** The mails as a mail program gets them: parsed from what was sent over SMTP. */
const receiver = new Receiver();
let t: TestTurnout;
let key: string;
beforeAll(async () => {
  await receiver.start();
  t = await startTest({ env: { SMTP_URL: receiver.url } });
  await t.org('acme');
  await t.plan('acme', 'scale', [['api_rate_per_min', '1000000']]);
  key = (await t.key('acme')).secret;
  const venue = 'Boathouse, Lake Road 1; left of the jetty';
  await post('/events', { code: 'fair', name: 'Lakeside Fair', timezone: 'Europe/Berlin', language: 'de', venue });
  await post('/events/fair/days', { code: 'sat', date: '2055-06-12' });
  const hours = { opens_at: '2055-06-13T08:00:00Z', closes_at: '2055-06-13T16:00:00Z' };
  await post('/events/fair/days', { code: 'sun', name: 'Familientag', date: '2055-06-13', ...hours });
  await post('/events/fair/attendee-types', { code: 'adult', name: 'Erwachsene' });
  await post('/events/fair/publish');
});
afterAll(async () => {
  await t.stop();
  await receiver.stop();
});
beforeEach(() => receiver.clear());

async function post(path: string, body?: unknown) {
  const reply = await t.call('POST', `/v1${path}`, { key, body });
  expect(reply.status, reply.text).toBeLessThan(300);
  return reply.body;
}
const person = (n: number, more: object = {}) => ({
  attendee_type: 'adult',
  first_name: 'Ada',
  last_name: `Guest${n}`,
  days: ['sat', 'sun'],
  ...more,
});
async function mailsTo(address: string): Promise<Part[]> {
  while ((await t.step.mails()) > 0);
  return receiver.received.filter((one) => one.to.includes(address)).map((one) => one.mail);
}
const leaves = (part: Part): Part[] => (part.parts.length === 0 ? [part] : part.parts.flatMap(leaves));
const ofType = (mail: Part, type: string) =>
  leaves(mail).filter((part) => part.headers.get('content-type')!.startsWith(type));
const calendar = (mail: Part) => {
  const part = leaf(mail, 'text/calendar');
  const lines = part.text.replaceAll('\r\n ', '').split('\r\n');
  const values = (name: string) =>
    lines.filter((line) => line.split(/[:;]/)[0] === name).map((line) => line.slice(name.length + 1));
  return { type: part.headers.get('content-type')!, values };
};

test('dates are written as on the ticket, in the language and time zone of the event', async () => {
  await post('/events/fair/registrations', { attendees: [person(1, { email: 'ada@example.org' })] });
  const [mail] = await mailsTo('ada@example.org');
  for (const part of [leaf(mail!, 'text/plain'), leaf(mail!, 'text/html')]) {
    expect(part.text).toContain('Sa., 12. Juni 2055');
    expect(part.text).toContain('So., 13. Juni 2055, 10:00 – 18:00 (Familientag)');
    expect(part.text).toContain('Sa., 12. – So., 13. Juni 2055'); // the event, from its days
    expect(part.text).not.toContain('2055-06');
  }
});

test('the QR code of each ticket is in the mail as a picture that a scanner reads, with the code beneath', async () => {
  const made = await post('/events/fair/registrations', {
    attendees: [person(2, { email: 'ada@example.org' }), person(3)],
  });
  const [mail] = await mailsTo('ada@example.org');
  const html = leaf(mail!, 'text/html').text;
  const shown = [...html.matchAll(/<img src="cid:([^"]+)"/g)].map((match) => match[1]!);
  const codes: string[] = made.attendees.map((one: { tickets: { code: string }[] }) => one.tickets[0]!.code);
  expect(shown).toHaveLength(2);
  for (const cid of shown) {
    const picture = ofType(mail!, 'image/png').find((part) => part.headers.get('content-id') === `<${cid}>`)!;
    expect(picture.headers.get('content-disposition')).toMatch(/^inline/);
    const [read] = await readQr(picture.body);
    expect(codes).toContain(read!.text);
    const grouped = read!.text.match(/.{1,4}/g)!.join(' ');
    expect(html.slice(html.indexOf(cid))).toContain(grouped);
  }
  const all = await Promise.all(ofType(mail!, 'image/png').map(async (part) => (await readQr(part.body))[0]!.text));
  expect(all.toSorted()).toEqual(codes.toSorted());
  expect(ofType(mail!, 'application/pdf')).toHaveLength(1);
});

test('a calendar file has the days, and the mail about a cancellation removes them', async () => {
  const made = await post('/events/fair/registrations', {
    attendees: [person(4, { email: 'ada@example.org' }), person(5, { email: 'bob@example.org', days: ['sun'] })],
  });
  const [mail] = await mailsTo('ada@example.org');
  const first = calendar(mail!);
  expect(first.type).toMatch(/^text\/calendar; charset=utf-8; method=PUBLISH; name="?fair-\w+\.ics/);
  expect(first.values('METHOD')).toEqual(['PUBLISH']);
  expect(first.values('DTSTART')).toEqual(['VALUE=DATE:20550612', '20550613T080000Z']);
  expect(first.values('DTEND')).toEqual(['VALUE=DATE:20550613', '20550613T160000Z']);
  expect(first.values('SUMMARY')).toEqual(['Lakeside Fair', 'Lakeside Fair: Familientag']);
  expect(first.values('LOCATION')).toEqual(Array(2).fill('Boathouse\\, Lake Road 1\\; left of the jetty'));
  expect(first.values('DESCRIPTION')).toEqual(Array(2).fill(`Anmeldung: ${made.code}`));
  const [bobs] = (await mailsTo('bob@example.org')).map(calendar);
  expect(bobs!.values('SUMMARY')).toEqual(['Lakeside Fair: Familientag']);
  expect(first.values('UID')).not.toContain(bobs!.values('UID')[0]);

  t.clock.advance(60_000);
  receiver.clear();
  await post(`/events/fair/registrations/${made.id}/cancel`, {});
  const [cancelled] = (await mailsTo('ada@example.org')).map(calendar);
  expect(cancelled!.values('METHOD')).toEqual(['CANCEL']);
  expect(cancelled!.values('STATUS')).toEqual(['CANCELLED', 'CANCELLED']);
  expect(cancelled!.values('UID')).toEqual(first.values('UID'));
  expect(Number(cancelled!.values('SEQUENCE')[0])).toBeGreaterThan(Number(first.values('SEQUENCE')[0]));
});

/** How many pages each PDF of a mail has. */
const pdfsOf = (mail: Part) =>
  ofType(mail, 'application/pdf').map(({ body }) => (pdfTextOf(body).match(/\f/g) ?? []).length);

test('a mail brings the first two hundred tickets in documents of a hundred, and says where the others are', async () => {
  const days = await yearEvent(t, key, 'many', { days: 2 });
  await post('/events/many/registrations', { attendees: people(101, days), contact: { email: 'lots@example.org' } });
  const [mail] = await mailsTo('lots@example.org');
  expect(leaf(mail!, 'text/plain').text).toContain('The first 200 of your 202 tickets');
  expect(pdfsOf(mail!)).toEqual([100, 100]);
});

test('a mail whose tickets take too long to print goes without them, and says where they are', async () => {
  const printing = vi.spyOn(Printer.prototype, 'print').mockRejectedValue(new PrintedTooLong());
  await post('/events/fair/registrations', { attendees: [person(1)], contact: { email: 'slow@example.org' } });
  const [mail] = await mailsTo('slow@example.org').finally(() => printing.mockRestore());
  expect(pdfsOf(mail!)).toEqual([]);
  const { text } = leaf(mail!, 'text/plain');
  expect(text).toContain('Ihr Ticket finden Sie online');
  expect(text).not.toContain('Anhang');
  expect(ofType(mail!, 'image/png')).toHaveLength(1);
});

test('a mail with two hundred tickets shows forty QR codes, and the PDF has all of them', async () => {
  const attendees = Array.from({ length: 200 }, (_, n) => person(100 + n));
  await post('/events/fair/registrations', { attendees, contact: { first_name: 'Ada', email: 'many@example.org' } });
  const [mail] = await mailsTo('many@example.org');
  const html = leaf(mail!, 'text/html').text;
  expect(Buffer.byteLength(html)).toBeLessThan(102_000);
  expect(html.match(/<img /g)).toHaveLength(40);
  const pictures = ofType(mail!, 'image/png');
  expect(pictures).toHaveLength(40);
  for (const { body } of pictures) expect(body.length).toBeLessThan(2000);
  expect(ofType(mail!, 'text/calendar')).toHaveLength(1);
});

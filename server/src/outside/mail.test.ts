import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { leaf, parse, Receiver } from '../../../test/support/mail-receiver.ts';
import { startTest, type TestTurnout } from '../../../test/support/turnout.ts';
import { fileTransport, type MailTransport, type OutgoingMail, smtpTransport } from './mail.ts';

/** Whatever people and organizers type appears in a mail's headers only as harmless text. */
const HOSTILE = {
  'line breaks': 'Eve\r\nBcc: spy@evil.example\r\n\r\n<b>Another body</b>',
  'other line breaks': 'Eve\u2028Bcc: spy@evil.example\u0085X: y\u000bZ: z',
  'an address of the web': 'Win http://evil.example/prize?a=1 now',
  'one that is written without its scheme': 'Win www.evil.example/prize or evil.example',
  'an address of another scheme': 'Call FTP://evil.example and x-evil+a.b://evil.example',
  'another address': 'ceo@evil.example',
  'another recipient': 'Eve" <spy@evil.example>, "Ada',
  'an encoded word': '=?utf-8?B?V2luIGh0dHA6Ly9ldmlsLmV4YW1wbGU=?=',
  'an encoded word in an encoded word': '==??utf-8?Q?=0D=0ABcc=3A_spy=40evil.example?==?=',
  'marks that turn the direction': 'Ada \u202egnp.elpmaxe.live\u202c \u2066x\u2069',
  'a comment': 'Eve (spy@evil.example) \\',
} as const;
const plain: OutgoingMail = {
  id: '01JCQ8Z7M4T3V9R1X5K2N6P8DA',
  to: 'ada@example.org',
  toName: 'Ada',
  subject: 'Hello',
  text: 'Hello Ada',
  html: null,
  attachments: [],
};

let receiver: Receiver;
let smtp: MailTransport;
let folder: string;
beforeAll(async () => {
  receiver = await new Receiver().start();
  smtp = smtpTransport(receiver.url, 'Turnout <no-reply@example.org>');
  folder = mkdtempSync(join(tmpdir(), 'turnout-mails-'));
});
afterAll(async () => {
  smtp.close();
  await receiver.stop();
  rmSync(folder, { recursive: true, force: true });
});
beforeEach(() => receiver.clear());

/** The mail as a mail server gets it, and as a file. */
async function headersOf(mail: Partial<OutgoingMail>) {
  await smtp.send({ ...plain, ...mail });
  const [got] = receiver.received.splice(0);
  await fileTransport(folder, 'Turnout <no-reply@example.org>').send({ ...plain, ...mail });
  const raw = readFileSync(join(folder, `${plain.id}.eml`));
  return [
    { to: got!.to, raw: got!.raw, mail: got!.mail },
    { to: ['ada@example.org'], raw: raw.toString('latin1'), mail: parse(raw) },
  ];
}
const HEADERS = [
  'content-transfer-encoding',
  'content-type',
  'date',
  'from',
  'message-id',
  'mime-version',
  'subject',
  'to',
];

/** Requires that there is nothing that a program would follow, decode or take for a second header. */
function expectHarmless(text: string): void {
  expect(text).not.toMatch(/:\/\/|=\?|\?=/);
  expect(text).not.toMatch(/[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u);
  expect(text).not.toMatch(/[\p{L}\p{N}][.@]\p{L}{2}/u);
}

describe.each(Object.entries(HOSTILE))('%s', (_what, text) => {
  test('in a name', async () => {
    for (const { to, raw, mail } of await headersOf({ toName: text })) {
      expect(to).toEqual(['ada@example.org']);
      expect([...mail.headers.keys()].sort()).toEqual(HEADERS);
      const [, name, address] = /^(.*) <([^<>]*)>$/.exec(mail.headers.get('to')!)!;
      expect(address).toBe('ada@example.org');
      expectHarmless(name!);
      expect(name!.replace(/^"(.*)"$/, '$1')).not.toMatch(/[<>"\\]/);
      expect(raw.match(/ada@example\.org/g)).toHaveLength(1);
    }
  });

  test('in the name of a sender', async () => {
    for (const { raw, mail } of await headersOf({ fromName: text })) {
      expect([...mail.headers.keys()].sort()).toEqual(HEADERS);
      const [, name, address] = /^(.*) <([^<>]*)>$/.exec(mail.headers.get('from')!)!;
      expect(address).toBe('no-reply@example.org');
      expectHarmless(name!);
      expect(name!.replace(/^"(.*)"$/, '$1')).not.toMatch(/[<>"\\]/);
      expect(raw).not.toMatch(/^bcc:/im);
    }
  });

  test('in a subject', async () => {
    for (const { raw, mail } of await headersOf({ subject: text })) {
      expect([...mail.headers.keys()].sort()).toEqual(HEADERS);
      expectHarmless(mail.headers.get('subject')!);
      expect(mail.text.trim()).toBe('Hello Ada');
      expect(raw).not.toMatch(/^bcc:/im);
    }
  });

  test('in a file name and in other headers', async () => {
    const attachments = [{ filename: `${text}.pdf`, contentType: 'application/pdf', base64: 'AAAA' }];
    for (const { raw, mail } of await headersOf({
      attachments,
      headers: { 'List-Unsubscribe': `<https://example.org/${text}>` },
    })) {
      expect([...mail.headers.keys()].sort()).toEqual(
        [...HEADERS, 'list-unsubscribe'].filter((one) => one !== 'content-transfer-encoding').sort(),
      );
      const file = leaf(mail, 'application/pdf').headers;
      expect([...file.keys()].sort()).toEqual(['content-disposition', 'content-transfer-encoding', 'content-type']);
      for (const value of [file.get('content-disposition')!, file.get('content-type')!]) {
        expect(decodeURIComponent(value)).not.toMatch(/:\/\/|=\?|[\p{Cc}\u202e<>\\]/u);
      }
      expect(raw).not.toMatch(/^bcc:/im);
    }
  });
});

test('a mail goes out under the name of an organization, from the address of the installation', async () => {
  const fromOf = async (fromName: string | null) =>
    (await headersOf({ fromName })).map(({ mail }) => mail.headers.get('from')!.replaceAll('"', ''));
  const both = (from: string) => [from, from];
  expect(await fromOf('Harbour Club')).toEqual(both('Harbour Club <no-reply@example.org>'));
  expect(await fromOf('Müller & Söhne, "Hafen"')).toEqual(both("Müller & Söhne, 'Hafen' <no-reply@example.org>"));
  // Nothing is left of these, so the installation keeps its own name.
  for (const name of [null, '', ' \r\n', '<>'])
    expect(await fromOf(name)).toEqual(both('Turnout <no-reply@example.org>'));
});

test('harmless texts stay unchanged', async () => {
  const name = 'Zoë O’Brien-Łukasiewicz, B.A. 王小明';
  const subject = 'Große Gala 2.0: 9.30 Uhr, St. Gallen & "Friends" = ❤ (50% off?)';
  for (const { mail } of await headersOf({ toName: name, subject })) {
    expect(mail.headers.get('to')!.replaceAll('"', '')).toBe(`${name} <ada@example.org>`);
    expect(mail.headers.get('subject')).toBe(subject);
  }
});

test.each([
  'not an address',
  'a@b.example\r\nRCPT TO:<spy@evil.example>',
  'a@b.example, spy@evil.example',
  '<spy@evil.example>',
  'a@b@c.example',
])('nothing is sent to %j', async (to) => {
  await expect(smtp.send({ ...plain, to })).rejects.toThrow('not a valid e-mail address');
  expect(receiver.arrived).toBe(0);
});

describe('through the API', () => {
  let t: TestTurnout;
  let key: string;
  beforeAll(async () => {
    t = await startTest({ env: { SMTP_URL: receiver.url } });
    await t.org('acme');
    await t.plan('acme', 'scale', [['api_rate_per_min', '1000000']]);
    key = (await t.key('acme')).secret;
  });
  afterAll(async () => {
    t.mail.close();
    await t.stop();
  });
  const post = (path: string, body?: object) => t.call('POST', `/v1${path}`, { key, body });

  test('the names of an attendee and of an event do not become links', async () => {
    await post('/events', { code: 'e', name: 'Fair =?utf-8?Q?=0ABcc?= http://evil.example \u202e' });
    await post('/events/e/days', { code: 'd1', name: 'Day', date: '2055-12-01' });
    await post('/events/e/attendee-types', { code: 'adult', name: 'Adult' });
    await post('/events/e/publish');
    const made = await post('/events/e/registrations', {
      attendees: [
        { attendee_type: 'adult', first_name: 'Win http://evil.example', last_name: 'Now', email: 'ada@example.org' },
      ],
    });
    expect(made.status, made.text).toBe(201);
    const draft = await post('/events/e/communications', {
      subject: 'Dear {{first_name}}, https://evil.example',
      text: 'Hello',
    });
    await post(`/events/e/communications/${draft.body.id}/send`, {});
    await t.step.jobs();
    while ((await t.step.mails()) > 0);
    expect(receiver.received).toHaveLength(2);
    for (const { to, mail } of receiver.received) {
      expect(to).toEqual(['ada@example.org']);
      expect(mail.headers.get('from')).toBe('acme events <no-reply@localhost>');
      expect(mail.headers.has('bcc')).toBe(false);
      expectHarmless(mail.headers.get('subject')!);
    }
    // The mail about the registration greets nobody whose name is none; the organizer's own message names whom it is for.
    expect(receiver.received.map(({ mail }) => mail.headers.get('to')).sort()).toEqual([
      'Win evil example Now <ada@example.org>',
      'ada@example.org',
    ]);
  });
});

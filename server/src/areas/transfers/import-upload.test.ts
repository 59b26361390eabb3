import { randomUUID } from 'node:crypto';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { IMPORT_FILE_LIMIT } from '@turnout/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isNight } from '../../../../test/support/night.ts';
import { RawClient } from '../../../../test/support/raw.ts';
import type { Reply } from '../../../../test/support/turnout.ts';
import { type Importing, openImporting } from './import.support.ts';

let x: Importing;
let event: string;
const usualFolder = process.env.TMPDIR;
beforeAll(async () => {
  process.env.TMPDIR = mkdtempSync(join(tmpdir(), 'turnout-spool-')); // so that no uploads of others are there
  x = await openImporting();
  event = await x.event();
});
afterAll(async () => {
  await x.t.stop();
  rmSync(process.env.TMPDIR!, { recursive: true });
  if (usualFolder === undefined) delete process.env.TMPDIR;
  else process.env.TMPDIR = usualFolder;
});

const HEAD = 'First name,Last name,Type,Day,Date of birth\n';
const ADA = `${HEAD}Ada,Lovelace,adult,fri,05.04.1990\n`;
const spooled = () => readdirSync(tmpdir()).filter((name) => name.startsWith('turnout-upload-'));

async function upload(
  body: BodyInit,
  {
    query = '',
    type,
    key = randomUUID(),
    to = `/events/${event}/imports`,
  }: Partial<Record<'query' | 'type' | 'key' | 'to', string>> = {},
) {
  const response = await fetch(`${x.t.url}/v1${to}${query}`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${x.key}`,
      'idempotency-key': key,
      ...(type !== undefined && { 'content-type': type }),
    },
    body,
  });
  return {
    status: response.status,
    replayed: response.headers.get('idempotent-replayed'),
    body: await response.json(),
  };
}
const asFile = (bytes: BodyInit, query = '', key?: string) =>
  upload(bytes, { type: 'text/csv', query, ...(key !== undefined && { key }) });

/** The boundary is a new one each time. */
function form(parts: [string, string | Blob][]): FormData {
  const data = new FormData();
  for (const [name, part] of parts) {
    if (typeof part === 'string') data.append(name, part);
    else data.append(name, part, 'people.csv');
  }
  return data;
}
const file = (text: string | Uint8Array<ArrayBuffer>) => new Blob([text], { type: 'text/csv' });

describe('text/csv', () => {
  test('is the file, with its options in the query', async () => {
    const mapping = encodeURIComponent(JSON.stringify({ Nr: 'external_id' }));
    const text = 'Vorname;Nachname;Typ;Tag;Nr;Geburtsdatum\nJürgen;Groß;adult;fri;9;04/05/1990\n';
    const bytes = Buffer.from(text, 'latin1');
    const preview = await asFile(bytes, `?preview=true&date_order=mdy&mapping=${mapping}`);
    expect([preview.status, preview.body.counts.created]).toEqual([201, 1]);
    expect((await x.people(event)).some((one) => one.last_name === 'Groß')).toBe(false);
    const real = await asFile(bytes, `?date_order=mdy&mapping=${mapping}`);
    expect(real.body.counts.created).toBe(1);
    expect((await x.people(event)).find((one) => one.last_name === 'Groß')).toMatchObject({
      first_name: 'Jürgen',
      external_id: '9',
      date_of_birth: '1990-04-05',
    });
  });

  test.each([
    ['?preview=maybe', 'preview'],
    ['?mapping=%7B', 'mapping must be JSON'],
    ['?mapping=%7B%22Email%22%3A%22shoe%22%7D', 'mapping/Email'],
    ['?nothing=1', 'is not a field of this operation'],
  ])('400 validation_failed: %s', async (query, words) => {
    const reply = await asFile(ADA, query);
    expect([reply.status, reply.body.error.code]).toEqual([400, 'validation_failed']);
    const { message, details } = reply.body.error;
    expect(
      JSON.stringify([
        message,
        details,
        details.map((one: { path: string; message: string }) => `${one.path} ${one.message}`),
      ]),
    ).toContain(words);
  });

  test('faults of the options, of the file and of both together are told at once', async () => {
    const faults = async (reply: Pick<Reply, 'status' | 'body'>) => {
      expect([reply.status, reply.body.error.code]).toEqual([400, 'validation_failed']);
      return reply.body.error.details
        .map((one: { path: string; message: string }) => `${one.path}: ${one.message}`)
        .sort();
    };
    const wrong = '?preview=maybe&nothing=1&date_order=dym';
    const ofOptions = [
      'date_order: must be one of: dmy, mdy, ymd',
      'nothing: is not a field of this operation',
      'preview: must be true or false',
    ];
    const withMapping = (mapping: unknown) => `${wrong}&mapping=${encodeURIComponent(JSON.stringify(mapping))}`;
    expect(await faults(await asFile(ADA, `${wrong}&mapping=%7B`))).toEqual(
      [...ofOptions, 'mapping: must be JSON'].sort(),
    );
    expect(await faults(await asFile('Email,E-Mail\n', withMapping({ Nope: 'email' })))).toEqual([
      expect.stringMatching(/^csv: .*"Email" and "E-Mail" mean the same/),
      ofOptions[0],
      'mapping/Nope: is not a heading of the file',
      ...ofOptions.slice(1),
    ]);
    expect(await faults(await asFile('\n', withMapping({ Email: 'shoe' })))).toEqual([
      expect.stringMatching(/^csv: is empty/),
      ofOptions[0],
      expect.stringMatching(/^mapping\/Email: must be one of/),
      ...ofOptions.slice(1),
    ]);
    const inJson = { csv: ADA, preview: 'maybe', mapping: { Nope: 'email' } };
    expect(await faults(await x.post(`/events/${event}/imports`, inJson))).toEqual([
      'mapping/Nope: is not a heading of the file',
      'preview: must be true or false',
    ]);
    // The beginning of this large file ends in the middle of a letter, which must not change how its headings are read.
    const large = `Prénom,Nom\n${'é'.repeat(600_000)},x\n`;
    expect(await faults(await asFile(large, withMapping({ Prénom: 'first_name' })))).toEqual(ofOptions);
  });

  test('a retry gets the first answer; another file under the same key is 422', async () => {
    const fair = await x.event();
    const send = (text: string) => upload(text, { type: 'text/csv', key: 'once', to: `/events/${fair}/imports` });
    const first = await send(ADA);
    const again = await send(ADA);
    expect(again).toEqual({ ...first, replayed: 'true' });
    expect(await x.people(fair)).toHaveLength(1);
    const other = await send(ADA.replace('Ada', 'Eve'));
    expect([other.status, other.body.error.code]).toEqual([422, 'idempotency_key_reused']);
  });

  test('415 for operations that take no file', async () => {
    const reply = await upload(ADA, { type: 'text/csv', to: `/events/${event}/registrations` });
    expect([reply.status, reply.body.error.code]).toEqual([415, 'unsupported_media_type']);
    const xml = await upload('<a/>', { type: 'application/xml' });
    expect([xml.status, xml.body.error.code]).toEqual([415, 'unsupported_media_type']);
  });
});

describe('multipart/form-data', () => {
  test('has the file in one part and the options in others', async () => {
    const fair = await x.event();
    const to = `/events/${fair}/imports`;
    const preview = await upload(
      form([
        ['preview', 'true'],
        ['file', file(ADA)],
      ]),
      { to },
    );
    expect([preview.status, preview.body.counts.created]).toEqual([201, 1]);
    expect(await x.people(fair)).toHaveLength(0);
    const real = await upload(
      form([
        ['upload', file(ADA)],
        ['date_order', 'mdy'],
      ]),
      { to },
    );
    expect(real.body.counts.created).toBe(1);
    expect(await x.people(fair)).toMatchObject([{ date_of_birth: '1990-05-04' }]);
  });

  test('a retry is recognized by its parts, not by its boundary', async () => {
    const fair = await x.event();
    const send = (parts: [string, string | Blob][]) =>
      upload(form(parts), { key: 'form', to: `/events/${fair}/imports` });
    const first = await send([
      ['preview', 'false'],
      ['date_order', 'dmy'],
      ['file', file(ADA)],
    ]);
    const again = await send([
      ['file', file(ADA)],
      ['date_order', 'dmy'],
      ['preview', 'false'],
    ]);
    expect(again).toEqual({ ...first, replayed: 'true' });
    for (const parts of [
      [
        ['preview', 'true'],
        ['date_order', 'dmy'],
        ['file', file(ADA)],
      ],
      [
        ['preview', 'false'],
        ['date_order', 'dmy'],
        ['file', file(ADA.replace('Ada', 'Eve'))],
      ],
    ] satisfies [string, string | Blob][][]) {
      const other = await send(parts);
      expect([other.status, other.body.error.code]).toEqual([422, 'idempotency_key_reused']);
    }
    expect(await x.people(fair)).toHaveLength(1);
  });

  test.each([
    ['no file', form([['preview', 'true']]), 'a part with the file'],
    [
      'two files',
      form([
        ['a', file(ADA)],
        ['b', file(ADA)],
      ]),
      'second file',
    ],
    [
      'a field twice',
      form([
        ['preview', 'true'],
        ['preview', 'true'],
        ['file', file(ADA)],
      ]),
      'was sent twice',
    ],
    [
      'a field that is none',
      form([
        ['colour', 'red'],
        ['file', file(ADA)],
      ]),
      'is not a field of this operation',
    ],
  ])('400 validation_failed: %s', async (_name, body, words) => {
    const reply = await upload(body);
    expect([reply.status, reply.body.error.code]).toEqual([400, 'validation_failed']);
    expect(JSON.stringify(reply.body.error.details)).toContain(words);
  });

  test('characters of the file name that cannot be stored are left out', async () => {
    const body = [
      '--b\r\nContent-Disposition: form-data; name="file"; filename*=UTF-8\'\'a%00b.csv\r\n\r\n',
      `${HEAD}${'Ada,Lovelace,adult,fri,\n'.repeat(501)}\r\n--b--\r\n`,
    ].join('');
    const reply = await upload(body, { type: 'multipart/form-data; boundary=b' });
    expect(reply.status).toBe(202);
    await x.post(`/jobs/${reply.body.id}/cancel`);
  });

  test('400 validation_failed: a form that is cut short, or has no boundary', async () => {
    const cut = await upload('--b\r\nContent-Disposition: form-data; name="file"; filename="f"\r\n\r\nEmail\n', {
      type: 'multipart/form-data; boundary=b',
    });
    expect([cut.status, cut.body.error.code]).toEqual([400, 'validation_failed']);
    const none = await upload('x', { type: 'multipart/form-data' });
    expect([none.status, none.body.error.code]).toEqual([400, 'validation_failed']);
  });
});

describe('large files', () => {
  const line = `Ada,Lovelace,adult,fri,,${'x'.repeat(475)}\n`;
  const HEADINGS = 'First name,Last name,Type,Day,Phone,Note\n';
  const ofSize = (bytes: number): Buffer<ArrayBuffer> =>
    Buffer.concat([Buffer.from(HEADINGS), Buffer.alloc(bytes - HEADINGS.length, line)]) as Buffer<ArrayBuffer>;

  const sendAs = {
    'text/csv': (bytes: Buffer<ArrayBuffer>) => asFile(bytes),
    'multipart/form-data': (bytes: Buffer<ArrayBuffer>) => upload(form([['file', file(bytes)]])),
    'application/json': (bytes: Buffer<ArrayBuffer>) =>
      upload(JSON.stringify({ csv: bytes.toString() }), { type: 'application/json' }),
  };

  const accepted = ['text/csv', 'multipart/form-data'] as const;
  test.each(isNight ? accepted : accepted.slice(0, 1))('50 MB are taken as %s', async (type) => {
    const reply = await sendAs[type](ofSize(50_000_000));
    expect([reply.status, reply.body.status]).toEqual([202, 'queued']);
    expect(reply.body.progress).toEqual({ done: 0, total: Math.ceil((50_000_000 - HEADINGS.length) / line.length) });
    await x.post(`/jobs/${reply.body.id}/cancel`);
    await expect.poll(spooled).toEqual([]);
  });

  const refused = ['multipart/form-data', 'application/json'] as const;
  test.each(isNight ? refused : refused.slice(0, 1))('413 payload_too_large: as %s', async (type) => {
    const reply = await sendAs[type](ofSize(IMPORT_FILE_LIMIT + 1));
    expect([reply.status, reply.body.error.code]).toEqual([413, 'payload_too_large']);
    await expect.poll(spooled).toEqual([]);
  });

  test.each([
    ['is cut short', ''],
    ['has another field beside it that is none', ',"colour":"red"}'],
    ['has a text beside it that is too long', `,"mapping":{"x":"${'y'.repeat(2_000_000)}"}}`],
  ])('JSON that %s is refused and leaves nothing on the disk', async (_name, end) => {
    const csv = JSON.stringify(ofSize(3_000_000).toString());
    const reply = await upload(`{"csv":${csv}${end}`, { type: 'application/json' });
    expect([400, 413]).toContain(reply.status);
    await expect.poll(spooled).toEqual([]);
  });

  test('a retry in JSON is recognized by its whole body', async () => {
    const fair = await x.event();
    const send = (body: string) =>
      upload(body, { type: 'application/json', key: 'json-once', to: `/events/${fair}/imports` });
    const body = JSON.stringify({ csv: ADA, preview: true });
    const first = await send(body);
    expect(first.status).toBe(201);
    expect(await send(body)).toEqual({ ...first, replayed: 'true' });
    for (const other of [JSON.stringify({ csv: ADA, preview: false }), body.replace('Ada', 'Eve')]) {
      expect((await send(other)).body.error.code).toBe('idempotency_key_reused');
    }
  });

  test('after a refusal in the middle of the body, the next request is answered as well', async () => {
    const client = new RawClient(x.t.url);
    const head = `HTTP/1.1\r\nHost: here\r\nAuthorization: Bearer ${x.key}\r\n`;
    const body = `{"csv":"${'\\u0000'.repeat(350_000)}"}`;
    client.send(
      `POST /v1/events/${event}/imports ${head}Idempotency-Key: middle\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    );
    client.send(`GET /v1/me ${head}Connection: close\r\n\r\n`);
    expect((await client.replies()).map((reply) => reply.status)).toEqual([400, 200]);
  });

  test('a caller who disconnects leaves nothing on the disk', async () => {
    const headers = { authorization: `Bearer ${x.key}`, 'idempotency-key': randomUUID(), 'content-type': 'text/csv' };
    const asked = request(`${x.t.url}/v1/events/${event}/imports`, { method: 'POST', headers });
    asked.on('error', () => {});
    asked.write(ofSize(3_000_000));
    await expect.poll(spooled).toHaveLength(1);
    asked.destroy();
    await expect.poll(spooled).toEqual([]);
  });
});

import type * as contract from '@turnout/contract';
import { describe, expect, expectTypeOf, test, vi } from 'vitest';
import { type CheckIn, type Envelope, type EventType, type Payloads, SignatureError, sign, verify } from '../index.ts';
import { bodyOf, publishedVectors, type Vector } from './vectors.support.ts';

const NOW = 1_800_000_000;
const SECRET = 'whsec_bm90IGEgc2VjcmV0';
const OTHER = 'whsec_YW5vdGhlcg==';
const BODY = '{"id":"evt_1","type":"ticket.issued","data":{}}';
const genuine = await sign(BODY, SECRET, NOW);
const hex = genuine.slice(-64);

const outcome = (work: Promise<Envelope>): Promise<unknown> =>
  work.then(
    (envelope) => envelope,
    (error: unknown) => (error instanceof SignatureError ? error.code : error),
  );

describe('the published vectors', () => {
  const vectors = publishedVectors();
  const outcomeOf = (vector: Vector, body: Uint8Array | string) =>
    outcome(verify(body, vector.header, vector.secret, { now: vector.now }));

  // claim: receiver-verifies, signature-of-bytes, signature-one-byte
  test.each(vectors)('$name', async (vector) => {
    const expected = vector.valid ? JSON.parse(vector.body_text) : vector.error;
    expect(await outcomeOf(vector, bodyOf(vector))).toEqual(expected);
    expect(await outcomeOf(vector, vector.body_text)).toEqual(expected);
  });

  test('have every fault except the one that a sender cannot cause', () => {
    expect([...new Set(vectors.map((vector) => vector.error ?? 'valid'))].sort()).toEqual(
      ['malformed_header', 'missing_header', 'no_match', 'too_new', 'too_old', 'valid'].sort(),
    );
  });
});

describe('verify', () => {
  // claim: receiver-verifies
  test('compares a wrong signature to its end, wherever it differs, and so takes the same time', async () => {
    const wrongAt = (index: number) => {
      const digits = [...hex];
      digits[index] = digits[index] === '0' ? '1' : '0';
      return `t=${NOW},v1=${digits.join('')}`;
    };
    const read = vi.spyOn(String.prototype, 'charCodeAt');
    const readings: number[] = [];
    for (const header of [wrongAt(0), wrongAt(63), genuine]) {
      read.mockClear();
      await outcome(verify(BODY, header, SECRET, { now: NOW }));
      readings.push(read.mock.contexts.filter((text) => String(text).length === hex.length).length);
    }
    read.mockRestore();
    expect(readings).toEqual([128, 128, 128]);
  });

  test('gives the envelope of a body signed now', async () => {
    const envelope = await verify(BODY, await sign(BODY, SECRET), SECRET);
    expect(envelope).toEqual(JSON.parse(BODY));
  });

  test('takes several secrets, and any of them is enough', async () => {
    const header = await sign(BODY, OTHER, NOW);
    expect(await outcome(verify(BODY, header, [SECRET, OTHER], { now: NOW }))).toEqual(JSON.parse(BODY));
    expect(await outcome(verify(BODY, header, [SECRET], { now: NOW }))).toBe('no_match');
  });

  test('reads the bytes of a view and not of the memory around it', async () => {
    const around = new TextEncoder().encode(`...${BODY}...`);
    const view = around.subarray(3, around.length - 3);
    expect(await outcome(verify(view, await sign(BODY, SECRET, NOW), SECRET, { now: NOW }))).toEqual(JSON.parse(BODY));
  });

  test('uses another tolerance if one is given', async () => {
    const header = await sign(BODY, SECRET, NOW - 10);
    expect(await outcome(verify(BODY, header, SECRET, { now: NOW, toleranceSeconds: 9 }))).toBe('too_old');
    expect(await outcome(verify(BODY, header, SECRET, { now: NOW, toleranceSeconds: 10 }))).toEqual(JSON.parse(BODY));
  });

  test('refuses if the clock or the tolerance is not a number', async () => {
    const header = await sign(BODY, SECRET, NOW);
    expect(await outcome(verify(BODY, header, SECRET, { now: Number.NaN }))).toBe('too_old');
    expect(await outcome(verify(BODY, header, SECRET, { now: NOW, toleranceSeconds: Number.NaN }))).toBe('too_old');
  });

  test('says `too_old` only of a genuine signature', async () => {
    const header = await sign(BODY, OTHER, NOW - 3600);
    expect(await outcome(verify(BODY, header, SECRET, { now: NOW }))).toBe('no_match');
  });

  test.each(['', 'null', '[]', '"text"', '{', '\uFEFF{}{'])('malformed_body: %j, although signed', async (body) => {
    expect(await outcome(verify(body, await sign(body, SECRET, NOW), SECRET, { now: NOW }))).toBe('malformed_body');
  });

  test('malformed_body: bytes that are not UTF-8, although signed', async () => {
    const body = Uint8Array.of(0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d);
    expect(await outcome(verify(body, await sign(body, SECRET, NOW), SECRET, { now: NOW }))).toBe('malformed_body');
  });

  test.each([
    ['a space after the comma', genuine.replace(',', ', ')],
    ['t after v1', `v1=${hex},t=${NOW}`],
    ['t between two v1', `t=${NOW},v1=${hex},t=${NOW},v1=${hex}`],
    ['t with a sign', `t=+${NOW},v1=${hex}`],
    ['t in another script', `t=١٨٠٠٠٠٠٠٠٠,v1=${hex}`],
    ['a comma at the end', `${genuine},`],
    ['a line break at the end', `${genuine}\n`],
    ['two headers that a server joined', `${genuine}, ${genuine}`],
    ['ten entries', `${genuine}${`,v1=${hex}`.repeat(9)}`],
  ])('malformed_header: %s', async (_name, header) => {
    expect(await outcome(verify(BODY, header, SECRET, { now: NOW }))).toBe('malformed_header');
  });

  test('malformed_header: several headers as a list', async () => {
    expect(await outcome(verify(BODY, [genuine], SECRET, { now: NOW }))).toBe('malformed_header');
  });

  test('missing_header: undefined or null, which servers give if there is none', async () => {
    expect(await outcome(verify(BODY, undefined, SECRET, { now: NOW }))).toBe('missing_header');
    expect(await outcome(verify(BODY, null, SECRET, { now: NOW }))).toBe('missing_header');
  });

  test.each([
    ['no secret', ''],
    ['a secret without whsec_', SECRET.slice(6)],
    ['nothing behind whsec_', 'whsec_'],
    ['an empty list', []],
    ['one of two unset', [SECRET, '']],
    ['undefined', undefined as unknown as string],
  ])('a TypeError, because the call is at fault and not the request: %s', async (_name, secrets) => {
    expect(await outcome(verify(BODY, genuine, secrets, { now: NOW }))).toBeInstanceOf(TypeError);
  });

  test('a TypeError, because the call is at fault: a body that was parsed already', async () => {
    const parsed = JSON.parse(BODY) as unknown as string;
    expect(await outcome(verify(parsed, genuine, SECRET, { now: NOW }))).toEqual(
      expect.objectContaining({ name: 'TypeError', message: expect.stringContaining('raw') }),
    );
  });
});

describe('sign', () => {
  test('makes the header of the published vectors', async () => {
    const signedOnce = publishedVectors().filter(
      ({ valid, header }) => valid && /^t=[0-9]+,v1=[0-9a-f]{64}$/.test(header!),
    );
    expect(signedOnce.length).toBeGreaterThan(5);
    for (const vector of signedOnce) {
      expect(await sign(bodyOf(vector), vector.secret, vector.t)).toBe(vector.header);
    }
  });

  test('signs with several secrets in their order', async () => {
    const [first, second] = await Promise.all([sign(BODY, SECRET, NOW), sign(BODY, OTHER, NOW)]);
    expect(await sign(BODY, [SECRET, OTHER], NOW)).toBe(`${first},v1=${second.slice(-64)}`);
  });

  test.each([1.5, -1, Number.NaN, Date.now() * 1e6])('refuses t = %s', async (t) => {
    await expect(sign(BODY, SECRET, t)).rejects.toThrow(TypeError);
  });
});

describe('the compiler knows', () => {
  test('the 19 event types', () => expectTypeOf<EventType>().toEqualTypeOf<contract.EventType>());

  // claim: data-in-own-shapes
  test('checking the type narrows the data', () => {
    const read = (envelope: Envelope) => {
      if (envelope.type === 'checkin.recorded') expectTypeOf(envelope.data).toEqualTypeOf<CheckIn>();
      if (envelope.type === 'ticket.reissued') expectTypeOf(envelope.data.replaces).toBeString();
    };
    expectTypeOf(read).parameter(0).toEqualTypeOf<Envelope<keyof Payloads>>();
  });
});

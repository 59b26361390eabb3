import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Reader, Writer } from './bytes.ts';
import { FORMAT, type KeptEntry, keptEntry, type RosterEntry, readEntry } from './entry.ts';
import { keyOfHash, readId, writeId } from './ids.ts';
import { findTicket, keyAt, lookUp, openPacked, type Packed, skimAt } from './packed.ts';
import { Packer } from './packer.ts';
import { ADA, entries, format1, format2 } from './testing.ts';

export function packed(all: readonly RosterEntry[]): Packed {
  const packer = new Packer('Europe/Berlin');
  for (const entry of all) packer.add(keyOfHash(entry.code_sha256), keptEntry(entry));
  return packer.finish();
}

const plain = (all: readonly RosterEntry[]): Map<string, KeptEntry> =>
  new Map(all.map((entry) => [keyOfHash(entry.code_sha256), keptEntry(entry)]));

describe('numbers, texts and ids are read as they were written', () => {
  test('numbers up to 2^53, of either sign', () => {
    fc.assert(
      fc.property(fc.array(fc.maxSafeInteger()), fc.array(fc.maxSafeNat()), (signed, counts) => {
        const out = new Writer(1);
        // Doubling a signed number must stay exact, too.
        const halves = signed.map((value) => Math.trunc(value / 2));
        for (const value of halves) out.signed(value);
        for (const value of counts) out.number(value);
        const from = new Reader(out.written());
        expect(halves.map(() => from.signed() + 0)).toEqual(halves.map((value) => value + 0));
        expect(counts.map(() => from.number())).toEqual(counts);
      }),
    );
  });

  test('texts of any length', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'grapheme', maxLength: 300 })), (texts) => {
        const out = new Writer(1);
        for (const text of texts) out.text(text);
        const from = new Reader(out.written());
        expect(texts.map(() => from.text())).toEqual(texts);
      }),
    );
  });

  test.each([
    '00000000000000000000000000',
    '7ZZZZZZZZZZZZZZZZZZZZZZZZZ',
    '01JCQ8Z7M4T3V9R1X5K2N6P8DA',
    'anna',
    '8ZZZZZZZZZZZZZZZZZZZZZZZZZ',
    '',
  ])('the id %o', (id) => {
    const out = new Writer();
    writeId(out, id);
    expect(readId(new Reader(out.written()))).toBe(id);
    expect(out.length).toBe(/^[0-7].{25}$/.test(id) ? 17 : id.length + 1);
  });
});

describe('a packed roster', () => {
  test('holds what a plain map holds, and nothing else', () => {
    fc.assert(
      fc.property(entries(), entries(5), (all, others) => {
        const map = plain(all);
        const made = openPacked(packed(all).buffer);
        expect(made.tickets).toBe(map.size);
        for (const [key, entry] of map) expect(lookUp(made, key)).toEqual(entry);
        for (const key of plain(others).keys()) expect(lookUp(made, key)).toEqual(map.get(key) ?? null);
      }),
    );
  });

  test('has its keys in ascending order', () => {
    fc.assert(
      fc.property(entries(), (all) => {
        const made = packed(all);
        const keys = Array.from({ length: made.tickets }, (_, i) => keyAt(made, i));
        expect(keys).toEqual([...keys].sort());
      }),
    );
  });

  test('is small: a ticket of one person without admissions takes less than 100 bytes', () => {
    const one = (i: number): RosterEntry => ({
      code_sha256: i.toString(16).padStart(64, '0'),
      ticket_id: '01JCQ8Z7M4T3V9R1X5K2N6P8DA',
      status: 'valid',
      test: false,
      registration_code: '7Q2MXK4P0V',
      people: [{ ...ADA, days: ['sat', 'sun'] }],
    });
    const made = packed(Array.from({ length: 1000 }, (_, i) => one(i)));
    expect(made.buffer.byteLength / 1000).toBeLessThan(100);
  });
});

test('a record that ends early is a fault, and is not read for ever', () => {
  const old = openPacked(format1());
  expect(() => readEntry(new Reader(old.recordBytes, old.starts[1]!), old.texts, 2)).toThrow(RangeError);
  expect(() => new Reader(new Uint8Array([0x80])).number()).toThrow(RangeError);
});

describe('a roster of format 1', () => {
  const ada = { id: '01JZ0000000000000000000002', first_name: 'Ada', last_name: 'Lovelace', answers: {} };
  const admissions = [
    { check_in_point: 'gate', kind: 'entry', day: 'sat', at: Date.parse('2027-06-12T10:00:00Z'), seq: 7 },
  ];
  const first = { status: 'valid', registration: null, people: [{ ...ada, admissions }, { first_name: 'Zoë' }] };

  test('is opened, and lacks only what it never had', () => {
    const old = openPacked(format1());
    expect([old.format, old.tickets]).toEqual([1, 2]);
    expect(lookUp(old, keyOfHash('ab'.repeat(32)))).toMatchObject(first);
    expect(lookUp(old, keyOfHash('cd'.repeat(32)))).toMatchObject({ status: 'voided', people: [{ first_name: 'Bo' }] });
  });

  test('is packed anew in the format of today', () => {
    const old = openPacked(format1());
    const packer = new Packer('Europe/Berlin', old.texts);
    for (let ticket = 0; ticket < old.tickets; ticket += 1) packer.addRaw(keyAt(old, ticket), old, ticket);
    const now = packer.finish();
    expect(now.format).toBe(FORMAT);
    expect(lookUp(now, keyOfHash('ab'.repeat(32)))).toMatchObject(first);
  });
});

describe('a roster of format 2', () => {
  const ada = { first_name: 'Ada', group: 'north', days: ['sat', 'sun'], answers: { company: 'Analytical Engines' } };
  const first = {
    registration: '7Q2MXK4P0V',
    people: [{ ...ada, products: [], admissions: [{ check_in_point: 'gate', seq: 7 }] }, { first_name: 'Zoë' }],
  };

  test('is opened, and nobody in it has booked anything', () => {
    const old = openPacked(format2());
    expect([old.format, old.tickets]).toEqual([2, 2]);
    expect(lookUp(old, keyOfHash('ab'.repeat(32)))).toMatchObject(first);
    const second = { status: 'voided', people: [{ first_name: 'Bo', products: [], answers: {} }] };
    expect(lookUp(old, keyOfHash('cd'.repeat(32)))).toMatchObject(second);
    const counted = skimAt(old, findTicket(old, keyOfHash('ab'.repeat(32)))).people;
    expect(counted.map(({ admissions }) => admissions.length)).toEqual([1, 0]);
  });

  test('is packed anew in the format of today', () => {
    const old = openPacked(format2());
    const packer = new Packer('Europe/Berlin', old.texts);
    for (let ticket = 0; ticket < old.tickets; ticket += 1) packer.addRaw(keyAt(old, ticket), old, ticket);
    const now = packer.finish();
    expect(now.format).toBe(FORMAT);
    expect(lookUp(now, keyOfHash('ab'.repeat(32)))).toMatchObject(first);
  });
});

import { createSocket, type Socket } from 'node:dgram';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Resolve, systemResolver } from './names.ts';

/** A name server on loopback. For each name and type it answers addresses (as bytes) or a DNS error, or it stays silent. */
const A = 1;
const AAAA = 28;
const SERVER_FAILURE = 2;
const NO_SUCH_NAME = 3;
const ZONE: Record<string, Partial<Record<number, number[][] | number | 'silence'>>> = {
  'both.example.com': {
    [A]: [
      [192, 0, 2, 1],
      [192, 0, 2, 2],
    ],
    [AAAA]: [[0x20, 1, 0xd, 0xb8, ...Array(11).fill(0), 1]],
  },
  'four.example.com': { [A]: [[192, 0, 2, 4]], [AAAA]: SERVER_FAILURE },
  'six.example.com': { [A]: [], [AAAA]: [[0x20, 1, 0xd, 0xb8, ...Array(11).fill(0), 6]] },
  'silent.example.com': { [A]: 'silence', [AAAA]: 'silence' },
};

let server: Socket;
let folder: string;
let resolve: Resolve;
const queriedNames: string[] = [];

beforeAll(async () => {
  server = createSocket('udp4');
  server.on('message', (query, from) => {
    const { name, type, question } = read(query);
    queriedNames.push(name);
    const known = ZONE[name]?.[type] ?? NO_SUCH_NAME;
    if (known !== 'silence') server.send(reply(query, question, type, known), from.port, from.address);
  });
  await new Promise<void>((bound) => server.bind(0, '127.0.0.1', bound));
  folder = mkdtempSync(join(tmpdir(), 'turnout-names-'));
  writeFileSync(join(folder, 'hosts'), '# local\n127.0.0.1\tlocalhost\n 192.0.2.9  Desk.example.com desk # ours\n');
  const { port } = server.address() as AddressInfo;
  resolve = systemResolver({ servers: [`127.0.0.1:${port}`], hostsFile: join(folder, 'hosts') });
});
afterAll(() => {
  server.close();
  rmSync(folder, { recursive: true });
});

function read(query: Buffer): { name: string; type: number; question: Buffer } {
  const labels: string[] = [];
  let at = 12;
  for (let length = query[at]!; length > 0; length = query[at]!) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  return {
    name: labels.join('.').toLowerCase(),
    type: query.readUInt16BE(at + 1),
    question: query.subarray(12, at + 5),
  };
}

function reply(query: Buffer, question: Buffer, type: number, known: number[][] | number): Buffer {
  const addresses = typeof known === 'number' ? [] : known;
  const header = Buffer.alloc(12);
  query.copy(header, 0, 0, 2);
  header.writeUInt16BE(0x8180 | (typeof known === 'number' ? known : 0), 2);
  header.writeUInt16BE(1, 4);
  header.writeUInt16BE(addresses.length, 6);
  const records = addresses.map((address) =>
    Buffer.from([0xc0, 12, 0, type, 0, 1, 0, 0, 0, 0, 0, address.length, ...address]),
  );
  return Buffer.concat([header, question, ...records]);
}

it('gives every address of a name, of both families', async () => {
  expect(await resolve('both.example.com')).toEqual([
    { address: '192.0.2.1', family: 4 },
    { address: '192.0.2.2', family: 4 },
    { address: '2001:db8::1', family: 6 },
  ]);
});

it('accepts one family if the other fails or is empty', async () => {
  expect(await resolve('four.example.com')).toEqual([{ address: '192.0.2.4', family: 4 }]);
  expect(await resolve('six.example.com')).toEqual([{ address: '2001:db8::6', family: 6 }]);
});

it('fails for a name that is not known', async () => {
  await expect(resolve('nobody.example.com')).rejects.toMatchObject({ code: 'ENOTFOUND' });
});

it('uses the hosts file without asking a server', async () => {
  expect(await resolve('desk.example.com')).toEqual([{ address: '192.0.2.9', family: 4 }]);
  expect(queriedNames).not.toContain('desk.example.com');
});

it('answers one name while many others stay without an answer', async () => {
  let over = 0;
  const count = () => over++;
  for (let i = 0; i < 20; i++) void resolve('silent.example.com').then(count, count);
  for (let i = 0; i < 20; i++) expect(await resolve('both.example.com')).toHaveLength(3);
  expect(over).toBe(0);
});

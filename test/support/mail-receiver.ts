import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';
import { expect } from 'vitest';

export interface Received {
  from: string;
  to: string[];
  mail: Part;
  /** The bytes that were received. */
  raw: string;
}

/** A real SMTP server on loopback. It can refuse mails, or let a client wait for its answer. */
export class Receiver {
  readonly received: Received[] = [];
  refuse: string | null = null;
  hold: Promise<void> | null = null;
  /** How many mails have arrived completely, whether they were answered or not. */
  arrived = 0;
  readonly #server: SMTPServer;
  url = '';

  constructor() {
    this.#server = new SMTPServer({
      disabledCommands: ['AUTH', 'STARTTLS'],
      disableReverseLookup: true,
      logger: false,
      // Whoever stops the receiver is done with it: connections that clients keep open are not waited for, which takes half a minute.
      closeTimeout: 100,
      onRcptTo: (_address, _session, done) => {
        done(this.refuse === null ? null : Object.assign(new Error(this.refuse), { responseCode: 451 }));
      },
      onData: (stream, session, done) => {
        const chunks: Buffer[] = [];
        stream.on('data', (chunk: Buffer) => chunks.push(chunk));
        stream.on('end', async () => {
          this.arrived += 1;
          await this.hold;
          const { mailFrom, rcptTo } = session.envelope;
          this.received.push({
            from: mailFrom === false ? '' : mailFrom.address,
            to: rcptTo.map((one) => one.address),
            mail: parse(Buffer.concat(chunks)),
            raw: Buffer.concat(chunks).toString('latin1'),
          });
          done();
        });
      },
    });
    this.#server.on('error', () => {}); // happens when a client was killed
  }

  async start(): Promise<this> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server.server, 'listening');
    this.url = `smtp://127.0.0.1:${(this.#server.server.address() as AddressInfo).port}`;
    return this;
  }
  clear(): void {
    this.received.length = 0;
    this.arrived = 0;
    this.refuse = null;
    this.hold = null;
  }
  stop(): Promise<void> {
    return new Promise((resolve) => this.#server.close(resolve));
  }
}

/** Takes a mail apart as a mail program does: headers, and parts within parts. */
export interface Part {
  headers: Map<string, string>;
  body: Buffer;
  text: string;
  parts: Part[];
}

/** RFC 2047: decodes encoded words; white space between two of them is not part of the text. */
const words = (value: string): string =>
  value
    .replaceAll(/\?=\s+=\?/g, '?==?')
    .replaceAll(/=\?utf-8\?([qb])\?([^?]*)\?=/gi, (_all, how: string, text: string) =>
      how.toLowerCase() === 'b'
        ? Buffer.from(text, 'base64').toString('latin1')
        : text
            .replaceAll('_', ' ')
            .replaceAll(/=([0-9A-F]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    );
const decoded = (value: string): string =>
  /=\?utf-8\?/i.test(value) ? Buffer.from(words(value), 'latin1').toString('utf8') : value;

export function parse(raw: Buffer): Part {
  const all = raw.toString('latin1');
  const end = all.indexOf('\r\n\r\n');
  expect(end).toBeGreaterThan(0);
  const headers = new Map<string, string>();
  for (const line of all
    .slice(0, end)
    .replaceAll(/\r\n[ \t]+/g, ' ')
    .split('\r\n')) {
    const colon = line.indexOf(':');
    expect(colon).toBeGreaterThan(0);
    const name = line.slice(0, colon).toLowerCase();
    expect(headers.has(name)).toBe(false);
    headers.set(name, decoded(line.slice(colon + 1).trim()));
  }
  const content = all.slice(end + 4);
  const type = headers.get('content-type') ?? 'text/plain';
  const boundary = /boundary="?([^";]+)"?/.exec(type)?.[1];
  if (boundary !== undefined) {
    const pieces = `\r\n${content}`.split(`\r\n--${boundary}`);
    expect(pieces.at(-1)!.startsWith('--')).toBe(true);
    const parts = pieces.slice(1, -1).map((piece) => parse(Buffer.from(piece.slice(2), 'latin1')));
    return { headers, body: Buffer.alloc(0), text: '', parts };
  }
  const encoding = headers.get('content-transfer-encoding')?.toLowerCase() ?? '7bit';
  const body =
    encoding === 'base64'
      ? Buffer.from(content, 'base64')
      : encoding === 'quoted-printable'
        ? Buffer.from(
            content
              .replaceAll(/=\r\n/g, '')
              .replaceAll(/=([0-9A-F]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
            'latin1',
          )
        : Buffer.from(content, 'latin1');
  return { headers, body, text: body.toString('utf8'), parts: [] };
}

const leaves = (part: Part): Part[] => (part.parts.length === 0 ? [part] : part.parts.flatMap(leaves));
export const leaf = (mail: Part, type: string): Part =>
  leaves(mail).find((part) => part.headers.get('content-type')!.startsWith(type))!;
export const lines = (text: string): string => text.replaceAll('\r\n', '\n').trimEnd();

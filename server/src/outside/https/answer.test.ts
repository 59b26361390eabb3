import { type AddressInfo, createServer, type Server } from 'node:net';
import { Client } from 'undici';
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import { AnswerReader } from './answer.ts';
import { causeOf } from './causes.ts';

interface Read {
  status: number | null;
  body: string | null;
  location: string | null;
  /** Null: the answer is whole. */
  fault: string | null;
  keepMs: number;
}

/** The bytes in pieces, then the end of the connection. */
function read(text: string, cuts: readonly number[] = []): Read {
  const bytes = Buffer.from(text, 'latin1');
  const reader = new AnswerReader();
  let fault: string | null = null;
  try {
    let over = false;
    for (const [i, start] of [0, ...cuts].entries()) {
      over = reader.take(bytes.subarray(start, cuts[i] ?? bytes.length));
      if (over) break;
    }
    if (!over) reader.end();
  } catch (error) {
    fault = causeOf(error);
  }
  const { status, location, keepMs } = reader;
  return { status, body: reader.bytes?.toString('latin1') ?? null, location, fault, keepMs };
}

const OK = 'HTTP/1.1 200 OK\r\n';
const FOREVER = Number.POSITIVE_INFINITY;

describe('an answer', () => {
  test.each<[string, string, Partial<Read>]>([
    ['with a length', `${OK}content-length: 2\r\n\r\nhi`, { status: 200, body: 'hi', keepMs: FOREVER }],
    ['without a body', `${OK}Content-Length: 0\r\n\r\n`, { body: '' }],
    ['without a reason', 'HTTP/1.1 202\r\ncontent-length: 0\r\n\r\n', { status: 202 }],
    ['in chunks', `${OK}transfer-encoding: chunked\r\n\r\n3\r\nabc\r\n2;x=y\r\nde\r\n0\r\n\r\n`, { body: 'abcde' }],
    ['in chunks, with trailers', `${OK}Transfer-Encoding: gzip, Chunked\r\n\r\n0\r\nx-sum: 1\r\n\r\n`, { body: '' }],
    ['until the connection ends', `${OK}\r\nall of it`, { body: 'all of it', keepMs: 0 }],
    ['of 204, which has no body', 'HTTP/1.1 204 .\r\n\r\n', { status: 204, body: '', keepMs: FOREVER }],
    ['of 304 with the length of another', 'HTTP/1.1 304 .\r\ncontent-length: 9\r\n\r\n', { status: 304, body: '' }],
    [
      'behind hints',
      `HTTP/1.1 100 .\r\n\r\nHTTP/1.1 103 .\r\nlink: </a>\r\n\r\n${OK}content-length: 1\r\n\r\na`,
      { body: 'a' },
    ],
    [
      'that leads elsewhere',
      'HTTP/1.1 302 .\r\nlocation: https://a/\r\ncontent-length: 0\r\n\r\n',
      { location: 'https://a/' },
    ],
    [
      'of more than 1 KB',
      `${OK}content-length: 2000\r\n\r\n${'x'.repeat(1025)}`,
      { body: 'x'.repeat(1024), keepMs: 0 },
    ],
    ['of 1 KB', `${OK}content-length: 1024\r\n\r\n${'x'.repeat(1024)}`, { body: 'x'.repeat(1024), keepMs: FOREVER }],
  ])('%s', (_, text, expected) => {
    expect(read(text)).toMatchObject({ fault: null, ...expected });
    expect(
      read(
        text,
        [...Array(Buffer.byteLength(text, 'latin1') - 1).keys()].map((i) => i + 1),
      ),
    ).toEqual(read(text));
  });

  test.each<[string, number]>([
    ['connection: close', 0],
    ['Connection: x, Close', 0],
    ['connection: keep-alive\r\nkeep-alive: timeout=5, max=100', 4000],
    ['keep-alive: timeout=1', 0],
    ['keep-alive: max=3', FOREVER],
  ])('says how long its connection lasts: %s', (headers, keepMs) => {
    expect(read(`${OK}${headers}\r\ncontent-length: 0\r\n\r\n`)).toMatchObject({ status: 200, fault: null, keepMs });
  });
  it('of HTTP/1.0 ends its connection unless it says otherwise', () => {
    const old = 'HTTP/1.0 200 OK\r\ncontent-length: 0\r\n';
    expect(read(`${old}\r\n`).keepMs).toBe(0);
    expect(read(`${old}connection: keep-alive\r\n\r\n`).keepMs).toBe(FOREVER);
  });
  it('that more follows was not asked for: its connection is not used again', () => {
    expect(read(`${OK}content-length: 2\r\n\r\nhi${OK}`)).toMatchObject({ body: 'hi', fault: null, keepMs: 0 });
  });
});

describe('what is not an answer', () => {
  const NOT_HTTP = 'the answer is not HTTP';
  test.each<[string, string, string]>([
    ['another protocol', 'SSH-2.0-OpenSSH_9.6\r\n', NOT_HTTP],
    ['HTTP/2', 'HTTP/2 200\r\n\r\n', NOT_HTTP],
    ['a status of two digits', 'HTTP/1.1 20 OK\r\n\r\n', NOT_HTTP],
    ['lines that end in LF', 'HTTP/1.1 200 OK\ncontent-length: 0\n\n', NOT_HTTP],
    ['a header without a colon', `${OK}content-length\r\n\r\n`, NOT_HTTP],
    ['a space before the colon', `${OK}content-length : 0\r\n\r\n`, NOT_HTTP],
    ['a header over two lines', `${OK}x: a\r\n b\r\ncontent-length: 0\r\n\r\n`, NOT_HTTP],
    ['a zero byte in a header', `${OK}x: a\0b\r\ncontent-length: 0\r\n\r\n`, NOT_HTTP],
    ['two lengths', `${OK}content-length: 1\r\ncontent-length: 2\r\n\r\nab`, NOT_HTTP],
    ['a length and chunks', `${OK}content-length: 5\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n`, NOT_HTTP],
    ['a length that is none', `${OK}content-length: -1\r\n\r\n`, NOT_HTTP],
    ['a chunk without a size', `${OK}transfer-encoding: chunked\r\n\r\nxyz\r\n`, NOT_HTTP],
    ['a chunk longer than it says', `${OK}transfer-encoding: chunked\r\n\r\n1\r\nabc\r\n0\r\n\r\n`, NOT_HTTP],
    ['a size that is too large', `${OK}transfer-encoding: chunked\r\n\r\n123456789\r\n`, NOT_HTTP],
    ['endless headers', `${OK}x: ${'y'.repeat(20_000)}`, 'the headers of the answer are too large'],
    [
      'an endless extension',
      `${OK}transfer-encoding: chunked\r\n\r\n1;${'y'.repeat(2_000)}`,
      'the answer is too large',
    ],
    [
      'endless trailers',
      `${OK}transfer-encoding: chunked\r\n\r\n0\r\n${'a: b\r\n'.repeat(5_000)}`,
      'the answer is too large',
    ],
    ['hints without end', 'HTTP/1.1 103 .\r\n\r\n'.repeat(20_000), 'the answer is too large'],
    ['nothing', '', 'connection closed'],
    ['half of a head', OK, 'connection closed'],
    ['half of a body', `${OK}content-length: 9\r\n\r\nhalf`, 'connection closed'],
    ['no last chunk', `${OK}transfer-encoding: chunked\r\n\r\n1\r\na\r\n`, 'connection closed'],
    ['another protocol from here on', 'HTTP/1.1 101 .\r\nupgrade: x\r\n\r\n', 'connection closed'],
  ])('%s', (_, text, fault) => {
    expect(read(text).fault).toBe(fault);
  });
});

describe('beside undici, which reads with the parser of Node', () => {
  let server: Server;
  let says = Buffer.alloc(0);
  beforeAll(async () => {
    server = createServer((socket) => {
      socket.on('error', () => {});
      socket.once('data', () => socket.end(says));
    });
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  });
  afterAll(() => server.close());

  async function theirs(text: string): Promise<{ status: number; body: string } | null> {
    says = Buffer.from(text, 'latin1');
    const client = new Client(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, {
      maxHeaderSize: 16 * 1024,
    });
    try {
      const answer = await client.request({ path: '/', method: 'POST', body: 'x' });
      const bytes = Buffer.from(await answer.body.arrayBuffer());
      return { status: answer.statusCode, body: bytes.toString('latin1') };
    } catch {
      return null;
    } finally {
      await client.destroy();
    }
  }

  /** A small generator of numbers that is the same every time. */
  let seed = 20261115;
  const below = (n: number): number => {
    seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
    return seed % n;
  };
  const one = <T>(list: readonly T[]): T => list[below(list.length)]!;

  /** An answer of any kind, and what it says. */
  function someAnswer(): { text: string; status: number; body: string } {
    const status = one([200, 201, 204, 299, 400, 404, 410, 500, 503]);
    const body = status === 204 ? '' : 'abc\r\n0{}é'.repeat(below(20)).slice(0, below(200));
    const chunks = () => {
      let text = '';
      for (let at = 0; at < body.length; ) {
        const size = 1 + below(body.length - at);
        text += `${size.toString(16)}${one(['', ';a', ';a=b'])}\r\n${body.slice(at, at + size)}\r\n`;
        at += size;
      }
      return `${text}0\r\n${one(['', 'x-t: 1\r\n'])}\r\n`;
    };
    const length = `${one(['content-length', 'Content-Length'])}:${one(['', ' ', '\t'])}${body.length}`;
    const more = () =>
      Array.from({ length: below(3) }, () => `${one(['x-a', 'server', 'date'])}: ${one(['', 'a b', 'ö'])}\r\n`).join(
        '',
      );
    const [headers, rest] =
      status === 204
        ? ['', '']
        : one([
            () => [`${length}\r\n`, body],
            () => ['transfer-encoding: chunked\r\n', chunks()],
            () => ['connection: close\r\n', body],
          ])();
    const hints = 'HTTP/1.1 103 Early\r\nlink: </a>\r\n\r\n'.repeat(below(2));
    return {
      text: `${hints}HTTP/1.1 ${status} ${one(['OK', '', 'No way'])}\r\n${more()}${headers}${more()}\r\n${rest}`,
      status,
      body,
    };
  }
  const pieces = (size: number) => Array.from({ length: below(6) }, () => below(size)).sort((a, b) => a - b);

  it('reads what is well written as it does, in whatever pieces', async () => {
    for (let i = 0; i < 300; i += 1) {
      const { text, status, body } = someAnswer();
      expect(read(text, pieces(text.length)), JSON.stringify(text)).toMatchObject({ status, body, fault: null });
      expect(await theirs(text), JSON.stringify(text)).toEqual({ status, body });
    }
  });

  it('takes nothing that it refuses, and nothing for something else, however it was spoilt', async () => {
    const spoilt = (text: string): string => {
      const at = below(text.length);
      const by = one([
        '',
        '\r',
        '\n',
        ' ',
        '\0',
        ':',
        ';',
        '0',
        'f',
        '\r\n',
        ' \r\n',
        'x: y\r\n',
        'content-length: 3\r\n',
        '\x7f',
      ]);
      return text.slice(0, at) + by + text.slice(at + below(3));
    };
    let refused = 0;
    for (let i = 0; i < 5000; i += 1) {
      const text = spoilt(someAnswer().text);
      const mine = read(text, pieces(text.length));
      // What follows an answer may be in its last piece, or in none that is read.
      expect({ ...read(text), keepMs: mine.keepMs }, JSON.stringify(text)).toEqual(mine);
      const other = await theirs(text);
      if (other === null) refused += 1;
      if (mine.fault === null) expect(other, JSON.stringify(text)).toEqual({ status: mine.status, body: mine.body });
    }
    expect(refused).toBeGreaterThan(100);
  });
});

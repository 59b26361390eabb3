import { connect, type Socket } from 'node:net';

export interface RawReply {
  status: number;
  headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: tests read what they expect
  body: any;
}

/** A connection that sends exactly the given bytes, as a broken or hostile client would. */
export class RawClient {
  readonly socket: Socket;
  /** Resolves when the server has closed the connection. */
  readonly closed: Promise<void>;
  text = '';

  constructor(url: string) {
    const { hostname, port } = new URL(url);
    this.socket = connect(Number(port), hostname);
    this.socket.on('data', (chunk) => {
      this.text += chunk.toString('latin1');
    });
    this.socket.on('error', () => {});
    this.closed = new Promise((resolve) => this.socket.on('close', () => resolve()));
  }

  send(text: string | Buffer): this {
    this.socket.write(text);
    return this;
  }

  /** All replies until the server closes the connection. */
  async replies(): Promise<RawReply[]> {
    await this.closed;
    return repliesIn(this.text);
  }

  destroy(): void {
    this.socket.destroy();
  }
}

function repliesIn(text: string): RawReply[] {
  const found: RawReply[] = [];
  for (const part of text.split(/(?=HTTP\/1\.1 [2-5]\d\d )/).filter((one) => one !== '')) {
    const [head = '', ...rest] = part.split('\r\n\r\n');
    const [line = '', ...fields] = head.split('\r\n');
    const headers = new Headers(fields.map((field) => field.split(/: ?(.*)/s).slice(0, 2) as [string, string]));
    const sent = rest.join('\r\n\r\n');
    const whole = headers.get('transfer-encoding') === 'chunked' ? sent.replace(/(^|\r\n)[0-9a-f]+\r\n/g, '') : sent;
    let body: unknown = null;
    try {
      body = JSON.parse(Buffer.from(whole, 'latin1').toString());
    } catch {
      // there is no body, or it is not JSON
    }
    found.push({ status: Number(line.split(' ')[1]), headers, body });
  }
  return found;
}

/** Sends the bytes and waits until the server closes the connection. */
export const exchange = (url: string, text: string | Buffer): Promise<RawReply[]> =>
  new RawClient(url).send(text).replies();

import { type ClientRequest, get, type IncomingMessage } from 'node:http';
import { applyLive, type LiveChange, type LiveSnapshot } from '@turnout/contract';
import { vi } from 'vitest';

/** Waits until it is so, however busy the machine is. */
export const until = (isSo: () => boolean, what: string): Promise<void> =>
  vi.waitFor(
    () => {
      if (!isSo()) throw new Error(`still waiting for ${what}`);
    },
    { timeout: 40_000, interval: 10 },
  );

/** A reader of a live stream, as a browser would be: it puts changes on top of the snapshot. */
export class Reader {
  status = 0;
  /** Of a refusal. */
  body = '';
  snapshot: LiveSnapshot | null = null;
  snapshots = 0;
  changes: LiveChange[] = [];
  comments = 0;
  ended = false;
  readonly #request: ClientRequest;
  response: IncomingMessage | null = null;
  #text = '';

  constructor(url: string, cookie: string | null, paused = false) {
    this.#request = get(url, { agent: false, headers: cookie === null ? {} : { cookie } }, (response) => {
      this.status = response.statusCode!;
      this.response = response;
      response.setEncoding('utf8');
      if (paused) response.pause();
      else response.on('data', (text: string) => this.#take(text));
      response.once('close', () => {
        this.ended = true;
      });
    });
    this.#request.on('error', () => {
      this.ended = true;
    });
  }

  #take(text: string): void {
    if (this.status !== 200) this.body += text;
    this.#text += text;
    const messages = this.#text.split('\n\n');
    this.#text = messages.pop()!;
    for (const message of messages) {
      const [, event] = /^event: (\w+)$/m.exec(message) ?? [];
      const data = () => JSON.parse(/^data: (.*)$/m.exec(message)![1]!);
      if (event === 'snapshot') {
        this.snapshots += 1;
        this.snapshot = data() as LiveSnapshot;
      } else if (event === 'change') {
        const change = data() as LiveChange;
        this.changes.push(change);
        this.snapshot = applyLive(this.snapshot!, change);
      } else if (message.startsWith(':')) this.comments += 1;
    }
  }

  whenShown(what: (snapshot: LiveSnapshot) => boolean): Promise<void> {
    return until(() => this.snapshot !== null && what(this.snapshot), 'what the stream should show');
  }
  whenEnded(): Promise<void> {
    return until(() => this.ended, 'the end of the stream');
  }
  whenAnswered(): Promise<void> {
    return until(() => this.status !== 0 && (this.status === 200 || this.ended), 'an answer');
  }
  close(): void {
    this.#request.destroy();
  }
}

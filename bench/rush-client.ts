import { readFileSync, writeFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * The clients of a rush, in a process of their own. Each has a keep-alive connection and sends its next request once the last one
 * was answered. They speak HTTP over plain sockets instead of using a library, because the CPU time that the clients need is
 * missing for the server on a small machine.
 */
export interface RushJob {
  url: string;
  key: string;
  event: string;
  clients: number;
  attempts: number;
  capacity: number;
  /** Begins every Idempotency-Key: that of attempt i is `${prefix}${i}`. */
  prefix: string;
  /** Adds cancellations, invalid bodies, connections that break and requests that end in the middle. */
  mix: boolean;
  /** After a broken connection or a 503, the request is sent again with the same Idempotency-Key until it is answered. */
  retries: boolean;
  /** What each registration has beside a person: products of the attendee, and a code. */
  sells?: { attendee: object; registration: object };
  /** The file to which the fate of each attempt is written. */
  fates: string;
}

/**
 * What became of one attempt: its number; the status of the answer, 0 if the client hung up and never got one; the registration;
 * the status of the answer to its cancellation, 0 if it was not cancelled.
 */
export type Fate = [attempt: number, status: number, registration: string | null, cancelled: number];

export interface Timed {
  answers: number;
  seconds: number;
  /** In milliseconds. */
  p50: number;
  p99: number;
}

export interface Rushed {
  /** Registrations until the last place was given, and refusals after that. */
  registered: Timed;
  refused: Timed;
  seconds: number;
  /** How many answers there were of each status. */
  statuses: Record<string, number>;
  retries: number;
  /** How many answers were stored ones, of an earlier try. */
  replayed: number;
  hungUp: number;
  /** The part of a core that this process used. */
  cpu: number;
}

interface Answer {
  status: number;
  replayed: boolean;
  body: string;
}

class Broken extends Error {}

/** One keep-alive connection, with one request at a time. */
class Line {
  #socket: Socket | null = null;
  #got = '';
  #settle: { resolve: (answer: Answer) => void; reject: (error: Error) => void } | null = null;
  readonly #port: number;
  readonly #host: string;

  constructor(url: URL) {
    this.#port = Number(url.port);
    this.#host = url.hostname;
  }

  ask(request: string): Promise<Answer> {
    return new Promise((resolve, reject) => {
      this.#settle = { resolve, reject };
      this.#open().write(request);
    });
  }

  /** Closes the connection, whether or not a request is under way. */
  hangUp(): void {
    this.#socket?.destroy();
    this.#lost(this.#socket, 'hung up');
  }

  #open(): Socket {
    if (this.#socket !== null) return this.#socket;
    const socket = connect({ port: this.#port, host: this.#host, noDelay: true });
    this.#socket = socket;
    this.#got = '';
    socket.setEncoding('latin1'); // one character a byte, as Content-Length counts; only ids and codes are read, which are ASCII
    socket.on('data', (text: string) => this.#take(text));
    socket.on('error', () => this.#lost(socket, 'error'));
    socket.on('close', () => this.#lost(socket, 'closed'));
    return socket;
  }

  #lost(socket: Socket | null, why: string): void {
    if (socket !== this.#socket) return;
    this.#socket = null;
    this.#settle?.reject(new Broken(why));
    this.#settle = null;
  }

  #take(text: string): void {
    this.#got = this.#got === '' ? text : this.#got + text;
    const end = this.#got.indexOf('\r\n\r\n');
    if (end === -1) return;
    const length = /^content-length: (\d+)/im.exec(this.#got);
    const size = end + 4 + Number(length?.[1] ?? 0);
    if (this.#got.length < size) return;
    const head = this.#got.slice(0, end);
    const answer = {
      status: Number(head.slice(9, 12)),
      replayed: /^idempotent-replayed:/im.test(head),
      body: this.#got.slice(end + 4, size),
    };
    this.#got = this.#got.slice(size);
    const settle = this.#settle;
    this.#settle = null;
    settle?.resolve(answer);
  }
}

const RETRY_AFTER_MS = 100;
const GIVES_UP_AFTER_MS = 60_000;

async function rush(job: RushJob): Promise<{ rushed: Rushed; fates: Fate[] }> {
  const url = new URL(job.url);
  const path = `/v1/events/${job.event}/registrations`;
  const post = (to: string, idempotencyKey: string, body: string) =>
    `POST ${to} HTTP/1.1\r\nHost: ${url.host}\r\nAuthorization: Bearer ${job.key}\r\nIdempotency-Key: ${idempotencyKey}\r\n` +
    `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
  const person = (i: number) => ({
    attendee_type: 'adult',
    first_name: 'Ada',
    last_name: `Visitor ${i}`,
    email: `visitor${i}@example.org`,
    ...job.sells?.attendee,
  });
  const registration = (person: object) => JSON.stringify({ attendees: [person], ...job.sells?.registration });
  const attempt = (i: number) => post(path, job.prefix + i, registration(person(i)));

  const fates: Fate[] = [];
  const statuses: Record<string, number> = {};
  const count = (status: number) => {
    statuses[status] = (statuses[status] ?? 0) + 1;
  };
  const taken: number[] = [];
  const refused: { at: number; ms: number }[] = [];
  let next = 0;
  let retries = 0;
  let replayed = 0;
  let hungUp = 0;
  let lastPlaceAt: number | null = null;
  const cpu = process.cpuUsage();
  const started = performance.now();
  const until = started + GIVES_UP_AFTER_MS;

  const ask = async (line: Line, request: string): Promise<Answer> => {
    for (;;) {
      try {
        const answer = await line.ask(request);
        if (answer.status !== 503 || !job.retries) {
          count(answer.status);
          if (answer.replayed) replayed += 1;
          return answer;
        }
      } catch (error) {
        if (!(error instanceof Broken) || !job.retries) throw error;
      }
      if (performance.now() > until) throw new Error('The server has not answered for a minute.');
      retries += 1;
      await sleep(RETRY_AFTER_MS);
    }
  };

  /** Something that goes wrong before an attempt or, where this returns true, in place of it. */
  const mishap = async (line: Line, i: number): Promise<boolean> => {
    const of = i % 40;
    if (of === 3 || of === 23) {
      await ask(line, post(path, `${job.prefix}${i}-bad`, registration({ ...person(i), age: 7 })));
    } else if (of === 11) {
      const whole = attempt(i);
      line.ask(whole.slice(0, whole.length - 20)).catch(() => {});
      await sleep(5);
      line.hangUp();
      hungUp += 1;
    } else if (of === 7 || of === 27) {
      line.ask(attempt(i)).catch(() => {});
      await sleep(i % 50); // sometimes before the server begins, sometimes during its work, sometimes after it
      line.hangUp();
      hungUp += 1;
      return of === 7; // 27 sends it again with the same key
    }
    return false;
  };

  const client = async (): Promise<void> => {
    const line = new Line(url);
    while (next < job.attempts) {
      const i = next;
      next += 1;
      if (job.mix && (await mishap(line, i))) {
        fates.push([i, 0, null, 0]);
        continue;
      }
      const at = performance.now();
      const answer = await ask(line, attempt(i));
      const now = performance.now();
      if (answer.status !== 201) {
        refused.push({ at: now, ms: now - at });
        fates.push([i, answer.status, null, 0]);
        continue;
      }
      const id = answer.body.slice(7, 33); // {"id":"…
      taken.push(now - at);
      if (taken.length === job.capacity) lastPlaceAt = now;
      // Nobody cancels near the end, so that the last attempts fill the event again.
      const cancels = job.mix && i % 8 === 0 && i < job.attempts * 0.7;
      const cancelled = cancels
        ? (await ask(line, post(`${path}/${id}/cancel`, `${job.prefix}${i}-cancel`, '{}'))).status
        : 0;
      fates.push([i, 201, id, cancelled]);
    }
    line.hangUp();
  };
  await Promise.all(Array.from({ length: job.clients }, client));

  const ended = performance.now();
  const { user, system } = process.cpuUsage(cpu);
  const border = lastPlaceAt ?? ended;
  const after = refused.filter(({ at }) => at > border);
  return {
    fates,
    rushed: {
      registered: timed(taken, border - started),
      refused: timed(
        after.map(({ ms }) => ms),
        ended - border,
      ),
      seconds: (ended - started) / 1000,
      statuses,
      retries,
      replayed,
      hungUp,
      cpu: (user + system) / 1000 / (ended - started),
    },
  };
}

function timed(times: number[], ms: number): Timed {
  times.sort((a, b) => a - b);
  const part = (of: number) => times[Math.floor(times.length * of)] ?? 0;
  return { answers: times.length, seconds: ms / 1000, p50: part(0.5), p99: part(0.99) };
}

const job = JSON.parse(readFileSync(process.argv[2]!, 'utf8')) as RushJob;
const { rushed, fates } = await rush(job);
writeFileSync(job.fates, JSON.stringify(fates));
console.log(JSON.stringify(rushed));

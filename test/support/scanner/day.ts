import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'vitest';
import { AppAtGate, type Ticket } from './at-gate.ts';
import { PASS } from './gate.ts';
import { faultIn, type Weather } from './weather.ts';

/** A device may ask the server ten times in a second. */
const PACE_MS = 110;

export interface AtGate {
  readonly app: AppAtGate;
  readonly weather: readonly Weather[];
  readonly tickets: readonly Ticket[];
  /** The folder of a browser that dies, and after which part of its day. */
  readonly dies: { readonly folder: string; readonly after: number } | null;
}

/** What happens at the gates. The networks change, one browser dies, and each ticket is held up when its turn has come. */
export class Day {
  readonly scans: number;
  /** How many tickets were held up and answered. */
  done = 0;
  /** When the last of what was held back on its way has arrived. */
  arrived = 0;
  readonly #gates: readonly AtGate[];
  readonly #random: () => number;
  readonly #ended = new AbortController();

  constructor(gates: readonly AtGate[], random: () => number) {
    this.#gates = gates;
    this.#random = random;
    this.scans = gates.reduce((sum, { tickets }) => sum + tickets.length, 0);
  }

  /** Ends when every ticket was answered and the disasters are over. */
  async run(disasters: Promise<void>): Promise<void> {
    const all = [disasters, ...this.#gates.map((gate) => this.#work(gate))];
    await Promise.all(all).finally(() => this.#ended.abort());
  }

  /** Waits for a part of the day. */
  async reaches(part: number): Promise<void> {
    const { signal } = this.#ended;
    while (this.done < part * this.scans) await pause(5, undefined, { signal });
  }

  async #work(at: AtGate): Promise<void> {
    const { app, weather, tickets, dies } = at;
    let now: Weather | null = null;
    for (const [i, ticket] of tickets.entries()) {
      const next = weather[Math.floor((i / tickets.length) * weather.length)]!;
      if (next !== now) this.#turn(app, next);
      now = next;
      if (dies !== null && i === Math.floor(dies.after * tickets.length)) await this.#die(at, dies.folder, ticket);
      const from = Date.now();
      await app.holdUp(ticket);
      this.done += 1;
      await pause(Math.max(0, from + PACE_MS - Date.now()));
    }
    app.gate.fault = () => PASS;
  }

  #turn({ gate }: AppAtGate, weather: Weather): void {
    gate.fault = faultIn(weather, this.#random, (until) => {
      this.arrived = Math.max(this.arrived, until);
    });
  }

  /** The browser dies while it works on a scan. It is opened again where every answer is a lie; then the ticket is held up again. */
  async #die({ app, tickets }: AtGate, folder: string, ticket: Ticket): Promise<void> {
    const seen = app.holdUp(ticket).catch(() => null);
    await pause(this.#random() * 40);
    expect(await AppAtGate.kill(folder)).toBeGreaterThan(0);
    await seen;
    this.#turn(app, 'portal');
    await app.open();
    await app.page.locator('.scan').waitFor();
    const disk = await app.onDisk();
    expect(disk.queue.length).toBeGreaterThan(10);
    expect(await app.waiting()).toBe(disk.queue.length);
    app.note(disk, (code) => tickets.find((one) => one.code === code)!.person);
  }
}

/**
 * Who comes to which gate, in which order. Every ticket comes to one gate, and `twice` of them to a second one at about the same time.
 * All gates have about the same number of scans.
 */
export function crowd(tickets: readonly Ticket[], gates: number, twice: number, random: () => number): Ticket[][] {
  const at = Array.from({ length: gates }, (): Ticket[] => []);
  const order = tickets.map((ticket) => ({ ticket, by: random() })).sort((a, b) => a.by - b.by);
  const every = tickets.length / twice;
  let second = 0;
  for (const [i, { ticket }] of order.entries()) {
    const first = i % gates;
    at[first]!.push(ticket);
    if (i % every >= 1) continue;
    // Each gate in turn gets a ticket of another one, now of its neighbour, now of the one across.
    at[(first + 1 + (second % (gates - 1))) % gates]!.push(ticket);
    second += 1;
  }
  return at;
}

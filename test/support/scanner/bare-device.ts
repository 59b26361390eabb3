import { expect, vi } from 'vitest';
import * as api from '../../../web/scan/src/engine/index.ts';
import { answerTo } from '../../../web/scan/src/roster/answer.ts';
import type { Ask, FromWorker } from '../../../web/scan/src/roster/api.ts';
import { Keeper } from '../../../web/scan/src/roster/keeper.ts';
import { Db } from '../../../web/scan/src/store/db.ts';
import { KeyRange, MemoryDb } from '../../../web/scan/src/store/testing.ts';
import type { Answered, NotAnswered, ScanOf } from './device.ts';
import { type Asked, type Fault, type Gate, openGate, PASS } from './gate.ts';
import { MovedTime } from './moved-time.ts';

/**
 * Devices without a browser: the engine runs in the test's process, with a storage in memory and a time that the test moves. The network
 * and the server are real. What only a browser shows (a page that dies, storage that is deleted or full, tabs) is tested in one.
 */
export class BareDevices {
  readonly time = new MovedTime();
  readonly storage = new MemoryDb();
  readonly gate: Gate;
  /** What the engine reported instead of throwing it at somebody. */
  readonly errors: unknown[] = [];
  readonly #paired: BareDevice[] = [];
  readonly #page = Object.assign(new EventTarget(), { visibilityState: 'visible' });
  readonly #window = new EventTarget();
  /** Calls whose answer is not here yet, without those that the test holds back. */
  #underWay = 0;
  /** How often changes of a roster were asked for, and up to which of these the answers are here. */
  #changesAsked = 0;
  #changesHere = 0;

  private constructor(gate: Gate) {
    this.gate = gate;
    this.fault = () => PASS;
    const storage = this.storage;
    vi.spyOn(Db.prototype, 'run').mockImplementation((...of) => storage.run(...of));
    const { fetch } = globalThis;
    vi.stubGlobal('fetch', (path: string, init: RequestInit) =>
      path.startsWith('/') ? this.#fetched(path, fetch(gate.url + path, init)) : fetch(path, init),
    );
    const kept = new Map<string, string>();
    const window = this.#window;
    const stand = {
      isSecureContext: true,
      self: { location: { origin: gate.url } },
      IDBKeyRange: KeyRange,
      document: this.#page,
      addEventListener: window.addEventListener.bind(window),
      removeEventListener: window.removeEventListener.bind(window),
      navigator: {
        locks: { request: (_: string, __: unknown, work: (lock: object) => unknown) => Promise.resolve(work({})) },
        getBattery: async () => ({ level: 0.42 }),
      },
      localStorage: {
        getItem: (name: string) => kept.get(name) ?? null,
        setItem: (name: string, value: string) => void kept.set(name, value),
        removeItem: (name: string) => void kept.delete(name),
      },
      reportError: (error: unknown) => this.errors.push(error),
      Worker: class {
        onmessage: ((message: { data: FromWorker }) => void) | null = null;
        readonly #send = (data: FromWorker) => this.onmessage?.({ data: structuredClone(data) });
        readonly #keeper = new Keeper(storage, (progress) => this.#send({ progress }));
        postMessage(asked: Ask): void {
          void answerTo(structuredClone(asked), this.#keeper).then(this.#send);
        }
        terminate(): void {
          this.onmessage = null;
        }
      },
    };
    for (const [name, value] of Object.entries(stand)) vi.stubGlobal(name, value);
  }

  static async start(server: string): Promise<BareDevices> {
    return new BareDevices(await openGate(server, null));
  }

  /** What the network does to each call. */
  set fault(of: (asked: Asked) => Fault) {
    this.gate.fault = (asked) => {
      const fault = of(asked);
      const held = fault.do === 'hold' ? fault.until : fault.do === 'lose answer' ? fault.after : undefined;
      if (held !== undefined) {
        this.#underWay -= 1;
        void held.then(() => {
          this.#underWay += 1;
        });
      }
      return fault;
    };
  }

  async pair(code: string): Promise<BareDevice> {
    const { id } = await api.pair(code, 'Gate 1');
    const device = new BareDevice(this, id);
    this.#paired.push(device);
    expect(await device.open()).toBeNull();
    await device.until((status) => status.tickets !== null && status.loading === null);
    return device;
  }

  /** The browser believes that the network is back. */
  networkBack(): void {
    this.#window.dispatchEvent(new Event('online'));
  }

  show(visibilityState: 'hidden' | 'visible'): void {
    this.#page.visibilityState = visibilityState;
    this.#page.dispatchEvent(new Event('visibilitychange'));
  }

  /** Waits for a state. Time moves on only while no call is under way, so however long the server takes, nobody gives up on it. */
  async until(holds: () => boolean | Promise<boolean>, explain: () => unknown = () => ''): Promise<void> {
    let idle = 0;
    for (const end = performance.now() + 20_000; performance.now() < end; ) {
      if (await holds()) return;
      idle = this.#underWay > 0 ? 0 : idle + 1;
      if (idle > 2) this.time.toNextAlarm();
      await new Promise((resolve) => (idle > 0 ? setImmediate(resolve) : setTimeout(resolve, 1)));
    }
    throw new Error(`This state was not reached: ${holds} ${JSON.stringify(explain())}`);
  }

  /** Waits for changes of the roster that were asked for from now on. An answer that is under way may not know yet what was done last. */
  newestChanges(): Promise<void> {
    const before = this.#changesAsked;
    return this.until(() => this.#changesHere > before);
  }

  async stop(): Promise<void> {
    for (const { engine } of this.#paired) engine.close();
    vi.unstubAllGlobals();
    vi.restoreAllMocks();
    await this.gate.stop();
  }

  async #fetched(path: string, asking: Promise<Response>): Promise<Response> {
    this.#underWay += 1;
    const changes = path.includes('since=') ? ++this.#changesAsked : 0;
    try {
      const response = await asking;
      const { status, headers } = response;
      const body = await response.arrayBuffer();
      return new Response(body.byteLength === 0 ? null : body, { status, headers });
    } finally {
      this.#underWay -= 1;
      this.#changesHere = Math.max(this.#changesHere, changes);
    }
  }
}

/** A paired device. Several have the same network. */
export class BareDevice {
  readonly id: string;
  readonly disagreements: api.Disagreement[] = [];
  engine!: api.Engine;
  readonly #devices: BareDevices;

  constructor(devices: BareDevices, id: string) {
    this.#devices = devices;
    this.id = id;
  }

  /** Opens the engine; returns the fault if that is refused. */
  async open(): Promise<string | null> {
    try {
      this.engine = await api.openEngine(this.id, { time: this.#devices.time });
      this.engine.onDisagreement((one) => this.disagreements.push(one));
      return null;
    } catch (error) {
      return (error as { fault?: string }).fault ?? String(error);
    }
  }

  status(): api.Status {
    return this.engine.status();
  }

  async scan(of: ScanOf): Promise<Answered> {
    const done = await this.tryScan(of);
    if (done.fault !== undefined) throw new Error(`the scan failed: ${done.fault} ${done.code}`);
    return done;
  }

  async tryScan({ code, ticket, point = 'gate', test = false, people }: ScanOf): Promise<Answered | NotAnswered> {
    try {
      return await this.engine.scan(ticket ?? { code: code! }, { point, test, ...(people && { people }) });
    } catch (error) {
      const { fault, code: why } = error as { fault?: string; code?: string | null };
      return { fault: fault ?? String(error), code: why ?? null };
    }
  }

  until(holds: (status: api.Status) => boolean): Promise<void> {
    return this.#devices.until(
      () => holds(this.status()),
      () => this.status(),
    );
  }

  /** The network does this to all calls, and the device has noticed it. */
  async offline(fault: Fault = { do: 'drop' }): Promise<void> {
    this.#devices.fault = () => fault;
    this.#devices.networkBack();
    await this.until(({ connection }) => connection === 'offline');
  }

  /** The network is back, and everything that waited has gone up. */
  async online(): Promise<void> {
    this.#devices.fault = () => PASS;
    this.#devices.networkBack();
    await this.until(({ connection, queue }) => connection === 'online' && queue === 0);
  }
}

import { applyLive, type LiveSnapshot, liveChange } from '@turnout/contract';
import type { Logger } from 'pino';
import type { Clock } from '../../clock.ts';
import { type Id, toUlid } from '../../common/ids.ts';
import type { Caller } from '../../road/caller.ts';
import type { Pool } from '../../store/pool.ts';
import { sixDecimals } from '../../store/stamps.ts';
import { transaction } from '../../store/tx.ts';
import { findEvent } from '../events/index.ts';
import { limitOf } from '../groups/index.ts';
import { readClock } from '../registrations/index.ts';
import { LiveMemory } from './memory.ts';
import { readDevices } from './read.ts';
import type { Sight, Viewer } from './viewer.ts';

export interface LiveTimes {
  /** How often an event is looked at while somebody watches it. */
  tickMs: number;
  /** A stream on which nothing was sent for so long gets a comment, so that nothing on the way takes it for dead. */
  commentMs: number;
}

export interface WatchParts {
  pool: Pool;
  clock: Clock;
  log: Logger;
  times: LiveTimes;
}

/**
 * An event with the viewers who are limited to the same group or to none. One read of the database a second serves all of them. Each
 * change is serialized once for each of their sights, and every viewer with that sight gets the same text.
 */
export class WatchedEvent {
  readonly #parts: WatchParts;
  readonly #event: Id;
  /** The caller of the first viewer. Only its organization and group are used here, and all viewers have the same ones. */
  readonly #caller: Caller;
  readonly #viewers = new Set<Viewer>();
  /** The viewers to which no snapshot was sent yet. */
  readonly #fresh = new Set<Viewer>();
  readonly #memory = new LiveMemory();
  #snapshot: LiveSnapshot | null = null;
  #timer: NodeJS.Timeout | null = null;
  #looking = false;

  constructor(parts: WatchParts, caller: Caller, event: Id) {
    this.#parts = parts;
    this.#caller = caller;
    this.#event = event;
  }

  get viewers(): ReadonlySet<Viewer> {
    return this.#viewers;
  }

  add(viewer: Viewer): void {
    this.#viewers.add(viewer);
    // The next change is computed against the last snapshot, so a viewer who comes later begins with that snapshot.
    if (this.#snapshot !== null) viewer.send(snapshotMessage(this.#snapshot, viewer.sight));
    else this.#fresh.add(viewer);
    if (this.#timer === null && !this.#looking) void this.#look();
  }

  /** Removes a viewer. Polling stops when the last viewer disconnects. */
  remove(viewer: Viewer): void {
    this.#viewers.delete(viewer);
    this.#fresh.delete(viewer);
    if (this.#viewers.size > 0 || this.#timer === null) return;
    clearTimeout(this.#timer);
    this.#timer = null;
  }

  async #look(): Promise<void> {
    this.#timer = null;
    this.#looking = true;
    const began = performance.now();
    try {
      const now = await this.#read();
      if (now === null) for (const viewer of this.#viewers) viewer.end();
      else this.#tell(now);
    } catch (error) {
      // The database may be away for a moment. Viewers keep what they see, and the next look tries again.
      this.#parts.log.warn({ err: error }, 'a live page could not be read');
    }
    this.#looking = false;
    if (this.#viewers.size === 0) return;
    const wait = Math.max(this.#parts.times.tickMs - (performance.now() - began), 0);
    this.#timer = setTimeout(() => void this.#look(), wait);
  }

  /** Null: the event is gone, or it is no longer one that the viewers may see. */
  #read(): Promise<LiveSnapshot | null> {
    const { pool, clock: time } = this.#parts;
    const caller = this.#caller;
    const org = caller.org.id;
    return transaction(
      pool,
      time,
      { role: 'app', org },
      async (tx) => {
        const [event, clock] = await Promise.all([
          findEvent(tx, caller, toUlid(this.#event), 'read'),
          readClock(tx, org, this.#event).catch(() => null),
        ]);
        if (event === null || clock === null) return null;
        const scope = { tx, org, event, limit: limitOf(caller) };
        const known = this.#snapshot;
        if (known?.as_of !== sixDecimals(clock.at) || this.#memory.isBehind(clock))
          return this.#memory.read(scope, clock);
        return { ...known, devices: await readDevices(scope) };
      },
      { readOnly: true },
    );
  }

  #tell(now: LiveSnapshot): void {
    const before = this.#snapshot;
    this.#snapshot = now;
    const messages = new Map<string, string | null>();
    for (const viewer of this.#viewers) {
      if (before === null || this.#fresh.has(viewer)) {
        viewer.send(snapshotMessage(now, viewer.sight));
        continue;
      }
      const key = `${viewer.sight.names} ${viewer.sight.devices}`;
      let message = messages.get(key);
      if (message === undefined) {
        message = changeMessage(before, now, viewer.sight);
        messages.set(key, message);
      }
      if (message !== null) viewer.send(message);
      else if (performance.now() - viewer.sentAt >= this.#parts.times.commentMs) viewer.send(':\n\n');
    }
    this.#fresh.clear();
  }
}

/** What somebody may see of a snapshot. */
const seen = (shown: LiveSnapshot, { names, devices }: Sight): LiveSnapshot => ({
  ...shown,
  check_ins: names ? shown.check_ins : shown.check_ins.map((one) => ({ ...one, name: null })),
  devices: devices ? shown.devices : null,
});

const message = (event: string, data: unknown): string => `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
const snapshotMessage = (shown: LiveSnapshot, sight: Sight): string => message('snapshot', seen(shown, sight));

/** The change; or the whole, if a change cannot tell it because something was taken away. Null: nothing has changed. */
function changeMessage(before: LiveSnapshot, now: LiveSnapshot, sight: Sight): string | null {
  const [was, is] = [seen(before, sight), seen(now, sight)];
  const change = liveChange(was, is);
  const clientView = change === null ? was : applyLive(was, change);
  const differs = JSON.stringify({ ...clientView, as_of: is.as_of }) !== JSON.stringify(is);
  if (differs) return message('snapshot', is);
  return change === null ? null : message('change', change);
}

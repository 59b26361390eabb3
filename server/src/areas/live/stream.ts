import { Body } from '@turnout/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import type { Clock } from '../../clock.ts';
import type { Id } from '../../common/ids.ts';
import { invalidRequest, refuse } from '../../common/refusal.ts';
import type { Caller } from '../../road/caller.ts';
import { stillMembers } from '../../road/for-areas/still-members.ts';
import { hashSecret } from '../../road/gate/authenticate.ts';
import { type Identities, identifyMember, sessionToken } from '../../road/gate/identify.ts';
import { queryCheck } from '../../road/request/validate.ts';
import type { Pool } from '../../store/pool.ts';
import { transaction } from '../../store/tx.ts';
import { findEvent } from '../events/index.ts';
import { Viewer } from './viewer.ts';
import { type LiveTimes, WatchedEvent } from './watched.ts';

export interface LiveSettings extends LiveTimes {
  /** How often the server checks whether viewers still may watch. */
  checkMs: number;
  /** A reader who takes nothing for so long is dropped. */
  stallMs: number;
  /** The most streams of one account, and of this process. */
  mostOfAccount: number;
  most: number;
}

const SETTINGS: LiveSettings = {
  tickMs: 1000,
  commentMs: 15_000,
  checkMs: 4000,
  stallMs: 10_000,
  mostOfAccount: 8,
  most: 2000,
};
/** Nobody watches for longer than this without having been asked for: if the database does not answer, streams end. */
const UNCHECKED = 2;
/** After which time a browser comes again, in milliseconds. */
const RETRY_MS = 2000;

export interface LiveParts extends Identities {
  log: Logger;
  settings?: Partial<LiveSettings>;
}

/** `GET /app/api/{org}/events/{event}/live`: what happens at the doors, as server-sent events. For members only. */
export function liveStream(app: FastifyInstance, parts: LiveParts): void {
  const streams = new Streams(parts, { ...SETTINGS, ...parts.settings });
  const check = queryCheck(Body({}));
  app.get<{ Params: { org: string; event: string } }>('/app/api/:org/events/:event/live', async (request, reply) => {
    const caller = await identifyMember(parts, request, reply);
    requireSight(caller);
    const faults = check(request.query);
    if (faults.length > 0) throw invalidRequest(faults);
    const event = await eventOf(parts, caller, request.params.event);
    return streams.open(request, reply, caller, event);
  });
  // A stop does not wait for people who watch.
  app.addHook('preClose', async () => streams.close());
}

function requireSight({ actor }: Caller): void {
  if (actor.kind === 'member' && actor.permissions.includes('events.read')) return;
  refuse('permission_required', {
    message: 'Your role does not include the permission `events.read`. Ask an owner of the organization for it.',
  });
}

async function eventOf({ pool, clock }: { pool: Pool; clock: Clock }, caller: Caller, ref: string): Promise<Id> {
  const authority = { role: 'app', org: caller.org.id } as const;
  const event = await transaction(pool, clock, authority, (tx) => findEvent(tx, caller, ref, 'read'), {
    readOnly: true,
  });
  return (event ?? refuse('not_found')).id;
}

class Streams {
  readonly #parts: LiveParts;
  readonly #settings: LiveSettings;
  /** By event and group. */
  readonly #watched = new Map<string, WatchedEvent>();
  #count = 0;
  #checking: NodeJS.Timeout | null = null;
  #closed = false;

  constructor(parts: LiveParts, settings: LiveSettings) {
    this.#parts = parts;
    this.#settings = settings;
  }

  /** From the check of the bounds to the entry in the list nothing is awaited, so two streams cannot both take the last place. */
  open(request: FastifyRequest, reply: FastifyReply, caller: Caller, event: Id): FastifyReply {
    this.#requireRoom(caller);
    reply.hijack();
    const { raw } = reply;
    // A viewer who disconnected during the lookup would never leave the list.
    if (raw.destroyed) return reply;
    raw.writeHead(200, {
      ...(reply.getHeaders() as Record<string, string>),
      'Content-Type': 'text/event-stream; charset=utf-8',
      // Proxies that gather answers would keep the news to themselves.
      'X-Accel-Buffering': 'no',
    });
    raw.write(`retry: ${RETRY_MS}\n\n`);
    const session = hashSecret(sessionToken(request, this.#parts.publicUrl) ?? '');
    const viewer = new Viewer(raw, caller, session, this.#settings.stallMs);
    const key = `${caller.org.id} ${event} ${caller.group?.id ?? ''}`;
    const watched =
      this.#watched.get(key) ?? new WatchedEvent({ ...this.#parts, times: this.#settings }, caller, event);
    this.#watched.set(key, watched);
    this.#count += 1;
    raw.once('close', () => {
      this.#count -= 1;
      watched.remove(viewer);
      if (watched.viewers.size === 0 && this.#watched.get(key) === watched) this.#watched.delete(key);
    });
    raw.on('error', () => {}); // the connection broke; `close` follows
    watched.add(viewer);
    this.#checking ??= setTimeout(() => void this.#check(), this.#settings.checkMs);
    return reply;
  }

  #requireRoom({ actor }: Caller): void {
    const { mostOfAccount, most } = this.#settings;
    if (this.#closed || this.#count >= most) {
      refuse('unavailable', { message: 'Too many live pages are open here. Try again in a moment.' });
    }
    const account = actor.kind === 'member' ? actor.account.id : null;
    const own = this.#viewers().filter(
      (one) => one.caller.actor.kind === 'member' && one.caller.actor.account.id === account,
    );
    if (own.length < mostOfAccount) return;
    refuse('rate_limited', {
      message: `You have ${own.length} live pages open, the most one account can have. Close one of them.`,
      headers: { 'Retry-After': '5' },
    });
  }

  #viewers(): Viewer[] {
    return [...this.#watched.values()].flatMap((watched) => [...watched.viewers]);
  }

  /** Asks whether all of them still may watch, and ends the streams of those who may not. */
  async #check(): Promise<void> {
    const { pool, clock, log } = this.#parts;
    const viewers = this.#viewers();
    try {
      const still = await stillMembers(pool, clock, viewers);
      const now = performance.now();
      for (const [i, viewer] of viewers.entries()) {
        if (still[i]) viewer.checkedAt = now;
        else viewer.end();
      }
    } catch (error) {
      log.warn({ err: error }, 'whether people may still watch could not be asked');
      const since = performance.now() - UNCHECKED * this.#settings.checkMs;
      for (const viewer of viewers) if (viewer.checkedAt < since) viewer.end();
    }
    this.#checking = null;
    if (this.#closed || this.#viewers().length === 0) return;
    this.#checking = setTimeout(() => void this.#check(), this.#settings.checkMs);
  }

  close(): void {
    this.#closed = true;
    if (this.#checking !== null) clearTimeout(this.#checking);
    for (const viewer of this.#viewers()) viewer.end();
  }
}

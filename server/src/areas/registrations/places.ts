import type { RefusalCode } from '@turnout/contract';
import type { Id } from '../../common/ids.ts';
import { sql } from '../../store/sql.ts';
import type { Tx } from '../../store/tx.ts';
import type { EventWorld } from './world.ts';

/** How many places are needed in each scope. A scope is the event itself, an attendee type or a day. */
export type Needs = Map<Id, number>;

export interface NoRoom {
  code: Extract<RefusalCode, 'attendee_cap_reached' | 'event_full' | 'type_full' | 'day_full'>;
  scope: Id;
  message: string;
}

interface Count {
  taken: number;
  waiting: number;
}

export interface CountRow extends Count {
  scope_id: Id;
  test: boolean;
}

/**
 * The places of one event. They are read under the event clock and written once at the end. Only one transaction at a time holds
 * the clock, so what fits here fits in the database. Live and test registrations are counted apart, each against the full
 * capacities.
 */
export class Places {
  readonly #world: EventWorld;
  readonly #cap: number | null;
  readonly #counts = new Map<string, Count>();
  readonly #changed = new Set<string>();
  /** Whether a place became free. Only then can anybody be promoted. */
  released = false;

  constructor(world: EventWorld, cap: number | null, rows: readonly CountRow[]) {
    this.#world = world;
    this.#cap = cap;
    for (const row of rows) this.#counts.set(`${row.scope_id} ${row.test}`, { taken: row.taken, waiting: row.waiting });
  }

  static counts(tx: Tx, org: Id, event: Id): Promise<CountRow[]> {
    return tx.all<CountRow>(sql`
      select scope_id, test, taken, waiting from places where org_id = ${org} and event_id = ${event}`);
  }

  #count(scope: Id, test: boolean): Count {
    const key = `${scope} ${test}`;
    let count = this.#counts.get(key);
    if (count === undefined) {
      count = { taken: 0, waiting: 0 };
      this.#counts.set(key, count);
    }
    return count;
  }

  #capacity(scope: Id): number | null {
    const { event, days, types } = this.#world;
    if (scope === event.id) return event.capacity;
    return (days.get(scope) ?? types.get(scope))?.capacity ?? null;
  }

  taken(scope: Id, test: boolean): number {
    return this.#count(scope, test).taken;
  }

  /** Every scope without room for these needs, in the order in which they are refused. */
  lacking(needs: Needs, test: boolean): NoRoom[] {
    const { event, days, types } = this.#world;
    const found: NoRoom[] = [];
    const more = needs.get(event.id) ?? 0;
    if (this.#cap !== null && more > 0 && this.taken(event.id, test) + more > this.#cap) {
      found.push({
        code: 'attendee_cap_reached',
        scope: event.id,
        message: `The plan allows ${this.#cap} ${this.#cap === 1 ? 'attendee' : 'attendees'} for one event.`,
      });
    }
    for (const [code, table] of [
      ['event_full', new Map([[event.id, event]])],
      ['type_full', types],
      ['day_full', days],
    ] as const) {
      for (const [scope, need] of needs) {
        const what = table.get(scope);
        const capacity = this.#capacity(scope);
        if (what === undefined || capacity === null) continue;
        const left = capacity - this.taken(scope, test);
        if (need <= left) continue;
        const words =
          code === 'event_full'
            ? 'The event'
            : code === 'type_full'
              ? `The attendee type ${what.code}`
              : `The day ${what.code}`;
        found.push({
          code,
          scope,
          message: left > 0 ? `${words} has ${left} ${left === 1 ? 'place' : 'places'} left.` : `${words} is full.`,
        });
      }
    }
    return found;
  }

  /** The scopes of these needs that somebody on the waitlist waits for. Newcomers queue behind them. */
  awaited(needs: Needs, test: boolean): Id[] {
    return [...needs.keys()].filter((scope) => this.#count(scope, test).waiting > 0);
  }

  /** Why there is no place for these needs: none is left, or others wait for one and come first. Null if there is one. */
  refusal(needs: Needs, test: boolean): Pick<NoRoom, 'code' | 'message'> | null {
    const [lacking] = this.lacking(needs, test);
    if (lacking !== undefined) return lacking;
    const [scope] = this.awaited(needs, test);
    if (scope === undefined) return null;
    const { event, types, days } = this.#world;
    const waiting = (where: string) => `Others wait for ${where}, and free places go to them first.`;
    if (scope === event.id) return { code: 'event_full', message: waiting('the event') };
    const type = types.get(scope);
    if (type !== undefined) return { code: 'type_full', message: waiting(`the attendee type ${type.code}`) };
    return { code: 'day_full', message: waiting(`the day ${days.get(scope)?.code}`) };
  }

  anybodyWaits(test: boolean): boolean {
    for (const [key, count] of this.#counts) if (count.waiting > 0 && key.endsWith(` ${test}`)) return true;
    return false;
  }

  take(needs: Needs, test: boolean, sign: 1 | -1): void {
    if (sign === -1) this.released = true;
    for (const [scope, need] of needs) {
      this.#count(scope, test).taken += sign * need;
      this.#changed.add(`${scope} ${test}`);
    }
  }

  changeWaiting(scopes: readonly Id[], test: boolean, sign: 1 | -1): void {
    for (const scope of scopes) {
      this.#count(scope, test).waiting += sign;
      this.#changed.add(`${scope} ${test}`);
    }
  }

  write(tx: Tx, org: Id): void {
    if (this.#changed.size === 0) return;
    const rows = [...this.#changed].sort().map((key) => {
      const [scope, test] = key.split(' ') as [Id, string];
      return { scope, test: test === 'true', ...this.#counts.get(key)! };
    });
    tx.send(sql`
      insert into places (org_id, event_id, scope_id, test, taken, waiting)
      select ${org}, ${this.#world.event.id}, r.* from unnest(${rows.map((r) => r.scope)}::uuid[], ${rows.map((r) => r.test)}::boolean[],
        ${rows.map((r) => r.taken)}::int[], ${rows.map((r) => r.waiting)}::int[]) r
      on conflict (org_id, event_id, scope_id, test) do update set taken = excluded.taken, waiting = excluded.waiting`);
  }
}

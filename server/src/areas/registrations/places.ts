import type { RefusalCode } from '@turnout/contract';
import type { Id } from '../../common/ids.ts';
import { sql } from '../../store/sql.ts';
import type { Tx } from '../../store/tx.ts';
import type { DiscountRow } from '../events/index.ts';
import type { Needs } from './needs.ts';
import { SCOPE_ORDER, type Scope, scopeOfEvent, scopesOf } from './scopes.ts';
import type { EventWorld } from './world.ts';

export interface NoRoom {
  code: Scope['code'] | Extract<RefusalCode, 'attendee_cap_reached'>;
  scope: Id;
  message: string;
}

interface Uses {
  scope: Scope;
  /** Live and test. */
  taken: Record<`${boolean}`, number>;
  changed: boolean;
}

interface Count {
  taken: number;
  waiting: number;
}

export interface CountRow extends Count {
  scope_id: Id;
  test: boolean;
}

const NONE: Readonly<Record<Scope['unit'], string>> = { place: 'is full', unit: 'is sold out', use: 'is used up' };
const order = ({ code }: Pick<NoRoom, 'code'>): number => SCOPE_ORDER.indexOf(code as Scope['code']);

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
  /** The discounts of which uses are taken or given back. */
  readonly #discounts = new Map<Id, Uses>();
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

  /** A discount is not part of the event's structure. Whoever takes uses of one says first how many it has. */
  limit({ id, code, max_people, used, used_test }: DiscountRow): void {
    if (this.#discounts.has(id)) return;
    const scope: Scope = { code: 'discount_used_up', capacity: max_people, words: `The code ${code}`, unit: 'use' };
    this.#discounts.set(id, { scope, taken: { false: used, true: used_test }, changed: false });
  }

  #scope(id: Id): Scope | undefined {
    const world = this.#world;
    return id === world.event.id ? scopeOfEvent(world) : (scopesOf(world).get(id) ?? this.#discounts.get(id)?.scope);
  }

  taken(scope: Id, test: boolean): number {
    return this.#discounts.get(scope)?.taken[`${test}`] ?? this.#count(scope, test).taken;
  }

  /** How much is left of a scope. Infinity: it has no limit. */
  left(scope: Id, test: boolean): number {
    return (this.#scope(scope)?.capacity ?? Number.POSITIVE_INFINITY) - this.taken(scope, test);
  }

  /** Every scope without room for these needs, in the order in which they are refused. */
  lacking(needs: Needs, test: boolean): NoRoom[] {
    const found: NoRoom[] = [];
    for (const [id, need] of needs) {
      const left = this.left(id, test);
      if (need <= left) continue;
      const { code, words, unit } = this.#scope(id)!;
      const message =
        left > 0 ? `${words} has ${left} ${left === 1 ? unit : `${unit}s`} left.` : `${words} ${NONE[unit]}.`;
      found.push({ code, scope: id, message });
    }
    found.sort((a, b) => order(a) - order(b));
    const { event } = this.#world;
    const more = needs.get(event.id) ?? 0;
    if (this.#cap !== null && more > 0 && this.taken(event.id, test) + more > this.#cap) {
      found.unshift({
        code: 'attendee_cap_reached',
        scope: event.id,
        message: `The plan allows ${this.#cap} ${this.#cap === 1 ? 'attendee' : 'attendees'} for one event.`,
      });
    }
    return found;
  }

  /**
   * The scopes of these needs that somebody on the waitlist waits for. Newcomers queue behind them; but nobody queues for a use of a
   * code, which not everybody can have.
   */
  awaited(needs: Needs, test: boolean): Id[] {
    return [...needs.keys()].filter((scope) => this.#count(scope, test).waiting > 0 && !this.#discounts.has(scope));
  }

  /** Why there is no place for these needs: none is left, or others wait for one and come first. Null if there is one. */
  refusal(needs: Needs, test: boolean): Pick<NoRoom, 'code' | 'message'> | null {
    const [lacking] = this.lacking(needs, test);
    if (lacking !== undefined) return lacking;
    const [awaited] = this.awaited(needs, test)
      .map((id) => this.#scope(id))
      .filter((scope) => scope !== undefined)
      .sort((a, b) => order(a) - order(b));
    if (awaited === undefined) return null;
    const where = awaited.words.replace('The', 'the');
    return { code: awaited.code, message: `Others wait for ${where}, and free places go to them first.` };
  }

  anybodyWaits(test: boolean): boolean {
    for (const [key, count] of this.#counts) if (count.waiting > 0 && key.endsWith(` ${test}`)) return true;
    return false;
  }

  take(needs: Needs, test: boolean, sign: 1 | -1): void {
    if (sign === -1) this.released = true;
    for (const [scope, need] of needs) {
      const discount = this.#discounts.get(scope);
      if (discount !== undefined) {
        discount.taken[`${test}`] += sign * need;
        discount.changed = true;
        continue;
      }
      if (this.#scope(scope) === undefined) throw new Error('Nobody has said what this scope is, or how much it has.');
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
    for (const [id, { taken, changed }] of this.#discounts) {
      if (!changed) continue;
      tx.send(
        sql`update discounts set used = ${taken.false}, used_test = ${taken.true} where org_id = ${org} and id = ${id}`,
      );
    }
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

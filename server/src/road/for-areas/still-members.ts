import { type Clock, monthOf } from '../../clock.ts';
import type { Id } from '../../common/ids.ts';
import { lookup } from '../../store/lookup.ts';
import type { Pool } from '../../store/pool.ts';
import type { Caller } from '../caller.ts';

/** Somebody whose answer goes on for as long as they may see it. */
export interface Watching {
  caller: Caller;
  /** The hash of the session's token. */
  session: Buffer;
}

interface Row {
  n: number;
  member_id: Id | null;
  role: string;
  group_id: Id | null;
  require_second_factor: boolean;
  second_factor: boolean;
}

/**
 * Tells whether each of them is still who they were when they came: the same session, membership, role and group. All are asked for in
 * one statement, however many there are. It does not count as use of the session: a page that nobody touches must not keep it alive.
 */
export async function stillMembers(pool: Pool, clock: Clock, watching: readonly Watching[]): Promise<boolean[]> {
  if (watching.length === 0) return [];
  const { rows } = await lookup<Row>(pool, {
    name: 'find_sessions',
    text: `select t.n::int, s.member_id, s.role, s.group_id, s.require_second_factor, s.second_factor
      from unnest($1::bytea[], $2::uuid[]) with ordinality as t(hash, org, n)
      cross join lateral directory.find_session(t.hash, null, t.org, $3, $4) s`,
    values: [
      watching.map((one) => one.session),
      watching.map((one) => one.caller.org.id),
      monthOf(clock.now()),
      clock.now(),
    ],
  });
  const found = new Map(rows.map((row) => [row.n, row]));
  return watching.map(({ caller: { actor, group } }, i) => {
    const row = found.get(i + 1);
    return (
      row !== undefined &&
      actor.kind === 'member' &&
      row.member_id === actor.id &&
      row.role === actor.role &&
      row.group_id === (group?.id ?? null) &&
      (row.second_factor || !row.require_second_factor)
    );
  });
}

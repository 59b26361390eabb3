import type { HandOut } from '@turnout/contract';
import { type Id, parseRef, toUlid, ulidOrNull } from '../../common/ids.ts';
import type { Work } from '../../road/operation.ts';
import { reference } from '../../road/request/reference.ts';
import { every, type Sql, sql } from '../../store/sql.ts';
import { stamps } from '../../store/stamps.ts';
import type { Tx } from '../../store/tx.ts';
import type { EventRow } from '../events/index.ts';
import { eventGroup, handOutInReach, limitOf } from '../groups/index.ts';

/** A row of the table `hand_outs`, with the codes that it is shown with. */
export interface HandOutRow {
  id: Id;
  event_id: Id;
  registration_id: Id;
  /** Null: booked for the whole registration. */
  attendee_id: Id | null;
  group_id: Id | null;
  product_id: Id;
  product: string;
  option_id: Id | null;
  option: string | null;
  client_uuid: string;
  check_in_point_id: Id | null;
  check_in_point: string | null;
  test: boolean;
  surplus: boolean;
  handed_out_at: string;
  actor_kind: string;
  actor_id: Id | null;
  actor_name: string;
  undone_at: string | null;
  undone_by: string | null;
  undo_reason: string | null;
  created_at: string;
  updated_at: string;
}

/** Hand-outs of an event: `where` and `order` are about `h`. */
export const readHandOuts = (tx: Tx, org: Id, event: Id, where: Sql, order: Sql = sql``): Promise<HandOutRow[]> =>
  tx.all<HandOutRow>(sql`
    select h.id, h.event_id, h.registration_id, h.attendee_id, h.group_id, h.product_id, p.code as product, h.option_id,
      (select o ->> 'code' from jsonb_array_elements(p.options) o where o ->> 'id' = h.option_id::text) as option,
      h.client_uuid, h.check_in_point_id, k.code as check_in_point, h.test, h.surplus, h.handed_out_at,
      h.actor_kind, h.actor_id, h.actor_name, h.undone_at, h.undone_by, h.undo_reason, h.created_at, h.updated_at
    from hand_outs h
    join products p on p.org_id = h.org_id and p.id = h.product_id
    left join check_in_points k on k.org_id = h.org_id and k.id = h.check_in_point_id
    where h.org_id = ${org} and h.event_id = ${event} and ${where} ${order}`);

export const handOutShape = (row: HandOutRow): HandOut => ({
  id: toUlid(row.id),
  event_id: toUlid(row.event_id),
  registration_id: toUlid(row.registration_id),
  attendee_id: ulidOrNull(row.attendee_id),
  product: row.product,
  option: row.option,
  client_uuid: row.client_uuid,
  check_in_point: row.check_in_point,
  handed_out_at: row.handed_out_at,
  actor: { kind: row.actor_kind, id: ulidOrNull(row.actor_id), name: row.actor_name },
  test: row.test,
  surplus: row.surplus,
  undone_at: row.undone_at,
  undo_reason: row.undo_reason,
  ...stamps(row),
});

/** A caller sees the hand-outs of its own mode, and, if limited to a group, what was booked by the group's attendees. */
export const handOutsSeen = ({ caller, mode }: Pick<Work, 'caller' | 'mode'>, event: EventRow): Sql =>
  every([
    sql`h.test = ${mode === 'test'}`,
    caller.group !== null && handOutInReach(limitOf(caller), 'h', eventGroup(event)),
  ]);

export const aHandOut = reference<HandOutRow, { event: EventRow }>({
  kind: 'hand_out',
  byCode: false,
  find: async (reach, ref, { event }) => {
    const { id } = parseRef(ref);
    if (id === null) return null;
    const [found] = await readHandOuts(
      reach.tx,
      reach.org,
      event.id,
      sql`h.id = ${id} and ${handOutsSeen(reach, event)}`,
    );
    return found ?? null;
  },
});

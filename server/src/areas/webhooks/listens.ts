import { type Sql, sql } from '../../store/sql.ts';

/** Whether an endpoint `w` gets an occurrence `o`. This does not look at the endpoint's group. */
export const LISTENS = sql`w.deleted_at is null and w.status <> 'paused_plan' and w.since <= o.created_at and not (w.test and o.livemode)
  and ('*' = any(w.events) or o.type = any(w.events)) and (w.event_id is null or w.event_id = o.event_id)`;

/** Whether the group of a delivery that was recorded for `w` lies in the group that `w` has now. */
export const isInItsGroup = (group: Sql): Sql => sql`(w.group_id is null or exists (
  select from groups g where g.org_id = w.org_id and g.id = ${group} and w.group_id = any(g.path)))`;

import type { Clock } from '../../clock.ts';
import type { Id } from '../../common/ids.ts';
import { writeAudit, writeOutbox } from '../../road/write/record.ts';
import type { Pool } from '../../store/pool.ts';
import { sql } from '../../store/sql.ts';
import { jobTransaction, type Tx } from '../../store/tx.ts';
import { Book } from './book.ts';
import type { PaymentState, RegistrationState } from './state.ts';

export interface EventKey {
  org_id: Id;
  event_id: Id;
}

/** How many attendees the plan or the operator allows for one event. Null: any number. */
export async function attendeeCap(tx: Tx, org: Id): Promise<number | null> {
  const { cap } = await tx.one<{ cap: number | null }>(sql`
    select coalesce((o.limits->>'attendees_per_event')::int, (p.limits->>'attendees_per_event')::int) as cap
    from organizations o join plans p on p.code = o.plan where o.id = ${org}`);
  return cap;
}

/** Opens an event's book for the system and acts on it. What happens goes to the webhooks, as it does for a call of the API. */
export function withBook<T>(
  pool: Pool,
  clock: Clock,
  { org_id, event_id }: EventKey,
  act: (book: Book) => Promise<T>,
): Promise<T> {
  return jobTransaction(pool, clock, { role: 'app', org: org_id }, async (tx) => {
    const book = await Book.open(tx, org_id, event_id, await attendeeCap(tx, org_id));
    const done = await act(book);
    const { occurred } = await book.close();
    writeOutbox(
      tx,
      org_id,
      [...occurred.values()].flat().map((one) => ({ ...one, event: event_id })),
    );
    return done;
  });
}

/** Writes a row of the audit log about a registration and its payments, in the name of the system. */
export function auditBySystem(
  { tx, org, world }: Book,
  registration: RegistrationState,
  payments: readonly Pick<PaymentState, 'id'>[],
  { name, action, details }: { name: string; action: string; details: object },
): void {
  writeAudit(tx, org, [
    {
      action,
      kind: 'registration',
      id: registration.id,
      event: world.event.id,
      group: registration.group_id,
      details: { ...details, code: registration.code },
      objects: payments.map(({ id }) => ({ kind: 'payment', id })),
      caller: { actor: { kind: 'system', id: null, name }, mode: 'live' },
      source: 'system',
      client: null,
      requestId: null,
    },
  ]);
}

import { Body } from '@turnout/contract';
import Type from 'typebox';
import { type Id, newId, toUlid } from '../../server/src/common/ids.ts';
import { Refusal } from '../../server/src/common/refusal.ts';
import { operation } from '../../server/src/road/operation.ts';
import { sql } from '../../server/src/store/sql.ts';

/**
 * Small operations that only tests mount: one whose calls have a transaction each, one whose calls share a transaction. Both leave
 * rows that can be counted (a note in `mails`, an occurrence in the outbox), so that a test can check that something happened once.
 */
const Note = Type.Object({ id: Type.String(), text: Type.String(), batch: Type.Integer() });
const NoteCreate = Body({
  text: Type.String(),
  wait_ms: Type.Optional(Type.Integer()),
  fail: Type.Optional(Type.String()),
});

async function write(tx: import('../../server/src/store/tx.ts').Tx, org: Id, text: string): Promise<Id> {
  const now = tx.clock.now();
  const id = newId(now);
  await tx.run(sql`
    insert into mails (org_id, id, kind, recipient, subject, text, status, next_attempt_at, created_at)
    values (${org}, ${id}, 'note', 'nobody', ${text}, ${text}, 'sent', ${now}, ${now})`);
  return id;
}

const common = {
  scope: 'write',
  entitlement: 'api_write',
  member: null,
  method: 'POST',
  at: {},
  body: NoteCreate,
  reply: Note,
  status: 201,
  refusals: ['invalid_state'],
  tag: 'Notes',
} as const;

const occurrence = (id: Id, text: string) =>
  ({ type: 'registration.created', event: null, group: null, livemode: true, data: { id: toUlid(id), text } }) as const;

export const createNote = operation({
  ...common,
  id: 'createNote',
  path: '/notes',
  audit: 'note.created',
  summary: 'A note',
  handle: async (call) => {
    const id = await write(call.tx, call.org, call.body.text);
    call.raise(occurrence(id, call.body.text));
    call.changed({ kind: 'note', id, changes: { text: [null, call.body.text] } });
    if (call.body.wait_ms !== undefined) await call.tx.run(sql`select pg_sleep(${call.body.wait_ms / 1000})`);
    if (call.body.fail === 'refuse') throw new Refusal('invalid_state', { message: 'refused on purpose' });
    if (call.body.fail === 'validate') throw new Refusal('validation_failed', { message: 'not valid on purpose' });
    if (call.body.fail === 'fault') throw new Error('a fault on purpose');
    return { id: toUlid(id), text: call.body.text, batch: 1 };
  },
});

let batches = 0;
/** How many transactions the shared operation has used so far. */
export const batchCount = (): number => batches;

export const shareNote = operation({
  ...common,
  id: 'shareNote',
  path: '/shared-notes',
  audit: 'note.shared',
  summary: 'A note among many',
  together: {
    by: () => 'notes',
    handle: async (items) => {
      batches += 1;
      const replies: ({ id: string; text: string; batch: number } | Refusal)[] = [];
      for (const item of items) {
        if (item.body.fail === 'fault') throw new Error('a fault on purpose');
        if (item.body.fail === 'refuse') {
          replies.push(new Refusal('invalid_state', { message: 'refused on purpose' }));
          continue;
        }
        const id = await write(item.tx, item.org, item.body.text);
        if (item.body.fail === 'sql') await item.tx.run(sql`select 1 / 0`);
        item.raise(occurrence(id, item.body.text));
        item.changed({ kind: 'note', id });
        replies.push({ id: toUlid(id), text: item.body.text, batch: items.length });
      }
      return replies;
    },
  },
});

export const noteOperations = [createNote, shareNote];

/** How many rows a note has left: notes, audit rows, outbox rows. */
export const traces = (t: import('./turnout.ts').TestTurnout, text: string) =>
  t.system((tx) =>
    tx.one<{ notes: number; audit: number; outbox: number }>(sql`
      select (select count(*)::int from mails where subject = ${text}) as notes,
        (select count(*)::int from audit_log a join mails m on m.id = a.object_id where m.subject = ${text}) as audit,
        (select count(*)::int from outbox where data::json->>'text' = ${text}) as outbox`),
  );

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Fair, openFair } from '../server/src/areas/scanning/fair.support.ts';
import { toUuid } from '../server/src/common/ids.ts';
import { sql } from '../server/src/store/sql.ts';
import { ROOT } from './support/running.ts';

/** Mails that an earlier version of the app has queued are written by the one of today (docs/internals/formats.md). */

interface Kept {
  names: Record<string, string>;
  /** What each of the mails keeps for itself. */
  mails: Record<string, object>;
  /** What they share. */
  content: object;
}
const text = readFileSync(join(ROOT, 'test/fixtures/formats/mails-1.json'), 'utf8');
const { names }: Kept = JSON.parse(text);

let fair: Fair;
beforeAll(async () => {
  fair = await openFair();
});
afterAll(() => fair.t.stop());

test('mails about a registration are sent from what was kept of it then', async () => {
  const person = (first_name: string, last_name: string, email: string) => ({
    ...{ attendee_type: 'adult', first_name, last_name, email, days: ['d1'] },
  });
  const { body } = await fair.post('/events/fair/registrations', {
    contact: { first_name: 'Ada', last_name: 'Byron', email: 'ada@example.org' },
    attendees: [person('Ada', 'Other', 'ada@example.org'), person('Grace', 'Other', 'grace@example.org')],
  });
  const [ada, grace] = body.attendees;
  const [ticket] = ada.tickets;
  const today: Record<string, string> = {
    ...{ registration: body.code, ticket: ticket.id, code: ticket.code, ada: ada.id, grace: grace.id },
    "grace's row": toUuid(grace.id),
  };
  const kept: Kept = JSON.parse(
    Object.entries(names).reduce((all, [name, old]) => all.replaceAll(old, today[name]!), text),
  );
  await fair.t.system(async (tx) => {
    await tx.run(sql`update mail_contents set data = ${JSON.stringify(kept.content)}`);
    for (const [kind, data] of Object.entries(kept.mails)) {
      expect(await tx.run(sql`update mails set data = ${JSON.stringify(data)} where kind = ${kind}`)).toBe(1);
    }
  });
  await fair.t.step.mails();
  const sent = await fair.t.system((tx) =>
    tx.all<{ status: string; last_error: string | null }>(sql`select status, last_error from mails order by kind`),
  );
  expect(sent).toEqual(Object.keys(kept.mails).map(() => ({ status: 'sent', last_error: null })));
});

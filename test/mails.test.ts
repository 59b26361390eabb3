import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { MAIL_KINDS } from '../server/src/outside/mail-templates/index.ts';

/** The table "Every kind": the kind, and the budgets that bound it. */
const rows = [...readFileSync('docs/internals/mails.md', 'utf8').matchAll(/^\| `(\w+)` \|.*\| ([^|]+) \|$/gm)].map(
  (row) => ({
    kind: row[1]!,
    budget: row[2]!,
  }),
);

/** What stands behind `kind:` in a file that queues mails: a text, a template with its two endings, or a name of the same area. */
const QUEUED =
  /(?:queueMail|queueToRender|queueAccountMail|queueMessages|insertMails)\(|into mails|insertRow\(tx, 'mails'/;
const sources = globSync('server/src/{areas,road}/**/*.ts')
  .filter((file) => !/\.(test|support)\.ts$/.test(file))
  .map((file) => ({ file, text: readFileSync(file, 'utf8') }));

/** The kinds that are not about registrations, by the file that queues them. A file that is missing here fails the test below. */
const ELSEWHERE: Record<string, string[]> = {
  'server/src/areas/access/key-mails.ts': ['api_key_created'],
  'server/src/areas/accounts/email.ts': ['account_email', 'account_email_changed'],
  'server/src/areas/accounts/mail-sign-in.ts': ['account_sign_in'],
  'server/src/areas/accounts/start.ts': ['account_sign_up'],
  'server/src/areas/communications/mails.ts': ['communication', 'communication_test'],
  'server/src/areas/hosts/mails.ts': ['tenant_host_missing', 'tenant_host_dropped'],
  'server/src/areas/members/invitations.ts': ['invitation'],
  'server/src/areas/pages/my-links.ts': ['registration_links'],
  'server/src/areas/plans/warn.ts': ['api_calls_80', 'api_calls_100'],
  'server/src/areas/registrations/duplicate-mails.ts': ['duplicate_payment_refunded', 'duplicate_payment_stuck'],
  'server/src/areas/webhooks/health.ts': ['webhook_failing', 'webhook_paused'],
};
/** They queue the kinds of MAIL_KINDS, or pass on what others queue. */
const ABOUT_REGISTRATIONS = [
  'server/src/areas/registrations/mails.ts',
  'server/src/areas/registrations/ticket-mails.ts',
  'server/src/areas/registrations/held-mails.ts',
];
const PASSING_ON = [
  'server/src/areas/accounts/mails.ts',
  'server/src/areas/communications/erase.ts',
  'server/src/areas/communications/preview.ts',
  'server/src/areas/communications/send.ts',
  'server/src/areas/communications/test-sends.ts',
  'server/src/road/for-areas/mail-rows.ts',
  'server/src/road/for-areas/mail.ts',
];

test('every file that queues mails is known here', () => {
  const queueing = sources.filter(({ text }) => QUEUED.test(text)).map(({ file }) => file);
  expect(queueing.filter((file) => !PASSING_ON.includes(file)).sort()).toEqual(
    [...Object.keys(ELSEWHERE), ...ABOUT_REGISTRATIONS].sort(),
  );
});

test('every kind of mail stands in the table once, and the table names no other', () => {
  const kinds = [...MAIL_KINDS, ...Object.values(ELSEWHERE).flat()].sort();
  expect(rows.map(({ kind }) => kind).sort()).toEqual(kinds);
});

test('every kind has a budget that the page explains', () => {
  const text = readFileSync('docs/internals/mails.md', 'utf8');
  const explained = [...text.matchAll(/^\| \*\*(\w+)\*\* \|/gm)].map((row) => row[1]!);
  expect(explained.length).toBeGreaterThan(5);
  for (const { kind, budget } of rows) {
    const named = explained.filter((name) => budget.includes(name));
    expect([kind, named.length > 0 || budget.includes('places come free')]).toEqual([kind, true]);
  }
});

test('the figures on the page are those of the code', async () => {
  const { EVENT_MAILS, STRANGER_MAILS } = await import('../server/src/areas/registrations/stranger-mails.ts');
  const text = readFileSync('docs/internals/mails.md', 'utf8');
  expect(text).toContain(`${STRANGER_MAILS.hour} in any hour and ${STRANGER_MAILS.day} in any day`);
  expect(text).toContain(`${EVENT_MAILS.toLocaleString('en')} an hour for one event`);
});

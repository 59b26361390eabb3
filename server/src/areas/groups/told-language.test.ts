import { afterEach, beforeEach, expect, test } from 'vitest';
import { startTest, type TestTurnout } from '../../../../test/support/turnout.ts';
import { DAY, monthOf } from '../../clock.ts';
import { type Id, newId } from '../../common/ids.ts';
import { sql } from '../../store/sql.ts';
import { addMember } from '../access/index.ts';
import { warnOfUsage } from '../plans/index.ts';
import { countAttempts, FAILURES_TO_FAILING, pauseLongFailing } from '../webhooks/health.ts';

/** Owners get mails about calls and webhooks in the language that each of them has chosen. */

const LANGUAGES = ['de', 'en', 'es', 'fr'];
let t: TestTurnout;
let org: Id;
beforeEach(async () => {
  t = await startTest();
  org = await t.org('acme');
  await t.plan('acme', 'growth');
  await t.system(async (tx) => {
    for (const language of LANGUAGES) {
      await addMember(tx, org, { email: `${language}@example.org`, role: 'owner' });
      await tx.run(sql`
        update accounts set language = ${language}, name = ${`Ada ${language}`} where email = ${`${language}@example.org`}`);
    }
  });
});
afterEach(() => t.stop());

/** The mails since the last call, by the language of who gets them. */
const mailsByLanguage = async () => {
  const rows = await t.system((tx) =>
    tx.all<{ recipient: string; subject: string; text: string }>(
      sql`with taken as (delete from mails returning recipient, subject, text) select * from taken order by recipient`,
    ),
  );
  expect(rows.map(({ recipient }) => recipient)).toEqual(LANGUAGES.map((language) => `${language}@example.org`));
  return Object.fromEntries(rows.map(({ subject, text }, i) => [LANGUAGES[i]!, { subject, text }]));
};

test('80 and then 100 % of the calls are used', async () => {
  for (const [calls, percent, en, de, es, fr] of [
    [90_000, 80, 'Above 150 %', 'Über 150 %', 'Por encima del 150 %', 'Au-delà de 150 %'],
    [100_000, 100, 'up to 150 %', 'Bis 150 %', 'hasta el 150 %', 'jusqu’à 150 %'],
  ] as const) {
    const month = monthOf(t.clock.now());
    await t.system((tx) =>
      tx.run(sql`
        insert into api_usage as u (org_id, month, calls) values (${org}, ${month}, ${calls})
        on conflict (org_id, month) do update set calls = ${calls}`),
    );
    expect(await warnOfUsage(t.pool, t.clock, [org])).toBe(1);
    const mails = await mailsByLanguage();
    expect(mails.en!.subject).toBe(`acme events: ${percent} % of this month's API calls are used`);
    expect(mails.en!.text).toContain(
      `Hello Ada en,\n\nthe integrations of acme events have used ${percent} % of the 100,000 API calls that the plan growth includes for ${month}.\n\n`,
    );
    expect(mails.de!.subject).toBe(`acme events: ${percent} % der API-Aufrufe dieses Monats sind verbraucht`);
    expect(mails.de!.text).toContain('Hallo Ada de,\n\n');
    expect(mails.de!.text).toContain('100.000 API-Aufrufe');
    for (const [language, text] of Object.entries({ en, de, es, fr })) expect(mails[language]!.text).toContain(text);
  }
});

test('an endpoint that fails, and is paused after seven days', async () => {
  const at = t.clock.now();
  const id = newId(at);
  await t.system(async (tx) => {
    await tx.run(sql`
      insert into webhook_endpoints (org_id, id, url, events, status, secret, secret_last4, since, created_at, updated_at)
      values (${org}, ${id}, 'https://x.example/in', '{*}', 'healthy', '', '', ${at}, ${at}, ${at})`);
    const attempt = { org_id: org, endpoint_id: id, succeeded: false, at };
    await countAttempts(tx, Array(FAILURES_TO_FAILING).fill(attempt));
  });
  const failing = await mailsByLanguage();
  expect(failing.en).toEqual({
    subject: 'acme events: the webhook endpoint at x.example is failing',
    text: 'Hello Ada en,\n\nThe last 50 attempts to deliver webhooks to https://x.example/in failed.\n\nWe keep trying. If the endpoint fails for seven days, we pause it. The delivery log in the app says why each attempt failed.\n\nTurnout',
  });
  expect(failing.de!.text).toContain('Die letzten 50 Zustellungen an https://x.example/in sind');
  expect(failing.fr!.text).toContain('Bonjour Ada fr,\n\nLes 50 derniers envois');
  expect(failing.es!.text).toContain('Hola, Ada es:\n\nLas últimas 50 entregas');
  t.clock.advance(7 * DAY);
  expect(await t.system((tx) => pauseLongFailing(tx))).toBe(1);
  const paused = await mailsByLanguage();
  expect(paused.en!.subject).toBe('acme events: the webhook endpoint at x.example is paused');
  expect(paused.de!.subject).toBe('acme events: Der Webhook an x.example ist angehalten');
  expect(paused.es!.subject).toBe('acme events: el webhook a x.example está en pausa');
  expect(paused.fr!.subject).toContain('le webhook vers x.example est en pause');
});

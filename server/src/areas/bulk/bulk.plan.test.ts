import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runSql } from '../../../../test/support/database.ts';
import { explain, nodesOf, recording } from '../../../../test/support/statements.ts';
import type { Id } from '../../common/ids.ts';
import { type Acting, openActing, people, together } from './bulk.support.ts';

let x: Acting;
beforeAll(async () => {
  x = await openActing();
});
afterAll(() => x.t.stop());

const ITEMS = 20_000;

test.each(['force_custom_plan', 'force_generic_plan'] as const)(
  'a step reads its own items, and not all that follow (%s)',
  async (mode) => {
    const event = await x.event();
    const ids = people(await together(x, event, 7));
    await x.start(event, { action: 'reissue', ids });
    const [statement] = (await recording(() => x.t.step.jobs())).filter(({ text }) => text.includes('with few as'));
    const admin = (text: string, values: unknown[]) => runSql(x.t.database.adminUrl, text, values);
    const [job] = (await admin('select org_id, job_id from bulk_items order by job_id desc limit 1', [])) as [
      { org_id: Id; job_id: Id },
    ];
    await admin(
      `insert into bulk_items (org_id, job_id, number, object_id)
       select $1, $2, n, gen_random_uuid() from generate_series(8, $3::int) n`,
      [job.org_id, job.job_id, ITEMS],
    );
    const reader = new pg.Client(x.t.database.adminUrl);
    await reader.connect();
    const plan = await explain(reader, job.org_id, statement!, { analyze: true, mode });
    await reader.end();
    expect(plan['Actual Rows'], 'five, and those who follow of the registration').toBe(7);
    const read = nodesOf(plan).map(
      (node) => ((node['Actual Rows'] ?? 0) + (node['Rows Removed by Filter'] ?? 0)) * (node['Actual Loops'] ?? 1),
    );
    expect(Math.max(...read)).toBeLessThan(100);
  },
);

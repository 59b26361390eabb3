// Bench: thousands of organizations with some background work each and one with a flood; how long a lone one waits, with 1 and 2 processes
import { writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { NODE_FLAGS } from '../scripts/node-flags.mjs';
import { newId } from '../server/src/common/ids.ts';
import { sql } from '../server/src/store/sql.ts';
import { Authority } from '../test/support/receivers.ts';
import { cpuOf, cpuOfFamily } from './cpu.ts';
import { benchmark, busy, machine, median, table, whole } from './support.ts';
import { call, startBenchTurnout } from './turnout.ts';

/*
 * All organizations have one occurrence, one mail and one job waiting, and one of them has very many occurrences and mails and as many jobs as
 * it may have. Everything becomes visible at once. What is measured belongs to the organization that was made last and raised its occurrence
 * last, so whoever serves the oldest first, or in the order of ids, comes to it after everybody else. The jobs of the others fail at once.
 */
const { values: options } = parseArgs({
  options: {
    rounds: { type: 'string', default: '3' },
    organizations: { type: 'string', default: '10000' },
    flood: { type: 'string', default: '100000' },
    processes: { type: 'string', default: '1,2' },
  },
});
const rounds = Number(options.rounds);
const organizations = Number(options.organizations);
const flood = Number(options.flood);
const JOBS_OF_FLOOD = 20;
const LONGEST_MS = 600_000;

const counts = (port: number): Promise<number[]> =>
  new Promise((resolve, reject) => {
    let text = '';
    const socket = connect(port, '127.0.0.1', () => socket.write('counts\n'));
    socket.on('data', (chunk) => (text += chunk));
    socket.on('end', () => resolve(JSON.parse(text).counts));
    socket.on('error', reject);
  });

await benchmark(async (bench) => {
  const others = busy();
  const authority = await Authority.make();
  const { key, cert } = await authority.issue(['127.0.0.1']);
  const ca = join(bench.folder(), 'ca.pem');
  writeFileSync(ca, authority.pem);
  const receivers = await bench.child<{ ports: number[]; control: number }>('webhooks-receiver.ts', {
    KEY: key,
    CERT: cert,
    RECEIVERS: '2',
  });
  const env = {
    ROLES: 'api,worker',
    SECRET_KEY: Buffer.alloc(32, 5).toString('base64'),
    WEBHOOK_ALLOWED_NETWORKS: '127.0.0.1/32',
    WEBHOOK_CA_FILE: ca,
    LOG_LEVEL: 'error',
    FILES_URL: `file://${bench.folder()}`,
  };
  const turnout = await startBenchTurnout(bench, { env });
  // One endpoint is made by a call, for its secret; the others are copies of it with the same.
  const first = await turnout.org('first');
  const hook = (port: number) => `https://127.0.0.1:${port}/hook`;
  await call(turnout.url, first.key, 'POST', '/v1/webhooks', { url: hook(receivers.ports[0]!), events: ['*'] });
  const { system } = turnout;
  bench.say(`making ${whole(organizations)} organizations`);
  const last = newId(new Date(Date.now() + 3_600_000));
  await system(async (tx) => {
    await tx.run(sql`
      insert into organizations (id, code, name, plan, created_at, updated_at)
      select case n when ${organizations} then ${last}::uuid else (${newId(new Date()).slice(0, 24)}::text || lpad(to_hex(n), 12, '0'))::uuid end,
        'org' || n, 'Org ' || n, 'scale', now(), now() from generate_series(2, ${organizations}) n`);
    await tx.run(sql`
      insert into webhook_endpoints (org_id, id, url, events, status, secret, secret_last4, since, created_at, updated_at)
      select o.id, gen_random_uuid(), case o.id when ${last} then ${hook(receivers.ports[1]!)} else e.url end, e.events, e.status, e.secret,
        e.secret_last4, e.since, now(), now() from organizations o, webhook_endpoints e where o.id <> ${first.id} and e.org_id = ${first.id}`);
  });

  /** Everything at once. The lone organization comes last in every order. */
  const fill = (): Promise<void> =>
    system(async (tx) => {
      const now = new Date();
      const data = JSON.stringify({ note: 'x'.repeat(900) });
      const head = '{"id":"evt_x","type":"registration.created","data":';
      const many = sql`(select ${first.id}::uuid as id from generate_series(2, ${flood}) union all select id from organizations where id <> ${last}
        union all select ${last}::uuid)`;
      await tx.run(sql`
        insert into outbox (org_id, id, type, livemode, data, created_at, head)
        select id, (${newId(now).slice(0, 24)}::text || lpad(to_hex(row_number() over ()), 12, '0'))::uuid, 'registration.created', true, ${data}, ${now}, ${head}
        from ${many} o`);
      await tx.run(sql`
        insert into mails (org_id, id, kind, recipient, subject, text, next_attempt_at, created_at)
        select id, (${newId(now).slice(0, 24)}::text || lpad(to_hex(row_number() over ()), 12, '0'))::uuid, 'note', 'a@example.org', 'Hello', 'Hello', ${now}, ${now}
        from ${many} o`);
      await tx.run(sql`
        insert into jobs (org_id, id, kind, status, test, actor, input, due_at, created_at, updated_at)
        select id, (${newId(now).slice(0, 24)}::text || lpad(to_hex(row_number() over ()), 12, '0'))::uuid, 'export', 'queued', false,
          '{"kind": "system", "id": null, "name": "bench", "source": "system", "client": null, "requestId": null}', '{}', ${now}, ${now}, ${now}
        from (select ${first.id}::uuid as id from generate_series(2, ${JOBS_OF_FLOOD}) union all select id from organizations where id <> ${last}
          union all select ${last}::uuid) o`);
    });
  const empty = async (): Promise<void> => {
    for (const name of ['outbox', 'webhook_queue', 'jobs'] as const) {
      await system((tx) =>
        tx.run(
          name === 'outbox'
            ? sql`delete from outbox`
            : name === 'jobs'
              ? sql`delete from jobs`
              : sql`delete from webhook_queue`,
        ),
      );
    }
    await system((tx) => tx.run(sql`delete from mails`));
    await sleep(3000);
    // What was under way when the rows went.
    await system((tx) => tx.run(sql`delete from webhook_queue`));
    await system((tx) => tx.run(sql`delete from webhook_deliveries`));
    await system((tx) => tx.run(sql`delete from webhook_envelopes`));
    await system((tx) => tx.run(sql`delete from webhook_attempts`));
  };
  type What = 'webhook' | 'mail' | 'job';
  const round = async (): Promise<Record<What, number> & { cpu: number | null }> => {
    const before = (await counts(receivers.control))[1]!;
    await fill();
    const started = performance.now();
    const cpuBefore = turnout.databasePid === null ? null : cpuOfFamily(turnout.databasePid);
    const done: Partial<Record<What, number>> = {};
    while (Object.keys(done).length < 3) {
      if (performance.now() - started > LONGEST_MS) throw new Error(`only ${Object.keys(done)} after ${LONGEST_MS} ms`);
      const passed = performance.now() - started;
      const [{ mail, job }] = [
        await system((tx) =>
          tx.one<{ mail: boolean; job: boolean }>(sql`
            select exists (select from mails where org_id = ${last} and status <> 'queued') as mail,
              exists (select from jobs where org_id = ${last} and status not in ('queued', 'running')) as job`),
        ),
      ];
      if (mail) done.mail ??= passed;
      if (job) done.job ??= passed;
      if ((await counts(receivers.control))[1]! > before) done.webhook ??= passed;
      await sleep(50);
    }
    const cpu = cpuBefore === null ? null : cpuOfFamily(turnout.databasePid!)! - cpuBefore;
    await empty();
    return { ...(done as Record<What, number>), cpu };
  };

  const rows: string[][] = [];
  let processes = 1;
  const pids = [turnout.pid];
  for (const wanted of options.processes.split(',').map(Number)) {
    for (; processes < wanted; processes += 1) {
      const { pid } = await bench.child<{ pid: number }>(
        'server.ts',
        {
          ...env,
          ROLES: 'worker',
          PORT: '0',
          DATA_DIR: bench.folder(),
          SANDBOX: 'off',
          DATABASE_URL: turnout.databaseUrl,
        },
        NODE_FLAGS,
      );
      pids.push(pid);
    }
    const found: Awaited<ReturnType<typeof round>>[] = [];
    for (let n = 1; n <= rounds; n += 1) {
      found.push(await round());
      const { webhook, mail, job } = found.at(-1)!;
      bench.say(
        `${wanted} process(es), round ${n}: webhook ${whole(webhook)} ms, mail ${whole(mail)} ms, job ${whole(job)} ms`,
      );
    }
    for (const what of ['webhook', 'mail', 'job'] as const) {
      const times = found.map((one) => one[what] / 1000);
      rows.push([
        what,
        String(wanted),
        median(times).toFixed(1),
        `${Math.min(...times).toFixed(1)}–${Math.max(...times).toFixed(1)}`,
      ]);
    }
  }
  console.log(
    `\n${whole(organizations)} organizations with an occurrence, a mail and a job each, one with ${whole(flood)} occurrences and mails and ${JOBS_OF_FLOOD} jobs; ${rounds} rounds. ${machine()}`,
  );
  if (others !== null) console.log(others);
  console.log(`\nSeconds until what the lone organization waits for is done:\n`);
  console.log(table(['what', 'processes', 'median', 'from–to'], rows));
  console.log(
    `\nProcessor time of Node since the start: ${pids.map((pid) => `${whole((cpuOf(pid) ?? 0) / 1000)} s`).join(', ')}`,
  );
});

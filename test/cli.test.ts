import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { allCommands } from '../server/src/cli/commands.ts';
import { runCommandLine } from '../server/src/cli/run.ts';
import { migrations } from '../server/src/store/migrate.ts';
import { cloneDatabase, runSql, type TestDatabase } from './support/database.ts';
import { cleanUp, complete, leftBehind, newFolder, ROOT, type Server, serve } from './support/running.ts';
import { call } from './support/turnout.ts';

interface Answer {
  code: number | null;
  stdout: string;
  stderr: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests read what they expect
  json: any;
}

const BIN = [process.execPath, join(ROOT, 'server', 'bin', 'turnout.mjs')];
const answerOf = ({ code, stdout, stderr }: Omit<Answer, 'json'>): Answer => ({
  ...{ code, stdout, stderr },
  json: stdout.startsWith('{') ? JSON.parse(stdout) : null,
});
/** As an operator runs it, in a process of its own. */
const turnoutProcess = async (env: Record<string, string>, ...args: string[]): Promise<Answer> =>
  answerOf(await complete([...BIN, ...args], env));
/** The same command line in this process. Starting one of its own takes longer than most commands. */
async function turnout(env: Record<string, string>, ...args: string[]): Promise<Answer> {
  const said = { stdout: '', stderr: '' };
  const out = vi.spyOn(console, 'log').mockImplementation((line) => {
    said.stdout += `${line}\n`;
  });
  const error = vi.spyOn(console, 'error').mockImplementation((line) => {
    said.stderr += `${line}\n`;
  });
  try {
    return answerOf({ code: await runCommandLine(args, env), ...said });
  } finally {
    out.mockRestore();
    error.mockRestore();
  }
}
/** Expects a refusal: nothing on standard output, and one line for a person on standard error. */
function expectRefused(answer: Answer, code: number, says: RegExp): void {
  expect({ code: answer.code, stdout: answer.stdout }).toEqual({ code, stdout: '' });
  expect(answer.stderr).toMatch(says);
  expect(answer.stderr.trim().split('\n')).toHaveLength(1);
}

let database: TestDatabase;
let elsewhere: Record<string, string>;
beforeAll(async () => {
  database = await cloneDatabase();
  elsewhere = { DATABASE_URL: database.url, DATA_DIR: newFolder() };
});
afterAll(async () => {
  await cleanUp();
  await database.drop();
});

describe('beside a running server', () => {
  const DATA_DIR = newFolder();
  const here = { DATA_DIR };
  let server: Server;
  beforeAll(async () => {
    server = await serve({ DATA_DIR, LOG_LEVEL: 'error' });
  });
  // Commands beside it have not disturbed the server.
  afterAll(async () => {
    expect((await fetch(`${server.url}/readyz`)).status).toBe(200);
    server.signal('SIGTERM');
    expect(await server.ended).toEqual({ code: 0, signal: null });
    expect(await leftBehind(DATA_DIR)).toEqual([]);
  });
  /** Each test has an organization of its own. */
  const newOrg = async (code: string) => {
    const made = await turnout(here, 'org', 'create', '--code', code, '--name', `${code} events`, '--plan', 'scale');
    expect([made.code, made.stderr]).toEqual([0, '']);
  };
  const me = (key: string) => call(server.url, 'GET', '/v1/me', { key });
  const keyFor = async (org: string, scopes: string, ...options: string[]) => {
    const words = ['key', 'create', '--org', org, '--name', 'till', '--mode', 'live', '--scopes', scopes];
    const made = await turnout(here, ...words, ...options);
    expect([made.code, made.stderr]).toEqual([0, '']);
    return made.json;
  };

  test('npx turnout org create answers JSON and says nothing else; the code is then taken', async () => {
    const acme = ['org', 'create', '--code', 'acme', '--name', 'Acme Events', '--plan', 'scale'];
    const made = await complete(['npx', 'turnout', ...acme, '--timezone', 'Europe/Berlin'], here);
    expect({ code: made.code, stderr: made.stderr.replace(/^npm warn .*\n/gm, '') }).toEqual({ code: 0, stderr: '' });
    expect(JSON.parse(made.stdout)).toEqual({
      id: expect.stringMatching(/^[0-9A-Z]{26}$/),
      code: 'acme',
      name: 'Acme Events',
      timezone: 'Europe/Berlin',
      plan: 'scale',
      limits: {},
    });
    expectRefused(
      await turnoutProcess(here, ...acme),
      1,
      /^turnout org create: There is already an organization with the code acme/,
    );
  });

  test('a key works on the next request, and fails on the next one after it was revoked', async () => {
    await newOrg('keys');
    const key = await keyFor('keys', 'read,write', '--rpm', '77', '--expires', '2099-01-01');
    expect(key).toMatchObject({ mode: 'live', scopes: ['read', 'write'], requests_per_minute: 77 });
    const profile = await me(key.secret);
    expect([profile.status, profile.body.organization.code]).toEqual([200, 'keys']);
    expect(profile.body.key).toMatchObject({
      id: key.id,
      expires_at: '2099-01-01T00:00:00Z',
      requests_per_minute: 77,
    });

    const revoked = await turnout(here, 'key', 'revoke', key.id);
    expect([revoked.code, revoked.json.id, revoked.stderr]).toEqual([0, key.id, '']);
    expect((await me(key.secret)).status).toBe(401);
    // Revoking it again changes nothing.
    expect((await turnout(here, 'key', 'revoke', key.id)).json).toEqual(revoked.json);
    expectRefused(await turnout(here, 'key', 'revoke', 'nobody'), 1, /There is no API key nobody/);
  });

  test('a key for other addresses, a key for one group, and keys that are refused', async () => {
    await newOrg('reach');
    const far = await keyFor('reach', 'read,write', '--allow', '192.0.2.0/24,2001:db8::/32');
    expect(far.allowed_addresses).toEqual(['192.0.2.0/24', '2001:db8::/32']);
    expect((await me(far.secret)).status).toBe(403);

    const any = await keyFor('reach', 'read,write,admin');
    const body = { code: 'north', name: 'North' };
    expect((await call(server.url, 'POST', '/v1/groups', { key: any.secret, body })).status).toBe(201);
    const north = await keyFor('reach', 'read,write', '--group', 'north');
    expect((await me(north.secret)).body.key.group).toBe('north');
    expect(north.group).toBe('north');

    const key = ['key', 'create', '--org', 'reach', '--name', 'x', '--mode', 'live'];
    expectRefused(await turnout(here, ...key, '--scopes', 'everything'), 1, /everything/);
    expectRefused(await turnout(here, ...key, '--scopes', 'read', '--group', 'south'), 1, /no group south/);
    expectRefused(await turnout(here, ...key, '--scopes', 'read', '--rpm', 'many'), 1, /--rpm/);
    const over = ['--scopes', 'read', '--expires', '2020-01-01'];
    expectRefused(
      await turnout(here, ...key, ...over),
      1,
      /^turnout key create: --expires must be in the future; with 2020-01-01/,
    );
  });

  test('a plan and its limits hold from the next request', async () => {
    await newOrg('plans');
    const { secret } = await keyFor('plans', 'read,write');
    const limit = ['org', 'plan', '--org', 'plans', '--plan', 'growth', '--limit'];
    const changed = await turnout(here, ...limit, 'api_rate_per_min=5000', '--limit', 'attendees_per_event=7');
    expect([changed.code, changed.json]).toMatchObject([
      0,
      { plan: 'growth', limits: { api_rate_per_min: 5000, attendees_per_event: 7 } },
    ]);
    const { plan } = (await me(secret)).body;
    expect([plan.code, plan.limits]).toMatchObject(['growth', { api_rate_per_min: 5000, attendees_per_event: 7 }]);

    const back = await turnout(here, ...limit, 'api_rate_per_min=default,attendees_per_event=default');
    expect(back.json.limits).toEqual({});
    expect((await me(secret)).body.plan.limits.api_rate_per_min).not.toBe(5000);
    expectRefused(await turnout(here, ...limit, 'tables=4'), 1, /tables is not a limit/);
    expectRefused(await turnout(here, 'org', 'plan', '--org', 'nobody'), 1, /no organization nobody/);
  });

  /** The link that was printed, accepted as a browser does it. */
  const accept = async (link: string, name: string) => {
    const token = /^\S+\/app\/-\/invitation#([\w-]{43})$/.exec(link)![1]!;
    return call(server.url, 'POST', '/app/api/-/invitations/accept', {
      body: { token, name, password: 'a long horse and a battery' },
    });
  };

  test('member add prints a link with which somebody becomes a member; the operator changes and removes them', async () => {
    await newOrg('members');
    const of = ['--org', 'members', '--email', 'ada@example.org'];
    const added = await turnout(here, 'member', 'add', ...of, '--role', 'owner');
    expect([added.code, added.stderr]).toEqual([0, '']);
    expect(added.json).toMatchObject({ email: 'ada@example.org', role: 'owner', mailed: false, invited_by: null });
    expectRefused(await turnout(here, 'member', 'add', ...of, '--role', 'door'), 1, /is already invited/);
    expectRefused(await turnout(here, 'member', 'add', ...of, '--role', 'king'), 1, /king is not a role/);
    const group = ['--email', 'x@example.org', '--role', 'door', '--group', 'south'];
    expectRefused(await turnout(here, 'member', 'add', '--org', 'members', ...group), 1, /no group south/);
    const again = await turnout(here, 'member', 'invite-link', ...of);
    expect((await accept(added.json.link, 'Ada')).status).toBe(404);
    const joined = await accept(again.json.link, 'Ada');
    expect([joined.status, joined.body]).toMatchObject([200, { status: 'signed_in', organization: 'members' }]);
    const cookie = joined.headers
      .getSetCookie()
      .map((line) => line.split(';')[0])
      .join('; ');
    const role = async () => {
      const reply = await fetch(`${server.url}/app/api/members/membership`, { headers: { cookie } });
      return reply.status === 200 ? (await reply.json()).member.role : reply.status;
    };
    expect(await role()).toBe('owner');
    expectRefused(await turnout(here, 'member', 'add', ...of, '--role', 'door'), 1, /is already a member/);
    expectRefused(await turnout(here, 'member', 'remove', ...of), 1, /this is the last one/);

    const bob = await turnout(
      here,
      'member',
      'add',
      '--org',
      'members',
      '--email',
      'bob@example.org',
      '--role',
      'owner',
      '--send',
    );
    expect(bob.json.mailed).toBe(true);
    expect((await accept(bob.json.link, 'Bob')).status).toBe(200);
    expect((await turnout(here, 'member', 'role', ...of, '--role', 'desk')).json).toMatchObject({
      role: 'desk',
      group: null,
    });
    expect(await role()).toBe('desk');
    const out = await turnout(here, 'member', 'sign-out', '--email', 'ADA@example.org');
    expect(out.json).toEqual({ email: 'ada@example.org', sessions_ended: 1 });
    expect(await role()).toBe(401);
    expect((await turnout(here, 'member', 'reset-factors', '--email', 'ada@example.org')).json).toEqual({
      email: 'ada@example.org',
      totp_removed: false,
      passkeys_removed: 0,
      sessions_ended: 0,
    });
    expect((await turnout(here, 'member', 'remove', ...of)).json).toMatchObject({ removed_from: 'members' });
    expectRefused(await turnout(here, 'member', 'remove', ...of), 1, /is not a member of members/);
    expectRefused(await turnout(here, 'member', 'sign-out', '--email', 'no@example.org'), 1, /no account/);

    const { secret } = await keyFor('members', 'admin');
    const log = await call(server.url, 'GET', '/v1/audit-log?limit=100', { key: secret });
    const byOperator = log.body.data.filter((one: { source: string }) => one.source === 'cli');
    expect(byOperator.map((one: { action: string }) => one.action)).toEqual(
      expect.arrayContaining([
        'invitation.created',
        'invitation.sent',
        'member.changed',
        'member.removed',
        'account.sessions_ended',
        'account.factors_reset',
      ]),
    );
  });

  test('organizations, keys and members are listed, and no secret with them', async () => {
    await newOrg('listed');
    const orgs = await turnout(here, 'org', 'list');
    expect([orgs.code, orgs.stderr]).toEqual([0, '']);
    const codes = orgs.json.data.map((org: { code: string }) => org.code);
    expect(codes).toEqual(expect.arrayContaining(['listed', 'sandbox']));
    expect(codes).toEqual(codes.toSorted());
    expect(orgs.json.data[codes.indexOf('listed')]).toMatchObject({
      name: 'listed events',
      plan: 'scale',
      sandbox: false,
    });

    const admin = await keyFor('listed', 'read,write,admin');
    const group = { key: admin.secret, body: { code: 'north', name: 'North' } };
    expect((await call(server.url, 'POST', '/v1/groups', group)).status).toBe(201);
    expect((await turnout(here, 'key', 'revoke', admin.id)).code).toBe(0);
    const ada = await turnout(
      here,
      'member',
      'add',
      '--org',
      'listed',
      '--email',
      'ada@listed.example',
      '--role',
      'owner',
    );
    expect((await accept(ada.json.link, 'Ada')).status).toBe(200);

    const made = await keyFor('listed', 'read', '--group', 'north', '--expires', '2099-01-01');
    const keys = await turnout(here, 'key', 'list', '--org', 'listed');
    expect([keys.code, keys.stderr]).toEqual([0, '']);
    expect(keys.json.data[0]).toEqual({
      ...{ id: made.id, name: 'till', mode: 'live', scopes: ['read'], group: 'north', state: 'usable' },
      ...{
        expires_at: '2099-01-01T00:00:00Z',
        revoked_at: null,
        last_used_at: null,
        created_by: null,
        allowed_addresses: null,
        requests_per_minute: null,
      },
      ...{ last4: made.secret.slice(-4), created_at: expect.any(String) },
    });
    expect(keys.json.data.map((key: { state: string }) => key.state)).toContain('revoked');
    expect(keys.stdout).not.toContain(made.secret);

    const members = await turnout(here, 'member', 'list', '--org', 'listed');
    expect(members.json.data).toEqual([
      {
        ...{ id: expect.stringMatching(/^[0-9A-Z]{26}$/), email: 'ada@listed.example', name: 'Ada', role: 'owner' },
        ...{ group: null, created_at: expect.any(String) },
      },
    ]);
  });

  test('org set changes what a member could change, and nothing else', async () => {
    await newOrg('settings');
    const { secret } = await keyFor('settings', 'read');
    const set = (...options: string[]) => turnout(here, 'org', 'set', '--org', 'settings', ...options);
    const words = ['--term', 'attendee=Guest, or two', '--term', 'attendees=Guests'];
    const done = await set(
      '--name',
      'Acme',
      '--timezone',
      'America/Lima',
      '--currency',
      'PEN',
      '--language',
      'es',
      ...words,
    );
    expect([done.code, done.stderr]).toEqual([0, '']);
    expect(done.json).toMatchObject({
      ...{ code: 'settings', name: 'Acme', timezone: 'America/Lima', plan: 'scale', limits: {} },
      defaults: { currency: 'PEN', language: 'es' },
      terminology: { attendee: 'Guest, or two', attendees: 'Guests', ticket: 'ticket' },
    });
    const profile = (await me(secret)).body;
    expect(profile.organization).toMatchObject({ name: 'Acme', timezone: 'America/Lima' });
    expect(profile.terminology.attendee).toBe('Guest, or two');
    expect((await set('--term', 'attendee=')).json.terminology).toMatchObject({
      attendee: 'attendee',
      attendees: 'Guests',
    });

    expectRefused(await set('--timezone', 'Mars/Olympus'), 1, /^turnout org set: timezone must be an IANA time zone/);
    expect((await me(secret)).body.organization).toEqual(profile.organization);
  });

  test('what the operator did is in the audit log of the organization', async () => {
    await newOrg('logged');
    const admin = await keyFor('logged', 'read,admin');
    const old = await keyFor('logged', 'read');
    for (const command of [
      ['key', 'revoke', old.id],
      ['org', 'set', '--org', 'logged', '--name', 'Logged'],
      ['member', 'add', '--org', 'logged', '--email', 'ada@logged.example', '--role', 'owner'],
    ]) {
      expect((await turnout(here, ...command)).code).toBe(0);
    }
    const log = await call(server.url, 'GET', '/v1/audit-log?limit=100', { key: admin.secret });
    expect(log.status).toBe(200);
    const actions = log.body.data.map((entry: { action: string }) => entry.action);
    expect(actions).toEqual(
      expect.arrayContaining([
        'organization.created',
        'organization.changed',
        'api_key.created',
        'api_key.revoked',
        'invitation.created',
      ]),
    );
    expect(log.text).not.toContain(admin.secret);
  });

  test('the sandbox starts over under the same key', async () => {
    const key = 'svc_test_SandboxPublicKeyForEverybody0001';
    expect((await call(server.url, 'POST', '/v1/events', { key, body: { code: 'mine', name: 'Mine' } })).status).toBe(
      201,
    );
    const refreshed = await turnout(here, 'sandbox', 'refresh');
    expect([refreshed.code, refreshed.json]).toEqual([0, { organization: 'sandbox', event: 'lakeside-fair' }]);
    const status = async (code: string) => (await call(server.url, 'GET', `/v1/events/${code}`, { key })).status;
    expect([await status('mine'), await status('lakeside-fair')]).toEqual([404, 200]);
  });

  test('migrate and doctor find everything in order', async () => {
    expect((await turnout(here, 'migrate')).json).toEqual({ schema: migrations().at(-1)!.name });
    const beside = { ...here, PUBLIC_URL: server.url };
    const healthy = await turnout(beside, 'doctor', '--json');
    expect([healthy.code, healthy.json.ok, healthy.stderr]).toEqual([0, true, '']);
    expect(healthy.json.findings).toContainEqual(expect.objectContaining({ check: 'workers', state: 'ok' }));
    expect(healthy.json.findings).toContainEqual(expect.objectContaining({ check: 'PUBLIC_URL', state: 'ok' }));
    const text = await turnoutProcess(beside, 'doctor');
    expect([text.code, text.stderr]).toEqual([0, '']);
    expect(text.stdout).toMatch(/^ {2}ok {7}database: PostgreSQL 18\S* answers and takes writes\.$/m);
    expect(text.stdout).toMatch(/^\d+ findings: \d+ ok, \d+ warnings?, 0 failed$/m);
  });
});

describe('without a server', () => {
  test('the embedded database is started for the command and stopped after it', async () => {
    const DATA_DIR = newFolder();
    const create = ['org', 'create', '--name', 'Solo', '--plan', 'free', '--code'];
    const first = await turnoutProcess({ DATA_DIR }, ...create, 'solo');
    expect([first.code, first.json.code]).toEqual([0, 'solo']);
    expect(first.stderr).toMatch(/starting PostgreSQL/);
    expect(await leftBehind(DATA_DIR)).toEqual([]);

    const again = await turnoutProcess({ DATA_DIR }, ...create, 'solo');
    expect([again.code, again.stdout]).toEqual([1, '']);
    expect(again.stderr).toMatch(/There is already an organization with the code solo\.\n$/);
    expect(await leftBehind(DATA_DIR)).toEqual([]);
  });

  test('with DATABASE_URL no database is started; doctor exits 1 if something is wrong', async () => {
    expect((await turnout(elsewhere, 'sandbox', 'refresh')).code).toBe(0);
    await runSql(database.adminUrl, 'delete from event_clocks');
    await runSql(
      database.adminUrl,
      `insert into scans (org_id, event_id, client_uuid, fingerprint, answer, created_at)
       select id, gen_random_uuid(), gen_random_uuid(), '', '{}', now() from organizations limit 1`,
    );
    const sick = await turnout(elsewhere, 'doctor', '--json');
    expect([sick.code, sick.json.ok]).toEqual([1, false]);
    expect(sick.json.findings).toContainEqual(
      expect.objectContaining({
        check: 'check-ins',
        ok: false,
        says: expect.stringMatching(/^rows that refer to something deleted: 0 check-ins, 1 scan$/),
      }),
    );
    expect(sick.json.findings).toContainEqual(expect.objectContaining({ check: 'event clocks', ok: false }));
  });

  test('a database that does not answer, and a wrong setting: exit 1 and one line', async () => {
    const nobody = { ...elsewhere, DATABASE_URL: 'postgres://turnout@127.0.0.1:1/turnout' };
    expectRefused(await turnout(nobody, 'org', 'list'), 1, /^turnout org list: the database cannot be reached/);
    const alone = await turnout(nobody, 'doctor', '--json');
    expect([alone.code, alone.json.findings[0]]).toMatchObject([1, { check: 'database', state: 'failed' }]);
    expectRefused(await turnout({ ...elsewhere, PORT: 'x' }, 'doctor'), 1, /PORT=x is not a whole number/);
  });
});

describe('licenses', () => {
  const folder = newFolder();
  const file = join(folder, 'issuer.pem');
  let issuer: string;
  let license: { id: string; license_key: string };
  beforeAll(async () => {
    const made = await turnout({}, 'license', 'keygen', '--out', file);
    expect([made.code, made.json.private_key_file, made.stderr]).toEqual([0, file, '']);
    issuer = made.json.public_key;
    const issued = await turnout({}, 'license', 'issue', '--private-key', file, '--licensee', 'Acme GmbH');
    expect([issued.code, issued.json]).toMatchObject([0, { licensee: 'Acme GmbH' }]);
    license = issued.json;
  });
  const show = (env: Record<string, string>) => turnout(env, 'license', 'show');

  test('keygen keeps the private key to its owner and never overwrites one', async () => {
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const before = readFileSync(file, 'utf8');
    const again = await turnout({}, 'license', 'keygen', '--out', file);
    expect([again.code, again.stdout]).toEqual([1, '']);
    expect(readFileSync(file, 'utf8')).toBe(before);
  });

  test('show says whether there is a license, whether it is genuine and whether it is still valid', async () => {
    const env = { LICENSE_KEY: license.license_key, LICENSE_PUBLIC_KEY: issuer };
    const { license_key: _key, ...told } = license;
    expect((await show(env)).json).toEqual({ validity: 'valid', ...told });
    expect((await show({})).json).toEqual({ validity: 'missing' });
    const forged = { ...env, LICENSE_KEY: license.license_key.replace(/.$/, (last) => (last === 'A' ? 'Q' : 'A')) };
    expect((await show(forged)).json).toEqual({ validity: 'does_not_verify' });
    const old = ['license', 'issue', '--private-key', file, '--licensee', 'Acme', '--expires'];
    const past = await turnout({}, ...old, '2020-01-01');
    expect((await show({ ...env, LICENSE_KEY: past.json.license_key })).json).toMatchObject({ validity: 'expired' });
    expectRefused(await turnout({}, ...old, 'someday'), 1, /someday is not a time/);
  });

  test('a notice revokes a license, a forged notice does not', async () => {
    const env = { ...elsewhere, LICENSE_PUBLIC_KEY: issuer };
    const noticed = await turnout({}, 'license', 'notice', '--private-key', file, '--id', license.id);
    expect([noticed.code, noticed.json.license_id]).toEqual([0, license.id]);
    expectRefused(await turnout(env, 'license', 'revoke', `${noticed.json.notice}x`), 1, /does not verify/);
    const installation = 'select license_id, license_revoked_at from installation';
    expect(await runSql(database.adminUrl, installation)).not.toContainEqual({ license_id: license.id });

    // The first start makes the row of the installation.
    const server = await serve({ ...env, SANDBOX: 'off', ROLES: 'worker' });
    server.signal('SIGTERM');
    await server.ended;
    const revoked = await turnout(env, 'license', 'revoke', noticed.json.notice);
    expect([revoked.code, revoked.json]).toEqual([0, { license_id: license.id, revoked_at: noticed.json.revoked_at }]);
    expect(await runSql(database.adminUrl, installation)).toEqual([
      { license_id: license.id, license_revoked_at: new Date(noticed.json.revoked_at) },
    ]);
  });
});

describe('a command that is not understood', () => {
  test('help names every command and option, and exits 0', async () => {
    for (const help of [await turnoutProcess({}, 'help'), await turnout({}, '--help'), await turnout({})]) {
      expect([help.code, help.stderr]).toEqual([0, '']);
      for (const command of await allCommands()) {
        expect(help.stdout).toContain(`turnout ${command.words}`);
        for (const option of Object.keys(command.options)) expect(help.stdout).toContain(`--${option}`);
      }
    }
  });

  test.each([
    [['dance'], /there is no command "dance"/],
    [['org', 'destroy', 'acme'], /there is no command "org destroy"/],
    [['org', 'create', '--code', 'acme'], /^turnout org create: missing: --name, --plan$/m],
    [['doctor', '--fix'], /^turnout doctor: .*'--fix'/m],
    [['migrate', 'now'], /^turnout migrate: .*'now'/m],
    [['key', 'revoke'], /^turnout key revoke: key revoke takes one ID$/m],
  ])('%j: exit 2, one line', async (words, says) => {
    // Settings are not even read, not even one that would be refused.
    expectRefused(await turnout({ PORT: 'x' }, ...words), 2, says);
  });

  test('the process, too, exits with 2 then, and with 1 if a check of a command has failed', async () => {
    expectRefused(await turnoutProcess({ PORT: 'x' }, 'dance'), 2, /there is no command "dance"/);
    expectRefused(await turnoutProcess({ PORT: 'x' }, 'doctor'), 1, /PORT=x is not a whole number/);
  });
});

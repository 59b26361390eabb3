import { createPrivateKey, generateKeyPairSync, randomUUID } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import {
  acrossOrganizationsFind,
  acrossOrganizationsList,
  acrossOrganizationsRevokeKey,
  addMember,
  allKeys,
  choicesOf,
  createOrganization,
  listMembers,
  organizationShape,
  setPlan,
} from '../areas/access/index.ts';
import { refreshSandbox } from '../areas/sandbox/index.ts';
import { DAY } from '../clock.ts';
import type { Config } from '../config.ts';
import { diff } from '../road/diff.ts';
import {
  publicKeyFrom,
  readLicense,
  readRevocation,
  recordRevocation,
  signLicense,
  signRevocation,
} from '../road/license.ts';
import { writeAudit } from '../road/record.ts';
import { refuse } from '../road/refusal.ts';
import type { Id } from '../store/ids.ts';
import { toUuid } from '../store/ids.ts';
import { migrations } from '../store/migrate.ts';
import type { Pool } from '../store/pool.ts';
import { type Tx, transaction } from '../store/tx.ts';
import { replayCases } from './cases.ts';
import { type Command, many, text } from './command.ts';
import { clock, withDatabase } from './database.ts';
import { doctor } from './doctor.ts';
import { makeKey } from './keys.ts';
import { setOrganization } from './organization.ts';
import { platformCommands } from './platform.ts';

const asSystem = <T>(config: Config, work: (tx: Tx) => Promise<T>): Promise<T> =>
  withDatabase(config, (pool) => inSystem(pool, work));
const inSystem = <T>(pool: Pool, work: (tx: Tx) => Promise<T>): Promise<T> =>
  transaction(pool, clock, { role: 'system' }, work);

/** Writes what the operator changed to the organization's audit log. */
const audited = (
  tx: Tx,
  org: Id,
  action: string,
  kind: string,
  id: Id | null,
  changes: Record<string, unknown>,
): void =>
  writeAudit(tx, org, [
    {
      action,
      kind,
      id,
      changes,
      caller: { actor: { kind: 'system', id: null, name: 'operator' }, mode: 'live' },
      source: 'cli',
      client: null,
      requestId: null,
    },
  ]);

export const commands: Command[] = [
  {
    words: 'org create',
    summary: 'Create an organization',
    options: {
      code: { required: true, says: 'short name; it is not part of any address' },
      name: { required: true, says: 'full name' },
      plan: { required: true, says: 'free, starter, growth or scale' },
      timezone: { says: 'IANA zone, default UTC' },
    },
    run: (config, given) =>
      asSystem(config, async (tx) => {
        const timezone = text(given.timezone);
        const org = await createOrganization(tx, {
          code: text(given.code)!,
          name: text(given.name)!,
          plan: text(given.plan)!,
          ...(timezone !== undefined && { timezone }),
        });
        audited(tx, org.id, 'organization.created', 'organization', org.id, { plan: [null, org.plan] });
        return organizationShape(org);
      }),
  },
  {
    words: 'org list',
    summary: 'List the organizations',
    options: {},
    run: (config) =>
      asSystem(config, async (tx) => ({
        data: (await acrossOrganizationsList(tx)).map((row) => ({
          ...organizationShape(row),
          sandbox: row.sandbox,
          created_at: row.created_at,
        })),
      })),
  },
  {
    words: 'org set',
    summary: 'Change the name, time zone, defaults and words of an organization',
    options: {
      org: { required: true, says: 'code' },
      name: { says: 'full name' },
      timezone: { says: 'IANA zone' },
      currency: { says: 'of new events, such as EUR' },
      language: { says: 'of the mails and tickets of new events, such as de' },
      accent: { says: 'colour of its look, such as #0b6e66; an empty text for ours' },
      term: { many: true, says: 'NOUN=WORD (or NOUN= for our own word), such as attendee=guest' },
    },
    run: (config, given) =>
      asSystem(config, async (tx) => {
        const org = await acrossOrganizationsFind(tx, text(given.org)!);
        const { settings, changes } = await setOrganization(tx, org.id, given);
        audited(tx, org.id, 'organization.changed', 'organization', org.id, changes);
        return { ...settings, plan: org.plan, limits: org.limits };
      }),
  },
  {
    words: 'org plan',
    summary: 'Change the plan of an organization, or a limit of it',
    options: {
      org: { required: true, says: 'code' },
      plan: { says: 'free, starter, growth or scale' },
      limit: { many: true, says: 'NAME=N (or NAME=default): api_rate_per_min, api_calls_monthly, attendees_per_event' },
    },
    run: (config, given) =>
      asSystem(config, async (tx) => {
        const before = await acrossOrganizationsFind(tx, text(given.org)!);
        const limits = many(given.limit).map((pair) => {
          const [name, value] = pair.split('=');
          return [name ?? '', value ?? ''] as const;
        });
        const org = await setPlan(tx, before, text(given.plan), limits);
        audited(tx, org.id, 'organization.plan_changed', 'organization', org.id, {
          plan: [before.plan, org.plan],
          limits: [before.limits, org.limits],
        });
        return organizationShape(org);
      }),
  },
  {
    words: 'key create',
    summary: 'Create an API key; the secret is shown only once',
    options: {
      org: { required: true, says: 'code' },
      name: { required: true, says: 'what it is for' },
      mode: { required: true, says: 'live or test' },
      scopes: { required: true, many: true, says: 'read,write,admin,scanner' },
      group: { says: 'limit it to this group and the groups below it' },
      expires: { says: 'when it expires, such as 2027-12-31T00:00:00Z' },
      allow: { many: true, says: 'addresses or ranges it may be used from' },
      rpm: { says: 'requests per minute, default 60' },
    },
    run: (config, given) =>
      asSystem(config, async (tx) => {
        const org = await acrossOrganizationsFind(tx, text(given.org)!);
        const key = await makeKey(tx, org, given);
        audited(tx, org.id, 'api_key.created', 'api_key', toUuid(key.id), diff(null, choicesOf(key)));
        return key;
      }),
  },
  {
    words: 'key list',
    summary: 'List the API keys of an organization',
    options: { org: { required: true, says: 'code' } },
    run: (config, given) =>
      asSystem(config, async (tx) => ({
        data: await allKeys(tx, (await acrossOrganizationsFind(tx, text(given.org)!)).id),
      })),
  },
  {
    words: 'key revoke',
    argument: 'ID',
    summary: 'Revoke an API key; its next request fails',
    options: {},
    run: (config, _given, id) =>
      asSystem(config, async (tx) => {
        const { org, key } = await acrossOrganizationsRevokeKey(tx, id ?? '');
        audited(tx, org, 'api_key.revoked', 'api_key', toUuid(key.id), { revoked_at: [null, key.revoked_at] });
        return key;
      }),
  },
  {
    words: 'member add',
    summary: 'Add a member to an organization',
    options: {
      org: { required: true, says: 'code' },
      email: { required: true, says: 'address' },
      role: { required: true, says: 'owner, admin, developer, manager, door or viewer' },
      name: { says: 'name of the member' },
    },
    run: (config, given) =>
      asSystem(config, async (tx) => {
        const org = await acrossOrganizationsFind(tx, text(given.org)!);
        const member = await addMember(tx, org.id, {
          email: text(given.email)!,
          role: text(given.role)!,
          name: text(given.name),
        });
        audited(tx, org.id, 'member.added', 'member', toUuid(member.id), { role: [null, member.role] });
        return member;
      }),
  },
  {
    words: 'member list',
    summary: 'List the members of an organization',
    options: { org: { required: true, says: 'code' } },
    run: (config, given) =>
      asSystem(config, async (tx) => ({
        data: await listMembers(tx, (await acrossOrganizationsFind(tx, text(given.org)!)).id),
      })),
  },
  {
    words: 'sandbox refresh',
    summary: 'Start the sandbox organization over',
    options: {},
    run: (config) => withDatabase(config, (pool) => refreshSandbox(pool, clock)),
  },
  {
    words: 'cases replay',
    summary: 'Replay the golden cases: here, or with --url against a running Turnout',
    options: {
      file: { says: 'cases to replay, default the published ones' },
      url: { says: 'replay through this API, such as http://localhost:3000; builds and removes a test event' },
      key: { says: 'live key with the scopes read, write, admin, scanner' },
      'test-key': { says: 'test key with the scopes read, write, scanner' },
    },
    run: (_config, given) =>
      replayCases({
        file: text(given.file),
        url: text(given.url),
        key: text(given.key),
        testKey: text(given['test-key']),
      }),
  },
  {
    words: 'migrate',
    summary: 'Apply this build’s migrations to the database',
    options: {},
    run: (config) => withDatabase(config, async () => ({ schema: migrations().at(-1)!.name })),
  },
  {
    words: 'doctor',
    summary: 'Check the installation and say what is wrong',
    options: {},
    run: (config) => withDatabase(config, (pool) => inSystem(pool, doctor)),
  },
  {
    words: 'license keygen',
    summary: 'Make a pair of keys for issuing licenses',
    options: { out: { required: true, says: 'file for the private key' } },
    run: async (_config, given) => {
      const { publicKey, privateKey } = generateKeyPairSync('ed25519');
      writeFileSync(text(given.out)!, privateKey.export({ format: 'pem', type: 'pkcs8' }), { mode: 0o600, flag: 'wx' });
      return {
        private_key_file: text(given.out),
        public_key: publicKey.export({ format: 'der', type: 'spki' }).toString('base64'),
      };
    },
  },
  {
    words: 'license issue',
    summary: 'Issue a license; set it as LICENSE_KEY of a self-hosted installation',
    options: {
      'private-key': { required: true, says: 'file of `license keygen`' },
      licensee: { required: true, says: 'who it is issued to' },
      expires: { says: 'when it expires; default: in a year' },
    },
    run: async (_config, given) => {
      const expires = new Date(text(given.expires) ?? clock.now().getTime() + 365 * DAY);
      if (Number.isNaN(expires.getTime()))
        refuse('validation_failed', { message: `${text(given.expires)} is not a time.` });
      const payload = {
        id: randomUUID(),
        licensee: text(given.licensee)!,
        issued_at: clock.now().toISOString(),
        expires_at: expires.toISOString(),
      };
      return {
        ...payload,
        license_key: signLicense(payload, createPrivateKey(readFileSync(text(given['private-key'])!))),
      };
    },
  },
  {
    words: 'license notice',
    summary: 'Issue a revocation notice for a license',
    options: {
      'private-key': { required: true, says: 'file of `license keygen`' },
      id: { required: true, says: 'id of the license' },
      at: { says: 'when it was revoked; default: now' },
    },
    run: async (_config, given) => {
      const payload = {
        license_id: text(given.id)!,
        revoked_at: new Date(text(given.at) ?? clock.now()).toISOString(),
      };
      return {
        ...payload,
        notice: signRevocation(payload, createPrivateKey(readFileSync(text(given['private-key'])!))),
      };
    },
  },
  {
    words: 'license revoke',
    argument: 'NOTICE',
    summary: 'Record a revocation notice; seven days later the installation is read-only',
    options: {},
    run: async (config, _given, notice) => {
      const key = config.licensePublicKey === undefined ? null : publicKeyFrom(config.licensePublicKey);
      const revocation = key === null ? null : readRevocation(notice ?? '', key);
      if (revocation === null)
        return refuse('validation_failed', {
          message: 'The signature of the notice does not verify with LICENSE_PUBLIC_KEY.',
        });
      return asSystem(config, async (tx) => {
        await recordRevocation(tx, revocation);
        return revocation;
      });
    },
  },
  {
    words: 'license show',
    summary: 'Show the license of this installation',
    options: {},
    run: async (config) => {
      const key = config.licensePublicKey === undefined ? null : publicKeyFrom(config.licensePublicKey);
      if (config.licenseKey === undefined) return { validity: 'missing' };
      const payload = key === null ? null : readLicense(config.licenseKey, key);
      if (payload === null) return { validity: 'does_not_verify' };
      return { validity: Date.parse(payload.expires_at) <= clock.now().getTime() ? 'expired' : 'valid', ...payload };
    },
  },
  ...platformCommands(),
];

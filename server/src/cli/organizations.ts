import { LIMITS } from '@turnout/contract';
import {
  acrossOrganizationsFind,
  acrossOrganizationsList,
  acrossOrganizationsRevokeKey,
  allKeys,
  choicesOf,
  createOrganization,
  organizationShape,
  setPlan,
} from '../areas/access/index.ts';
import type { Id } from '../common/ids.ts';
import { toUuid } from '../common/ids.ts';
import { PageLinks } from '../common/page-links.ts';
import { diff } from '../road/write/diff.ts';
import { writeAudit } from '../road/write/record.ts';
import type { Tx } from '../store/tx.ts';
import { type Command, many, text } from './command.ts';
import { asSystem } from './database.ts';
import { makeKey } from './keys.ts';
import { setOrganization } from './organization.ts';

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

/** Organizations and their API keys. */
export const organizationCommands: Command[] = [
  {
    words: 'org create',
    summary: 'Create an organization',
    options: {
      code: { required: true, says: 'short name; it stands in the address of the registration pages' },
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
        const { settings, changes } = await setOrganization(
          { tx, org: org.id, links: new PageLinks(config.publicUrl) },
          given,
        );
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
      limit: { many: true, says: `NAME=N (or NAME=default): ${LIMITS.join(', ')}` },
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
];

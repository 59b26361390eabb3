import type { ApiKey, ApiKeyChange, ApiKeyCreate } from '@turnout/contract';
import { toUlid, toUuid } from '../../common/ids.ts';
import { type Fault, invalid, refuse, requireValid } from '../../common/refusal.ts';
import type { Work } from '../../road/operation.ts';
import { inBody } from '../../road/request/reference.ts';
import { NOTHING } from '../../road/write/audited.ts';
import { diff } from '../../road/write/diff.ts';
import { updateRow } from '../../store/rows.ts';
import { sql } from '../../store/sql.ts';
import { iso } from '../../store/stamps.ts';
import { aGroup } from '../groups/index.ts';
import { mailOwnersOfKey } from './key-mails.ts';
import { aKey, type KeyRow, keyById, keyShape } from './key-rows.ts';
import { addressFaults, createKey, expiryFaults } from './keys.ts';

/* What members do with keys. */

/** What the audit log shows of a new key: never its secret. */
export const choicesOf = ({
  name,
  mode,
  scopes,
  group,
  expires_at,
  allowed_addresses,
  requests_per_minute,
}: ApiKey) => ({
  name,
  mode,
  scopes,
  group,
  expires_at,
  allowed_addresses,
  requests_per_minute,
});

/** The rules of `createKey` for single fields, so that a body with faults elsewhere is told of these, too. */
export const addressRule = {
  of: ['allowed_addresses'],
  faults: ({ body }: { body: { allowed_addresses?: readonly (string | undefined)[] | null } }): Fault[] =>
    addressFaults(body.allowed_addresses ?? []),
};
export const keyRules = [
  addressRule,
  {
    of: ['expires_at'],
    faults: ({ body, tx }: Pick<Work, 'tx'> & { body: { expires_at?: string | null } }): Fault[] =>
      body.expires_at == null ? [] : expiryFaults(body.expires_at, tx.clock.now()),
  },
  {
    of: ['group'],
    faults: ({ body, caller }: Pick<Work, 'caller'> & { body: { group?: string | null } }): Fault[] =>
      body.group === null && caller.group !== null ? [NOT_YOURS] : [],
  },
];
const NOT_YOURS: Fault = {
  path: 'group',
  message: 'must be your own group or a group below it, because you are limited to a group',
};

export async function makeKey(work: Work, body: ApiKeyCreate): Promise<ApiKey & { secret: string }> {
  const { tx, org, caller } = work;
  if (body.group === null && caller.group !== null) invalid(NOT_YOURS);
  const named = body.group === undefined ? caller.group?.code : body.group;
  const group = named == null ? null : await inBody(work, aGroup, named, 'group', {});
  const key = await createKey(tx, org, {
    name: body.name,
    mode: body.mode,
    scopes: body.scopes,
    group: group === null ? undefined : toUlid(group.id),
    expires: body.expires_at ?? undefined,
    allow: body.allowed_addresses ?? undefined,
    rpm: body.requests_per_minute ?? undefined,
    by: caller.actor.id ?? undefined,
  });
  await mailOwnersOfKey(tx, caller.org, key);
  const changes = diff(null, choicesOf(key));
  work.changed({ kind: 'api_key', id: toUuid(key.id), group: group?.id ?? null, changes });
  return key;
}

export async function changeKey(work: Work, found: KeyRow, body: ApiKeyChange): Promise<ApiKey> {
  const { tx, org } = work;
  requireValid(addressFaults(body.allowed_addresses ?? []));
  const before = await locked(work, found);
  const was = keyShape(before, tx.clock.now());
  if (was.state !== 'usable') {
    refuse('invalid_state', { message: `This key has ${ENDED[was.state]}, so it cannot be changed any more.` });
  }
  await updateRow(tx, 'api_keys', sql`org_id = ${org} and id = ${found.id}`, {
    name: body.name,
    allowed_addresses: body.allowed_addresses,
    requests_per_minute: body.requests_per_minute,
  });
  const shape = keyShape((await keyById(tx, org, found.id))!, tx.clock.now());
  const changes = diff(choicesOf(was), choicesOf(shape));
  work.changed({ kind: 'api_key', id: found.id, group: before.group_id, changes, was });
  return shape;
}
const ENDED = { revoked: 'been revoked', expired: 'expired' } as const;

/** The key is refused from its next request on, in every process. Revoking it twice changes nothing. */
export async function revokeKey(work: Work, found: KeyRow): Promise<undefined> {
  const { tx, org } = work;
  const now = tx.clock.now();
  const revoked = await tx.run(sql`
    update api_keys set revoked_at = ${now} where org_id = ${org} and id = ${found.id} and revoked_at is null`);
  if (revoked === 0) {
    work.changed(NOTHING);
    return undefined;
  }
  work.changed({
    kind: 'api_key',
    id: found.id,
    group: found.group_id,
    changes: { revoked_at: [null, iso(now)] },
    details: { name: found.name },
  });
  return undefined;
}

/** The row was found before it was locked, and may have changed meanwhile. */
async function locked(work: Work, found: KeyRow): Promise<KeyRow> {
  await work.tx.run(sql`select from api_keys where org_id = ${work.org} and id = ${found.id} for no key update`);
  return (await aKey.find(work, toUlid(found.id), {})) ?? refuse('not_found');
}

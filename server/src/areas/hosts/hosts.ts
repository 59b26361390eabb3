import { randomInt } from 'node:crypto';
import type { TenantHost, TenantHostAdd } from '@turnout/contract';
import { type Id, newId } from '../../common/ids.ts';
import { refuse, requireValid } from '../../common/refusal.ts';
import type { Work } from '../../road/operation.ts';
import { NOTHING } from '../../road/write/audited.ts';
import { diff } from '../../road/write/diff.ts';
import { stampOrganization } from '../../store/clocks.ts';
import { insertRow } from '../../store/rows.ts';
import type { Tx } from '../../store/tx.ts';
import { hostFaults, hostName } from './names.ts';
import { removeClaim, setPageHost } from './proof.ts';
import { auditedOf, type HostRow, hostById, hostShape, listHosts } from './queries.ts';

/* What members do with the hosts of their organization. */

const MAX_HOSTS = 10;

const LETTERS = '0123456789abcdefghjkmnpqrstvwxyz';
/** Everybody can read a record, but nobody can guess the one that another organization will need: these are 120 random bits. */
const newToken = (): string =>
  `turnout-${Array.from({ length: 24 }, () => LETTERS[randomInt(LETTERS.length)]).join('')}`;

export const requireLive = ({ mode }: Pick<Work, 'mode'>): void => {
  if (mode === 'test') {
    refuse('test_key_live_object', {
      message: 'The hosts of an organization are live objects, which a test key cannot change. Use a live key.',
    });
  }
};

/** A claim, which shows nothing yet: neither whether the host exists nor whether somebody else has it. */
export async function claimHost(tx: Tx, org: Id, host: string): Promise<{ row: HostRow; isNew: boolean }> {
  const stamp = await stampOrganization(tx, org);
  const hosts = await listHosts(tx, org);
  const known = hosts.find((one) => one.host === host);
  if (known !== undefined) return { row: known, isNew: false };
  if (hosts.length >= MAX_HOSTS) {
    refuse('invalid_state', {
      message: `This organization has ${MAX_HOSTS} hosts, the most it can have. Remove one you don’t need.`,
    });
  }
  const id = newId(tx.clock.now());
  await insertRow(tx, 'tenant_hosts', {
    ...{ org_id: org, id, host, token: newToken(), state: 'waiting' },
    created_at: stamp,
    updated_at: stamp,
  });
  return { row: (await hostById(tx, org, id))!, isNew: true };
}

/** Adding a host again answers with the one that is there. */
export async function addHost(work: Work, { host: text }: TenantHostAdd): Promise<TenantHost> {
  requireLive(work);
  requireValid(hostFaults(text, work.links));
  const { row, isNew } = await claimHost(work.tx, work.org, hostName(text)!);
  work.changed(isNew ? { kind: 'tenant_host', id: row.id, changes: diff(null, auditedOf(row)) } : NOTHING);
  return hostShape(row);
}

export async function makePrimary(work: Work, { id }: HostRow): Promise<TenantHost> {
  const { tx, org } = work;
  requireLive(work);
  await stampOrganization(tx, org);
  const before = (await hostById(tx, org, id)) ?? refuse('not_found');
  if (before.state !== 'proved') {
    refuse('invalid_state', {
      message: 'Only a proved host can be in the addresses of the registration pages. Check the host first.',
    });
  }
  if (before.is_primary) {
    work.changed(NOTHING);
    return hostShape(before);
  }
  await setPageHost(tx, org, before.host);
  const details = { host: before.host };
  work.changed({ kind: 'tenant_host', id, changes: { primary: [false, true] }, details });
  return hostShape((await hostById(tx, org, id))!);
}

export async function removeHost(work: Work, { id }: HostRow): Promise<undefined> {
  const { tx, org } = work;
  requireLive(work);
  await stampOrganization(tx, org);
  const before = (await hostById(tx, org, id)) ?? refuse('not_found');
  await removeClaim(tx, before);
  work.changed({ kind: 'tenant_host', id, changes: diff(auditedOf(before), null) });
  return undefined;
}

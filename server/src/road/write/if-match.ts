import type { Id } from '../../common/ids.ts';
import { invalid, refuse } from '../../common/refusal.ts';
import { stampEvent, stampOrganization } from '../../store/clocks.ts';
import { sql } from '../../store/sql.ts';
import type { Call, Operation } from '../operation.ts';
import { findAll } from '../request/reference.ts';

/*
 * `If-Match`: a PATCH or DELETE that is done only if the object is still the one that the caller has read. The tag of an object is its
 * `updated_at`, which grows with every change, so whoever has it from a list needs no other call.
 */

const showsStamp = ({ reply }: Operation): boolean =>
  'updated_at' in ((reply as { properties?: object } | null)?.properties ?? {});

/** Links every PATCH and DELETE with the GET of the same path, if that shows when the object was last changed. */
export function linkReads(operations: Operation[]): Operation[] {
  const reads = new Map(
    operations.filter((one) => one.method === 'GET' && showsStamp(one)).map((one) => [one.path, one]),
  );
  for (const operation of operations) {
    const read = reads.get(operation.path);
    if (read === undefined || (operation.method !== 'PATCH' && operation.method !== 'DELETE')) continue;
    operation.shownBy = read;
    read.tagged = true;
    if (operation.method === 'PATCH' && showsStamp(operation)) operation.tagged = true;
  }
  return operations;
}

/** The `ETag` of an answer that shows one object. */
export const tagOf = ({ tagged }: Operation, body: unknown): { ETag: string } | undefined => {
  const { updated_at } = (body ?? {}) as { updated_at?: string };
  return tagged === true && updated_at !== undefined ? { ETag: `"${updated_at}"` } : undefined;
};

/** The tags that a header names; null: any (`*`). */
function tagsIn(header: string): readonly string[] | null {
  if (header.trim() === '*') return null;
  const tags = header.split(',').map((tag) => tag.trim());
  // A weak tag (`W/"…"`) never matches, as RFC 9110 says.
  if (!tags.every((tag) => /^(W\/)?"[^"]*"$/.test(tag)))
    invalid({ path: 'If-Match', message: 'must be the `ETag` of the object, in its quotation marks, or `*`' });
  return tags;
}

/**
 * Refuses a call whose caller has read another version of the object. The object is locked as its changes lock it, and read once more
 * as the caller would see it, so nobody can change it between this comparison and the work.
 */
export async function requireMatch(
  header: string,
  operation: Operation,
  call: Omit<Call<never, unknown, unknown>, 'at'> & { at: Record<string, unknown> },
  params: Record<string, string>,
): Promise<void> {
  const tags = tagsIn(header);
  if (tags === null) return;
  await hold(call);
  const at = await findAll(call, operation.shownBy!, params);
  const now = await operation.shownBy!.handle!({ ...call, at, query: {}, body: undefined, file: null });
  const { ETag } = tagOf(operation.shownBy!, now)!;
  if (!tags.includes(ETag)) refuse('changed_meanwhile', { headers: { ETag } });
}

async function hold({
  tx,
  org,
  at,
}: { at: Record<string, unknown> } & Pick<Call<never, unknown, unknown>, 'tx' | 'org'>): Promise<void> {
  const { event, communication, ...others } = at as Partial<Record<string, { id: Id }>>;
  const isPart = Object.keys(others).length > 0;
  if (communication !== undefined) {
    await tx.run(sql`select from communications where org_id = ${org} and id = ${communication.id} for no key update`);
    return;
  }
  if (event !== undefined) await stampEvent(tx, org, event.id);
  else if (!isPart) await tx.run(sql`select from organizations where id = ${org} for no key update`);
  if (event === undefined || !isPart) await stampOrganization(tx, org);
}

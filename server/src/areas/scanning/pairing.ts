import { randomBytes } from 'node:crypto';
import { type Clock, MINUTE } from '../../clock.ts';
import { type Id, newId, toUlid } from '../../common/ids.ts';
import { refuse } from '../../common/refusal.ts';
import type { Secrets } from '../../common/secrets.ts';
import { type Answer, answer, replayed } from '../../road/answer.ts';
import type { Links } from '../../road/for-areas/links.ts';
import { DEVICE_TOKEN_PREFIX, hashSecret } from '../../road/gate/authenticate.ts';
import type { Work } from '../../road/operation.ts';
import { reused } from '../../road/write/idempotency.ts';
import { writeAudit } from '../../road/write/record.ts';
import { lookup } from '../../store/lookup.ts';
import type { Pool } from '../../store/pool.ts';
import { insertRow } from '../../store/rows.ts';
import { sql } from '../../store/sql.ts';
import { iso } from '../../store/stamps.ts';
import { type Tx, transaction } from '../../store/tx.ts';
import { type EventRow, eventById, eventShape } from '../events/index.ts';
import { PAIRING_CODE_BACKED } from '../groups/index.ts';
import { groupShape } from './devices.ts';

/**
 * A member makes a code of twelve letters that is valid for ten minutes. The first device that sends it gets a token for that
 * event, if the member could still make the code then. Retries of that device, with the same Idempotency-Key, get the same answer
 * while the code is valid: it is stored with the code, encrypted. Apart from that, only a hash of the token is stored. A revoked
 * device is refused from its next request on.
 */
const CODE_LIFE = 10 * MINUTE;
/** 32 that are not taken for one another, so each has five bits and a code has sixty. Earlier builds made codes of eight. */
const LETTERS = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ';
const CODE_LENGTH = 12;

export async function makePairingCode(work: Work, event: EventRow, name: string | undefined) {
  const { tx, org } = work;
  const now = tx.clock.now();
  const letters = [...randomBytes(CODE_LENGTH)].map((byte) => LETTERS[byte & 31]).join('');
  const expires = new Date(now.getTime() + CODE_LIFE);
  const id = newId(now);
  await insertRow(tx, 'pairing_codes', {
    org_id: org,
    id,
    event_id: event.id,
    // A scanner reads no more than the member who made its code.
    group_id: work.caller.group?.id ?? null,
    made_by: work.caller.actor.id,
    code_hash: hashSecret(letters),
    name: name ?? null,
    expires_at: expires,
    created_at: now,
  });
  work.changed({
    kind: 'pairing_code',
    id,
    event: event.id,
    group: event.group_id,
    details: { expires_at: iso(expires) },
  });
  return { code: letters.match(/.{4}/g)!.join('-'), expires_at: iso(expires) };
}

/**
 * What a device sends. `key` is its Idempotency-Key. It is compared only with the key that used the same code before: a device
 * that is not paired yet has no identity under which keys could be stored.
 */
export interface PairingRequest {
  body: { code: string; name?: string; version?: string };
  key: string;
  /** In hex. */
  fingerprint: string;
  requestId: string;
}

interface Code {
  event_id: Id;
  group_id: Id | null;
  name: string | null;
}

const codeNotValid = (): never =>
  refuse('not_found', {
    message: 'This pairing code is wrong, expired or already used. Ask an organizer for a new one.',
  });

export async function pair(
  { pool, clock, secrets, links }: { pool: Pool; clock: Clock; secrets: Secrets; links: Links },
  request: PairingRequest,
): Promise<Answer> {
  const letters = request.body.code.toUpperCase().replaceAll(/[^0-9A-Z]/g, '');
  const { rows } = await lookup(pool, {
    name: 'find_pairing_code',
    text: 'select org_id, id from directory.find_pairing_code($1)',
    values: [hashSecret(letters)],
  });
  const found = rows[0] as { org_id: Id; id: Id } | undefined;
  if (found === undefined) return codeNotValid();
  return transaction(pool, clock, { role: 'app', org: found.org_id }, async (tx) => {
    const now = clock.now();
    // When two devices, or a request and its retry, send the same code at once, the second waits here until the first has committed.
    const code = await tx.maybe<Code>(sql`
      update pairing_codes c set used_at = ${now}, claim = ${request.key}, fingerprint = decode(${request.fingerprint}, 'hex'),
        request_id = ${request.requestId}
      where org_id = ${found.org_id} and id = ${found.id} and used_at is null and expires_at > ${now} and ${PAIRING_CODE_BACKED}
      returning event_id, group_id, name`);
    if (code === null) return storedAnswer(tx, secrets, found, request);
    const done = await makeDevice(tx, links, found, code, request);
    await tx.run(sql`
      update pairing_codes set answer = ${secrets.encrypt(Buffer.from(done.body))} where org_id = ${found.org_id} and id = ${found.id}`);
    return done;
  });
}

/** The answer that was stored with a used code, if the same device asks again. */
async function storedAnswer(
  tx: Tx,
  secrets: Secrets,
  found: { org_id: Id; id: Id },
  request: PairingRequest,
): Promise<Answer> {
  const stored = await tx.maybe<{ fingerprint: string; request_id: string; answer: Buffer }>(sql`
    select encode(fingerprint, 'hex') as fingerprint, request_id, answer from pairing_codes
    where org_id = ${found.org_id} and id = ${found.id} and claim = ${request.key} and answer is not null
      and expires_at > ${tx.clock.now()}`);
  if (stored === null) return codeNotValid();
  if (stored.fingerprint !== request.fingerprint) throw reused();
  return replayed({ status: 201, body: secrets.decrypt(stored.answer), requestId: stored.request_id, headers: {} });
}

async function makeDevice(
  tx: Tx,
  links: Links,
  { org_id, id: code_id }: { org_id: Id; id: Id },
  code: Code,
  { body, requestId }: PairingRequest,
): Promise<Answer> {
  const now = tx.clock.now();
  const token = DEVICE_TOKEN_PREFIX + randomBytes(24).toString('base64url');
  const id = newId(now);
  const name = body.name ?? code.name ?? 'Scanner';
  await insertRow(tx, 'devices', {
    org_id,
    id,
    event_id: code.event_id,
    group_id: code.group_id,
    name,
    token_hash: hashSecret(token),
    version: body.version ?? null,
    seen_at: now,
    created_at: now,
    updated_at: now,
  });
  const event = (await eventById(tx, org_id, code.event_id))!;
  const { group } = await tx.one<{ group: { code: string; name: string } | null }>(
    sql`select ${groupShape(sql`${org_id}`, sql`${code.group_id}::uuid`)} as group`,
  );
  writeAudit(tx, org_id, [
    {
      action: 'device.paired',
      kind: 'device',
      id,
      event: event.id,
      group: event.group_id,
      changes: { name: [null, name], version: [null, body.version ?? null] },
      details: { pairing_code: toUlid(code_id) },
      objects: [{ kind: 'pairing_code', id: code_id }],
      caller: { actor: { kind: 'device', id, name }, mode: 'live' },
      source: 'scanner',
      client: null,
      requestId,
    },
  ]);
  return answer(201, { device: { id: toUlid(id), name, group }, token, event: eventShape(event, links) }, requestId);
}

import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import type { Reply, TestTurnout } from '../../../../test/support/turnout.ts';
import { type Id, toUuid } from '../../common/ids.ts';
import { sql } from '../../store/sql.ts';

export interface Line {
  product: string;
  option?: string;
  quantity?: number;
  price_minor?: number;
  handed_out?: number;
}

interface Owner {
  attendee?: string;
  registration?: string;
}

/** Books this for an attendee, or for a registration as a whole. What has another price, or was handed out before, is written directly. */
export async function book(t: TestTurnout, key: string, owner: Owner, lines: readonly Line[]): Promise<void> {
  if (lines.some(({ price_minor, handed_out }) => (price_minor ?? handed_out) !== undefined))
    return writeLines(t, owner, lines);
  const path = owner.attendee === undefined ? `registrations/${owner.registration}` : `attendees/${owner.attendee}`;
  const reply = await t.call('PATCH', `/v1/events/fair/${path}`, { key, body: { products: lines } });
  expect(reply.status, reply.text).toBe(200);
}

async function writeLines(t: TestTurnout, { attendee, registration }: Owner, lines: readonly Line[]): Promise<void> {
  const table = attendee === undefined ? sql`registrations` : sql`attendees`;
  await t.system(async (tx) => {
    const id = toUuid((attendee ?? registration)!);
    const { event_id } = await tx.one<{ event_id: Id }>(sql`select event_id from ${table} where id = ${id}`);
    const products = await tx.all<{ id: Id; code: string; options: { id: Id; code: string }[] }>(
      sql`select id, code, options from products where event_id = ${event_id}`,
    );
    const booked = lines.map(({ product, option, quantity = 1, price_minor = 0, handed_out = 0 }) => {
      const { id: product_id, options } = products.find((one) => one.code === product)!;
      const option_id = options.find((one) => one.code === option)?.id ?? null;
      return { product_id, option_id, quantity, price_minor, discount_minor: 0, handed_out };
    });
    await tx.run(sql`update ${table} set products = ${JSON.stringify(booked)} where id = ${id}`);
  });
}

export interface HandOutSent {
  attendee?: string;
  registration?: string;
  product?: string;
  option?: string;
  client_uuid?: string;
  check_in_point?: string;
  handed_out_at?: string;
  offline?: boolean;
}

/** A call that hands out a unit, as a program with this key or a device with this token sends it. */
export const handOutAs = (t: TestTurnout, key: string, body: HandOutSent, idempotencyKey: string = randomUUID()) =>
  t.call('POST', '/api/v1/events/fair/hand-outs', {
    key,
    idempotencyKey,
    body: { product: 'lunch', client_uuid: randomUUID(), ...body },
  });

export const code = (reply: Reply) => [reply.status, reply.body?.error?.code];

/** How many of each line were handed out, as the API shows it. */
export async function handedOut(t: TestTurnout, key: string, attendee: string): Promise<number[]> {
  const { status, body } = await t.call('GET', `/v1/events/fair/attendees/${attendee}`, { key });
  expect(status).toBe(200);
  return body.products.map((line: { handed_out: number }) => line.handed_out);
}

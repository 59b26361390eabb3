import { expect } from 'vitest';
import type { Operation } from '../../../server/src/road/operation.ts';
import {
  type As,
  arrange,
  arrangeWorking,
  canWork,
  everythingWrong,
  faulty,
  type Mount,
  type Row,
  refused,
  send,
  worked,
} from './calls.ts';
import { requiredOf } from './schema.ts';
import type { World } from './world.ts';

const METHODS = ['GET', 'POST', 'PATCH', 'PUT', 'DELETE'];
const shapeOf = (op: Operation): string => op.path.replaceAll(/\{\w+\}/g, '{}');

/** What is asked of the request once the caller may make it: license, schema, Idempotency-Key, method. */
export function requestRows(op: Operation, mount: Mount, all: readonly Operation[], as: (world: World) => Promise<As>) {
  const rows: Row[] = [];
  const row = (name: string, run: Row['run']) => rows.push({ name, run });
  const unknownRefs = everythingWrong(op).refs!;

  if (op.method === 'GET' || op.whenReadOnly === 'allowed') {
    if (canWork(op)) {
      row('a read-only installation: works', async (world) =>
        worked(
          op,
          await send(world, op, mount, await as(world), await arrangeWorking(world, op), { url: world.readOnly.url }),
        ),
      );
    }
  } else {
    row('a read-only installation', async (world) => {
      const subject = await arrange(world, op);
      for (const sent of [{}, everythingWrong(op)]) {
        const reply = await send(world, op, mount, await as(world), subject, { ...sent, url: world.readOnly.url });
        refused(op, reply, 403, 'instance_read_only');
        expect(Date.parse(reply.body.error.read_only_since)).toBeLessThan(world.t.clock.now().getTime());
      }
    });
  }

  row('an unknown query parameter', async (world) => {
    const sent = { refs: unknownRefs, query: { no_such_parameter: '1' }, idempotencyKey: null } as const;
    faulty(op, await send(world, op, mount, await as(world), await arrange(world, op), sent), 'no_such_parameter');
  });
  if (op.method !== 'GET') {
    row('an unknown field', async (world) => {
      const subject = await arrange(world, op);
      const body = { ...(subject.body as object), no_such_field: 1 };
      const reply = await send(world, op, mount, await as(world), subject, {
        refs: unknownRefs,
        body,
        idempotencyKey: null,
      });
      faulty(op, reply, op.body === undefined ? '' : 'no_such_field');
    });
    row('a body that is not JSON', async (world) => {
      const subject = await arrange(world, op);
      refused(op, await send(world, op, mount, await as(world), subject, { body: '{' }), 400, 'validation_failed');
      const plain = await send(world, op, mount, await as(world), subject, { body: 'x', contentType: 'text/plain' });
      refused(op, plain, 415, 'unsupported_media_type');
    });
  }
  if (op.body !== undefined && requiredOf(op.body).length > 0) {
    const required = requiredOf(op.body);
    row('every required field missing, named at once', async (world) => {
      const sent = { refs: unknownRefs, body: { no_such_field: 1 }, idempotencyKey: null } as const;
      const reply = await send(world, op, mount, await as(world), await arrange(world, op), sent);
      faulty(op, reply, 'no_such_field', ...required);
    });
  }
  if (op.method === 'POST') {
    row('no Idempotency-Key', async (world) => {
      const subject = await arrange(world, op);
      for (const refs of [{}, unknownRefs]) {
        const reply = await send(world, op, mount, await as(world), subject, { refs, idempotencyKey: null });
        refused(op, reply, 400, 'idempotency_key_required');
      }
    });
  }
  row('another method', async (world) => {
    const offered = all.filter((one) => mount.offers(one) && shapeOf(one) === shapeOf(op)).map((one) => one.method);
    const subject = await arrange(world, op);
    for (const method of METHODS.filter((name) => !(offered as string[]).includes(name))) {
      const reply = await send(world, op, mount, await as(world), subject, { method });
      refused(op, reply, 405, 'method_not_allowed');
      expect(reply.headers.get('allow')?.split(', ').sort()).toEqual([...offered].sort());
    }
  });
  return rows;
}

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
  type Sent,
  send,
  worked,
} from './calls.ts';
import { requiredOf } from './schema.ts';
import type { World } from './world.ts';

const METHODS = ['GET', 'POST', 'PATCH', 'PUT', 'DELETE'];
const shapeOf = (op: Operation): string => op.path.replaceAll(/\{\w+\}/g, '{}');

/** What is checked once the caller is allowed to make the call: license, schema, Idempotency-Key, method. */
export function requestRows(
  op: Operation,
  mount: Mount,
  all: readonly Operation[],
  as: (world: World) => Promise<As>,
  first: boolean,
): Row[] {
  const rows: Row[] = [];
  const row = (name: string, run: Row['run']) => rows.push({ name, run });
  const unknownRefs = everythingWrong(op).refs!;

  if (op.method === 'GET' || op.whenReadOnly === 'allowed') {
    if (canWork(op)) {
      const run: Row['run'] = async (world) => {
        const subject = await arrangeWorking(world, op);
        worked(op, await send(world, op, mount, await as(world), subject, { url: world.readOnly.url }));
      };
      rows.push({ name: 'a read-only installation: works', run, beforeOperation: op.method === 'GET' });
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

  if (first) rows.push(...schemaRows(op, mount, as));
  if (op.method === 'POST') {
    row('no Idempotency-Key', async (world) => {
      const subject = await arrange(world, op);
      for (const refs of [{}, unknownRefs]) {
        const reply = await send(world, op, mount, await as(world), subject, { refs, idempotencyKey: null });
        refused(op, reply, 400, 'idempotency_key_required');
      }
    });
  }
  const ofPath = all.filter((one) => mount.offers(one) && shapeOf(one) === shapeOf(op));
  const offered = ofPath.map((one) => one.method);
  const run: Row['run'] = async (world) => {
    const subject = await arrange(world, op);
    for (const method of METHODS.filter((name) => !(offered as string[]).includes(name))) {
      const reply = await send(world, op, mount, await as(world), subject, { method });
      refused(op, reply, 405, 'method_not_allowed');
      expect(reply.headers.get('allow')?.split(', ').sort()).toEqual([...offered].sort());
    }
  };
  // The operations of a path refuse the same methods.
  rows.push({ name: 'another method', run, beforeOperation: ofPath[0]?.id !== op.id });
  return rows;
}

/** The schema is the same for every caller, so it is tested on the operation's first mount only. */
function schemaRows(op: Operation, mount: Mount, as: (world: World) => Promise<As>): Row[] {
  const rows: Row[] = [];
  const row = (name: string, run: Row['run']) => rows.push({ name, run });
  // The path leads nowhere and there is no Idempotency-Key: the schema is checked before both.
  const ask = async (world: World, sent: Sent) => {
    const subject = await arrange(world, op);
    const { refs } = everythingWrong(op);
    return send(world, op, mount, await as(world), subject, { refs: refs!, idempotencyKey: null, ...sent });
  };
  row('an unknown query parameter', async (world) =>
    faulty(op, await ask(world, { query: { no_such_parameter: '1' } }), 'no_such_parameter'),
  );
  if (op.method === 'GET') return rows;
  row('an unknown field', async (world) => {
    const { body } = await arrange(world, op);
    const reply = await ask(world, { body: { ...(body as object), no_such_field: 1 } });
    const nowhere = op.file === undefined ? '' : 'file';
    faulty(op, reply, op.body === undefined ? nowhere : 'no_such_field');
  });
  row('a body that is not JSON', async (world) => {
    refused(op, await ask(world, { body: '{' }), 400, 'validation_failed');
    refused(op, await ask(world, { body: 'x', contentType: 'text/plain' }), 415, 'unsupported_media_type');
  });
  const required = op.body === undefined ? [] : requiredOf(op.body);
  if (required.length > 0) {
    row('every required field missing, named at once', async (world) =>
      faulty(op, await ask(world, { body: { no_such_field: 1 } }), 'no_such_field', ...required),
    );
  }
  return rows;
}

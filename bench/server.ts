import Type from 'typebox';
import { newId, toUlid } from '../server/src/common/ids.ts';
import { readConfig } from '../server/src/config.ts';
import { operation } from '../server/src/road/operation.ts';
import { startTurnout } from '../server/src/start/app.ts';
import { insertRow } from '../server/src/store/rows.ts';
import { announce } from './support.ts';

/**
 * The real server with one more operation, which writes a single row and raises one occurrence. So the bench measures the road
 * (audit, idempotency, outbox) and not the rules of an operation. It moves no clock: calls of one organization would wait for each
 * other's commits, and the bench would measure the disk.
 */
const note = operation({
  id: 'benchNote',
  method: 'POST',
  path: '/bench-notes',
  scope: 'write',
  entitlement: 'api_write',
  member: null,
  audit: 'bench.noted',
  at: {},
  body: Type.Object({ name: Type.String({ minLength: 1, maxLength: 200 }) }, { additionalProperties: false }),
  reply: Type.Object({ id: Type.String(), code: Type.String(), name: Type.String(), created_at: Type.String() }),
  status: 201,
  refusals: [],
  tag: 'Bench',
  summary: 'Write one row',
  handle: async ({ tx, org, body, changed, raise }) => {
    const at = tx.clock.now();
    const id = newId(at);
    const shape = { id: toUlid(id), code: `n-${id}`, name: body.name, created_at: at.toISOString() };
    await insertRow(tx, 'groups', {
      org_id: org,
      id,
      code: shape.code,
      name: body.name,
      path: [id],
      created_at: at,
      updated_at: at,
    });
    changed({ kind: 'group', id, group: id, changes: shape });
    raise({ type: 'registration.created', event: null, group: id, livemode: true, data: shape });
    return shape;
  },
});

const turnout = await startTurnout(readConfig(process.env), { operations: [note] });
announce({ url: turnout.url }, () => turnout.stop());

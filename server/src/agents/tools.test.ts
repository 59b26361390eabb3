import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import { operations } from '../areas/index.ts';
import { exampleOfBody } from '../openapi/examples.ts';
import type { Caller } from '../road/caller.ts';
import type { Operation } from '../road/operation.ts';
import { HINTS } from './hints.ts';
import { takeApart } from './input.ts';
import { areaOf, isTool, type Tool, Tools, toolName } from './tools.ts';

const offered = operations.filter(isTool);
const tools = new Tools(operations);
const everything = {
  actor: { kind: 'key', scopes: ['read', 'write', 'admin', 'scanner'] },
  group: null,
  plan: { code: 'scale', entitlements: ['api_read', 'api_write', 'api_scanner', 'webhooks', 'client_apps'] },
} as unknown as Caller;
const list = tools.offeredTo(everything, null, new Date());
const toolOf = (operation: Operation): Tool => list.find(({ name }) => name === toolName(operation.id))!;

describe('tools', () => {
  test('a key that may do everything is offered every operation that keys can call and that consists of text', () => {
    expect(list.map(({ name }) => name)).toEqual(offered.map(({ id }) => toolName(id)));
    const left = operations.filter((one) => (one.hosts ?? ['api']).length > 0 && !isTool(one)).map(({ id }) => id);
    expect(left.sort()).toEqual([
      'getTicketPdf',
      'listUnlockable',
      'overrideCheckIn',
      'sendHeartbeat',
      'setEventImage',
      'setLogo',
      'undoCheckIn',
      'undoHandOut',
      'unlockDevice',
    ]);
  });

  test('names are unique and fit every client', () => {
    expect(new Set(list.map(({ name }) => name)).size).toBe(list.length);
    for (const { name } of list) expect(name).toMatch(/^[a-z][a-z_]{2,63}$/);
  });

  test('somebody has decided for every change what it does, and for nothing else', () => {
    const changes = offered.filter(({ method }) => method !== 'GET').map(({ id }) => id);
    expect(Object.keys(HINTS).sort()).toEqual(changes.sort());
  });

  test('a change that nobody has decided about is an error', () => {
    // It has the id of an operation that is no tool, because an operation needs a name in the client libraries, too.
    const undecided = { ...offered.find(({ id }) => id === 'createGroup')!, id: 'setLogo' };
    expect(() => new Tools([undecided]).find('set_logo', null)).toThrow('agents/hints.ts');
  });

  test('reads are marked as read-only, and what deletes, cancels, erases, voids or refunds as destructive', () => {
    const hints = (id: string) => toolOf(offered.find((one) => one.id === id)!).annotations;
    for (const operation of offered) expect(hints(operation.id).readOnlyHint).toBe(operation.method === 'GET');
    const named = offered.filter(({ id }) =>
      /^(delete|cancel|erase|void|refund|remove|decline|archive|clear)/.test(id),
    );
    expect(named.length).toBeGreaterThan(15);
    for (const { id } of named) expect([id, hints(id).destructiveHint]).toEqual([id, true]);
    expect(hints('createRegistration')).toMatchObject({ destructiveHint: false, idempotentHint: false });
    expect(hints('changeEvent')).toMatchObject({ destructiveHint: false, idempotentHint: true, openWorldHint: false });
    expect(hints('sendCommunication')).toMatchObject({ destructiveHint: true, openWorldHint: true });
  });

  test('the list does not grow without notice: 230 kB for everything, 54 kB for a read key, 21 kB for a tool', () => {
    const reader = { ...everything, actor: { kind: 'key', scopes: ['read'] } } as unknown as Caller;
    expect(JSON.stringify(list).length).toBeLessThan(230_000);
    expect(JSON.stringify(tools.offeredTo(reader, null, new Date())).length).toBeLessThan(54_000);
    for (const tool of list) expect(JSON.stringify(tool).length).toBeLessThan(21_000);
  });

  test('areas are those of the client libraries', () => {
    expect(tools.areas).toEqual([...new Set(offered.map(areaOf))].sort());
    expect(tools.areas).toEqual(expect.arrayContaining(['registrations', 'attendee_types', 'check_ins']));
    const guide = readFileSync(new URL('../../../docs/guides/agents.md', import.meta.url), 'utf8');
    const named = /The areas are:\n\n([^.]+)\./.exec(guide)![1]!;
    expect([...named.matchAll(/`(\w+)`/g)].map((match) => match[1])).toEqual(tools.areas);
    const few = tools.offeredTo(everything, new Set(['contacts']), new Date());
    expect(few.map(({ name }) => name)).toEqual(['list_contacts', 'get_contact', 'change_contact', 'erase_contact']);
  });
});

describe('input schemas', () => {
  const ajv = new Ajv2020({ strict: false, validateFormats: false });

  test.each(offered.map((operation) => [operation.id, operation] as const))(
    '%s: is JSON Schema without references, and takes the example of the document',
    (_, operation) => {
      const { inputSchema } = toolOf(operation);
      expect(JSON.stringify(inputSchema)).not.toMatch(/"\$ref"|"x-/);
      const check = ajv.compile(inputSchema);
      const body = operation.body === undefined ? {} : (exampleOfBody(operation) as object);
      const named = Object.entries(operation.at).map(([name, { byCode }]) => [
        name,
        byCode ? 'code' : '01JCQ8Z7M4T3V9R1X5K2N6P8DA',
      ]);
      const required = ((operation.query as { required?: string[] } | undefined)?.required ?? []).map((name) => [
        name,
        '2026-11-20T08:15:00Z',
      ]);
      const given = { ...Object.fromEntries([...named, ...required]), ...body };
      expect([check(given), check.errors]).toEqual([true, null]);
      expect(check({ ...given, no_such_field: 1 })).toBe(false);

      const sent = takeApart(operation, given);
      expect(sent.faults).toEqual([]);
      expect(sent.params).toEqual(Object.fromEntries(named));
      if (operation.body !== undefined) expect({ ...sent.body }).toEqual(body);
    },
  );

  test('two inputs of the same name are an error', () => {
    const clashing = offered.find(({ id }) => id === 'changeEvent')!;
    const twice = { ...clashing, query: clashing.body! };
    expect(() => new Tools([twice]).find('change_event', null)).toThrow('two of its inputs are called');
  });
});

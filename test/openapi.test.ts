import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { REFUSALS } from '@turnout/contract';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { describe, expect, test } from 'vitest';
import { operations } from '../server/src/areas/index.ts';
import { CLIENT_NAMES } from '../server/src/openapi/client-names.ts';
import { isPublished, openapiDocument } from '../server/src/openapi/document.ts';
import { declaredIn } from '../server/src/openapi/markdown/map.ts';
import { refusalsOf } from '../server/src/openapi/refusals.ts';
import { isTimezone } from '../server/src/road/request/validate.ts';
import { losses } from './support/compatible.ts';

// biome-ignore lint/suspicious/noExplicitAny: a document is read here, not typed
type Any = any;
const root = fileURLToPath(new URL('../', import.meta.url));
const committed = (name: string): string => readFileSync(join(root, 'docs/reference', name), 'utf8');
/** As JSON: what a reader gets. */
const fresh: Any = JSON.parse(JSON.stringify(openapiDocument(operations)));

test('every operation has one name in the client libraries, and no name is left over', () => {
  const named: Any[] = Object.values(fresh.paths).flatMap((item: Any) =>
    Object.values(item).filter((one: Any) => one.operationId !== undefined),
  );
  const names = named.map((one) => one['x-client-name']);
  expect(new Set(names).size).toBe(names.length);
  expect(named.map(({ operationId }) => operationId).sort()).toEqual(Object.keys(CLIENT_NAMES).sort());
  for (const name of names) expect(name).toMatch(/^[a-z][A-Za-z]*\.[a-z][A-Za-z]*$/);
});

describe('the generated files that are committed', () => {
  test('errors.md lists each code of the catalogue once and no other code', () => {
    const listed = [...committed('errors.md').matchAll(/^\| \d{3} \| `(\w+)` \|/gm)].map((match) => match[1]!);
    expect(listed.toSorted()).toEqual(Object.keys(REFUSALS).toSorted());
  });

  test('access.md and map.md list each operation once and no other operation', () => {
    const ids = operations.map((operation) => operation.id).toSorted();
    const inAccess = [...committed('access.md').matchAll(/^\| `(\w+)` \|/gm)].map((match) => match[1]!);
    const [, section] = committed('map.md').split(/^## Every operation.*$|^## Rules.*$/m);
    const inMap = [...section!.matchAll(/\| `(\w+)` \|/g)].map((match) => match[1]!);
    expect(inAccess.toSorted()).toEqual(ids);
    expect(inMap.toSorted()).toEqual(ids);
  });

  test('map.md finds an operation in the file that contains its id or the template of its id', () => {
    const sources = [
      // biome-ignore lint/suspicious/noTemplateCurlyInString: the text of a source
      { path: 'a.ts', text: 'id: `${verb}Event`' },
      // biome-ignore lint/suspicious/noTemplateCurlyInString: the text of a source
      { path: 'b.ts', text: "id: `list${plural}`, id: 'lockDay'" },
    ];
    expect(['publishEvent', 'listDays', 'lockDay'].map((id) => declaredIn(id, sources))).toEqual([
      'a.ts',
      'b.ts',
      'b.ts',
    ]);
    expect(() => declaredIn('nowhere', sources)).toThrow('nowhere');
  });
});

describe('the document', () => {
  const described = (operation: Any) => fresh.paths[operation.path][operation.method.toLowerCase()];

  test('has every operation that a key can call, with every refusal and its example', () => {
    const resolve = (node: Any): Any =>
      node?.$ref === undefined
        ? node
        : node.$ref
            .slice(2)
            .split('/')
            .reduce((at: Any, part: string) => at[part], fresh);
    for (const operation of operations.filter(isPublished)) {
      const { operationId, responses } = described(operation);
      expect(operationId).toBe(operation.id);
      for (const code of refusalsOf(operation)) {
        const { description, content } = resolve(responses[REFUSALS[code].status]);
        const codes = Object.values(content['application/json'].examples).map((one) => resolve(one).value.error.code);
        expect(codes, `${operation.id}: ${code}`).toContain(code);
        expect(description).toContain(`\`${code}\``);
      }
    }
  });

  test('every tag is described (server/src/openapi/tags.ts)', () => {
    expect(fresh.tags.filter((tag: Any) => !tag.description)).toEqual([]);
  });

  test('every example fits its schema', () => {
    const ajv = new Ajv2020({ strict: false, allErrors: true });
    formats.default(ajv);
    ajv.addFormat('timezone', isTimezone);
    ajv.addSchema({ $id: 'openapi', ...fresh });
    const faults: string[] = [];
    let examples = 0;
    const walk = (node: Any, at: string): void => {
      if (typeof node !== 'object' || node === null) return;
      if (node.schema !== undefined) {
        const named = Object.values(node.examples ?? {}).map((one: Any) =>
          one.$ref === undefined ? one.value : fresh.components.examples[one.$ref.split('/').at(-1)].value,
        );
        for (const value of 'example' in node ? [node.example, ...named] : named) {
          examples += 1;
          const fits = ajv.compile({ $ref: `openapi#${at}/schema` });
          if (!fits(value)) faults.push(`${at}: ${ajv.errorsText(fits.errors)}`);
        }
      }
      for (const [key, child] of Object.entries(node)) {
        walk(child, `${at}/${encodeURIComponent(key.replaceAll('~', '~0').replaceAll('/', '~1'))}`);
      }
    };
    walk(fresh.paths, '/paths');
    walk(fresh.webhooks, '/webhooks');
    walk(fresh.components.responses, '/components/responses');
    walk(fresh.components.parameters, '/components/parameters');
    walk(fresh.components.headers, '/components/headers');
    expect(faults).toEqual([]);
    expect(examples).toBeGreaterThan(100);
  });
});

/** Deliberate exceptions, each with its reason, as long as nobody uses v1 yet. A line is copied from the failure. */
const ACCEPTED: readonly { loss: string; why: string }[] = [
  {
    loss: 'POST /events/{event}/imports, body.csv: maxLength became 104857600 (was none)',
    why: 'A file of more than half as many bytes was refused before, too, as payload_too_large.',
  },
  ...[
    'the type changed from any to object',
    'the field code became required',
    'the field check_in_point became required',
    'the field client_uuid became required',
  ].map((loss) => ({
    loss: `POST /events/{event}/scan/batch, body.scans[]: ${loss}`,
    why: 'The document says what a scan is. What the server takes is the same: a broken scan still gets its own error.',
  })),
  ...['body', 'body.file'].map((place) => ({
    loss: `POST /events/{event}/imports, ${place}: the format changed from none to binary`,
    why: 'The file always was bytes. Generators now know it and take a file instead of a text.',
  })),
  ...leftOut('integer', [...wholeRegistrations('total_minor'), ...wholeRegistrations('paid_minor')]),
  ...leftOut('string', [
    ...wholeRegistrations('attendees[].tickets[].code'),
    'GET /events/{event}/attendees, 200.data[].tickets[].code',
    'GET /events/{event}/attendees/{attendee}, 200.tickets[].code',
    'PATCH /events/{event}/attendees/{attendee}, 200.tickets[].code',
    'POST /events/{event}/attendees/{attendee}/cancel, 200.tickets[].code',
    'POST /events/{event}/registrations/{registration}/attendees, 201.tickets[].code',
    'GET /events/{event}/tickets, 200.data[].code',
    'POST /events/{event}/tickets, 201.code',
    'GET /tickets/{ticket}, 200.code',
    'POST /tickets/{ticket}/reissue, 201.code',
    'POST /tickets/{ticket}/void, 200.code',
  ]),
  ...wholeRegistrations('attendees[]').map((place) => ({
    loss: `${place}: the field checked_in is gone`,
    why: 'It changed with every first entry while the registration did not. Touching the registration costs a tenth of a scan (docs/decisions/0024); the attendee shows it.',
  })),
  ...[
    ...[
      'products: minItems became 1 (was none)',
      'products: maxItems became 200 (was none)',
      'products[]: maxLength became 63 (was none)',
      'products[]: the pattern changed',
    ].map((loss) => `POST /event-templates/imports, body.template.check_in_points[].policy.${loss}`),
    'GET /events/{event}/template, 200.check_in_points[].policy: the field products may be left out now',
  ].map((loss) => ({
    loss,
    why: 'The field was required and without limits between two commits of one day. Templates of earlier releases do not have it.',
  })),
  ...['attendee_id', 'ticket_id'].map((field) => ({
    loss: `GET /events/{event}/checkins/reconciliation, 200.data[].${field}: the type changed from string to string or null`,
    why: 'Null only in rows that were not listed before: of a code that the record does not know.',
  })),
];
function wholeRegistrations(field: string): string[] {
  const path = '/events/{event}/registrations';
  return [
    `GET ${path}, 200.data[].${field}`,
    `POST ${path}, 201.${field}`,
    `GET ${path}/{registration}, 200.${field}`,
    ...['approve', 'cancel', 'decline', 'promote'].map((act) => `POST ${path}/{registration}/${act}, 200.${field}`),
  ];
}
function leftOut(type: string, places: readonly string[]) {
  const why =
    'Null only for callers limited to a group, where it speaks of people of other groups: it was told to them.';
  return places.map((place) => ({ loss: `${place}: the type changed from ${type} to ${type} or null`, why }));
}

describe('v1 never loses a field or an operation', () => {
  /** The last committed document and the one before it: if a commit loses something, its own document has lost it already. */
  function versions(): { name: string; document: Any }[] {
    const git = (...args: string[]) =>
      execFileSync('git', ['-c', `safe.directory=${root.replace(/\/$/, '')}`, ...args], {
        cwd: root,
        encoding: 'utf8',
        stdio: 'pipe',
        maxBuffer: 1e9,
      });
    try {
      // The document lay in docs/ before it had a folder of its own.
      const paths = ['docs/reference/openapi.json', 'docs/openapi.json'];
      const commits = git('log', '-2', '--format=%h', '--', ...paths)
        .split('\n')
        .filter(Boolean);
      if (commits.length > 0) {
        return commits.map((name) => {
          const [path] = git('ls-tree', '--name-only', name, ...paths).split('\n');
          return { name, document: JSON.parse(git('show', `${name}:${path}`)) };
        });
      }
    } catch {
      // not a git clone; the file on disk counts as the last committed one
    }
    return [{ name: 'docs/reference/openapi.json', document: JSON.parse(committed('openapi.json')) }];
  }

  // claim: v1-loses-nothing
  test.each(versions())('against $name', ({ document }) => {
    const accepted = new Set(ACCEPTED.map((one) => one.loss));
    expect(losses(document, fresh).filter((loss) => !accepted.has(loss))).toEqual([]);
  });

  test('seen failing on the real document', () => {
    const damaged = structuredClone(fresh);
    delete damaged.components.schemas.Event.properties.venue;
    delete damaged.paths['/me'];
    expect(losses(fresh, damaged)).toEqual(
      expect.arrayContaining(['GET /me: the operation is gone', 'GET /events/{event}, 200: the field venue is gone']),
    );
  });
});

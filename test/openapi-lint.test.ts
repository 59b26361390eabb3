import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, test } from 'vitest';
import { operations } from '../server/src/areas/index.ts';
import { openapiDocument } from '../server/src/openapi/document.ts';

// biome-ignore lint/suspicious/noExplicitAny: a document is read here, not typed
type Any = any;
const root = fileURLToPath(new URL('../', import.meta.url));
const fresh: Any = JSON.parse(JSON.stringify(openapiDocument(operations)));

describe('redocly lint, recommended rules', () => {
  const folder = mkdtempSync(join(tmpdir(), 'turnout-lint-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  /** Lints another document with our configuration. Telemetry is also off in redocly.yaml, and nothing is fetched. */
  async function lint(document: Any): Promise<string[]> {
    mkdirSync(join(folder, 'docs/reference'), { recursive: true });
    for (const name of ['redocly.yaml', '.redocly.lint-ignore.yaml']) {
      writeFileSync(join(folder, name), readFileSync(join(root, name)));
    }
    writeFileSync(join(folder, 'docs/reference/openapi.json'), JSON.stringify(document));
    const cli = join(root, 'node_modules/@redocly/cli/bin/cli.js');
    const args = [cli, 'lint', 'docs/reference/openapi.json', '--format=json', '--max-problems=1000'];
    const env = { ...process.env, REDOCLY_TELEMETRY: 'off', NO_COLOR: '1' };
    const output = await new Promise<string>((done) => {
      execFile(process.execPath, args, { cwd: folder, env, maxBuffer: 1e9 }, (_error, stdout) => done(stdout));
    });
    const { problems } = JSON.parse(output) as { problems: Any[] };
    return problems.map((one) => `${one.severity} ${one.ruleId} ${one.location[0].pointer}: ${one.message}`);
  }

  test('no error, no warning', async () => expect(await lint(fresh)).toEqual([]));

  test('seen failing: a tag without description, an example that does not fit, an unused component', async () => {
    const damaged = structuredClone(fresh);
    delete damaged.tags[0].description;
    damaged.paths['/me'].get.responses[200].content['application/json'].example.organization.id = 1;
    damaged.components.schemas.Nobody = { type: 'string' };
    expect((await lint(damaged)).map((line) => line.split(' ')[1]).toSorted()).toEqual([
      'no-invalid-media-type-examples',
      'no-unused-components',
      'tag-description',
    ]);
  });

  test('the only path that is ambiguous is /webhooks/deliveries/{id}, which is excepted by name', async () => {
    const like = (path: string, id: string) => {
      const operation = structuredClone(fresh.paths['/me'].get);
      const parameters = [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }];
      return { [path]: { get: { ...operation, operationId: id, parameters } } };
    };
    const webhooks = { ...like('/webhooks/{id}/deliveries', 'listA'), ...like('/webhooks/deliveries/{id}', 'getA') };
    const rest = Object.fromEntries(Object.entries(fresh.paths).filter(([path]) => !path.startsWith('/webhooks')));
    const ambiguous = async (paths: Any) =>
      (await lint({ ...fresh, paths: { ...rest, ...paths } })).filter((line) => line.includes('no-ambiguous-paths'));
    expect(await ambiguous(webhooks)).toEqual([]);
    const other = { ...like('/widgets/{id}/rows', 'listB'), ...like('/widgets/rows/{id}', 'getB') };
    expect(await ambiguous(other)).toEqual([
      expect.stringContaining('warn no-ambiguous-paths #/paths/~1widgets~1rows~1{id}'),
    ]);
  });
});

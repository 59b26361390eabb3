import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, test } from 'vitest';
import { hasTool } from './support/tools.ts';

const FOLDER = fileURLToPath(new URL('../deploy/monitoring', import.meta.url));
const dashboard = JSON.parse(readFileSync(join(FOLDER, 'dashboard.json'), 'utf8')) as {
  panels: { targets?: { expr: string }[] }[];
};
const panels = dashboard.panels.flatMap(({ targets = [] }) => targets);

describe.skipIf(!hasTool('promtool'))('Prometheus', () => {
  const folder = mkdtempSync(join(tmpdir(), 'turnout-rules-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const promtool = (...words: string[]) => {
    const { status, stdout, stderr } = spawnSync('promtool', words, { cwd: FOLDER, encoding: 'utf8', timeout: 30_000 });
    return { status, said: stdout + stderr };
  };

  test('reads the rules, and they fire when they should', () => {
    expect(promtool('check', 'rules', 'alerts.yaml')).toMatchObject({ status: 0 });
    const tested = promtool('test', 'rules', 'alerts.test.yaml');
    expect([tested.status, tested.said]).toEqual([0, expect.stringContaining('SUCCESS')]);
  });

  test('reads the expression of every panel', () => {
    const record = (expr: string, i: number) => ({
      record: `panel:${i}`,
      expr: expr.replaceAll('$__rate_interval', '5m'),
    });
    const check = (expressions: string[]) => {
      const file = join(folder, 'panels.json');
      writeFileSync(file, JSON.stringify({ groups: [{ name: 'panels', rules: expressions.map(record) }] }));
      return promtool('check', 'rules', file);
    };
    expect(check(panels.map(({ expr }) => expr))).toMatchObject({ status: 0 });
    expect(check(['sum(rate(turnout_requests_total[5m])'])).toMatchObject({ status: 1 });
  });
});

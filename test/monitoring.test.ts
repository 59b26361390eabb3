import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, test } from 'vitest';
import { operations } from '../server/src/areas/index.ts';
import { startTest } from './support/turnout.ts';

const root = fileURLToPath(new URL('../', import.meta.url));
const read = (path: string): string => readFileSync(join(root, path), 'utf8');

interface Panel {
  title: string;
  type: string;
  targets?: { expr: string }[];
}
const dashboard = JSON.parse(read('deploy/monitoring/dashboard.json')) as { panels: Panel[] };
const rules = read('deploy/monitoring/alerts.yaml');
const page = read('docs/operating/monitoring.md');
const panels = dashboard.panels.flatMap(({ title, targets = [] }) => targets.map(({ expr }) => ({ title, expr })));
const alerts = [...rules.matchAll(/- alert: (\w+)\n([\s\S]*?)(?=\n {6}- alert: |$)/g)].map(([, name, text]) => ({
  name: name!,
  text: text!,
}));

/** Metrics of ours that no panel shows, and why. */
const NOT_SHOWN: Record<string, string> = {};

const OURS = /\b(?:turnout|process|nodejs)_[a-z0-9_]+/g;
/** Prometheus adds these to what is scraped. */
const ADDED = ['job', 'instance', 'le'];
const withoutSuffix = (name: string, known: ReadonlySet<string>): string =>
  known.has(name) ? name : name.replace(/_(bucket|count|sum)$/, '');
/** Each metric of an expression, with the labels that it is selected by. */
const selected = (expr: string) =>
  [...expr.matchAll(/\b((?:turnout|process|nodejs)_[a-z0-9_]+)(?:\{([^}]*)\})?/g)].map(([, name, inside = '']) => ({
    name: name!,
    labels: [...inside.matchAll(/(\w+)\s*(?:=~|!~|!=|=)/g)].map(([, label]) => label!),
  }));

describe('what is watched is there', () => {
  /** Name and labels of each metric that a process shows. */
  const shown = new Map<string, Set<string>>();
  beforeAll(async () => {
    const t = await startTest({ env: { ROLES: 'api,worker' } });
    try {
      await t.call('GET', '/healthz');
      const text = (await t.call('GET', '/metrics')).text;
      for (const [, name] of text.matchAll(/^# TYPE (\S+) /gm)) shown.set(name!, new Set());
      for (const [, name, labels] of text.matchAll(/^(\w+)\{([^}]*)\} /gm)) {
        const of = shown.get(withoutSuffix(name!, new Set(shown.keys())));
        for (const [, label] of labels!.matchAll(/(\w+)="/g)) of?.add(label!);
      }
    } finally {
      await t.stop();
    }
    // What nothing has happened to yet has no labels; the page names them.
    for (const [, name, labels] of page.matchAll(/`(turnout_\w+)\{([\w,]+)\}`/g)) {
      for (const label of labels!.split(',')) shown.get(name!)?.add(label);
    }
  });
  const faultsOf = (expr: string): string[] =>
    selected(expr).flatMap(({ name, labels }) => {
      const known = shown.get(withoutSuffix(name, new Set(shown.keys())));
      if (known === undefined) return [`${name} is no metric`];
      return labels
        .filter((label) => !known.has(label) && !ADDED.includes(label))
        .map((one) => `${name} has no ${one}`);
    });

  test('every metric of the dashboard and of the alerts, with its labels', () => {
    expect(panels.length).toBeGreaterThan(20);
    expect(alerts.length).toBeGreaterThan(8);
    for (const { title, expr } of panels) expect([title, faultsOf(expr)]).toEqual([title, []]);
    for (const { name, text } of alerts) expect([name, faultsOf(text)]).toEqual([name, []]);
    expect(faultsOf('rate(turnout_nothing_total{status="5"}[5m]) + turnout_requests_total{colour="red"}')).toEqual([
      'turnout_nothing_total is no metric',
      'turnout_requests_total has no colour',
    ]);
  });

  test('every operation that a panel or an alert selects', () => {
    const known = new Set<string>(operations.map(({ id }) => id));
    const named = [...`${panels.map(({ expr }) => expr).join('\n')}\n${rules}`.matchAll(/operation=~?"([^"]+)"/g)];
    const ids = named.flatMap(([, text]) => text!.split('|'));
    expect(ids).toContain('scanTicket');
    expect(ids.filter((id) => !known.has(id))).toEqual([]);
  });

  test('every metric of ours is in a panel and in the table of the page', () => {
    const ours = [...shown.keys()].filter((name) => name.startsWith('turnout_'));
    const drawn = new Set(
      panels.flatMap(({ expr }) => [...expr.matchAll(OURS)].map(([name]) => withoutSuffix(name, new Set(ours)))),
    );
    expect(ours.filter((name) => !drawn.has(name) && NOT_SHOWN[name] === undefined)).toEqual([]);
    expect(Object.keys(NOT_SHOWN).filter((name) => drawn.has(name) || !shown.has(name))).toEqual([]);
    const table = new Set([...page.matchAll(/^\|(.*?)\|/gm)].flatMap(([, cell]) => cell!.match(OURS) ?? []));
    expect(ours.filter((name) => !table.has(name))).toEqual([]);
  });
});

test('every alert says what is, what it means and what to do, and leads to its words', () => {
  for (const { name, text } of alerts) {
    for (const what of ['summary', 'description', 'what_to_do'])
      expect([name, text]).toEqual([name, expect.stringMatching(new RegExp(`^ +${what}: \\S`, 'm'))]);
    expect([name, text]).toEqual([name, expect.stringMatching(/severity: (critical|warning) /)]);
    const anchor = /^ +runbook: docs\/operating\/monitoring\.md#(\S+)$/m.exec(text)?.[1];
    expect(anchor).toBe(name.toLowerCase());
    expect(page).toMatch(new RegExp(`^### ${name}$`, 'm'));
  }
});

import { spawnSync } from 'node:child_process';
import { chmodSync, copyFileSync, cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { pythonForTests } from '../scripts/python.mjs';
import { helmForTests } from '../scripts/tools.mjs';
import { readConfig } from '../server/src/config.ts';
import { read, settings } from './support/deploy.ts';
import { ROOT } from './support/running.ts';
import { hasTool } from './support/tools.ts';

const folder = mkdtempSync(join(tmpdir(), 'turnout-deploy-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Container {
  image: string;
  command?: string[];
  env: { name: string; value: string }[];
  ports?: { name: string; containerPort: number }[];
  [probe: `${string}Probe`]: { httpGet: { path: string; port: string } };
  securityContext: object;
  resources: { requests: object; limits: object };
}
interface Manifest {
  kind: string;
  metadata: { name: string; labels: Record<string, string>; annotations?: Record<string, string> };
  spec: {
    selector: { matchLabels: Record<string, string> } & Record<string, string>;
    template: {
      metadata: { labels: Record<string, string> };
      spec: { containers: Container[]; securityContext: object; terminationGracePeriodSeconds: number };
    };
    metrics: { type: string; pods?: { metric: { name: string } } }[];
    rules: { host: string; http: { paths: { backend: { service: { name: string } } }[] } }[];
  };
}

const helm = await helmForTests();
const python = await pythonForTests();

describe.skipIf(helm === null || python === null)('the chart', () => {
  const run = (...args: string[]) => spawnSync(helm!, args, { cwd: ROOT, encoding: 'utf8', timeout: 120_000 });
  const NEEDED = [
    'image.repository=registry.example.org/turnout',
    'publicUrl=https://turnout.example.org',
    'secretName=turnout',
    'filesUrl=s3://turnout',
  ];
  const MORE = [
    'api.autoscaling.enabled=true',
    'api.autoscaling.laneWaiting=5',
    'ingress.enabled=true',
    'ingress.hosts[0]=tickets.example.net',
    'ingress.tlsSecretName=tls',
    'settings.TRUSTED_PROXIES=10.0.0.0/8',
    'drainSeconds=20',
  ];
  const set = (values: string[]) => values.flatMap((value) => ['--set', value]);
  const render = (values: string[]) => {
    const { stdout, stderr } = run('template', 'fair', 'deploy/chart', '--kube-version', '1.31.0', ...set(values));
    return { stdout, stderr, all: parseAllDocuments(stdout).map((one) => one.toJS() as Manifest) };
  };
  const pods = (all: Manifest[]) => all.filter(({ kind }) => ['Deployment', 'Job'].includes(kind));

  test.each([
    ['what must be set', NEEDED],
    ['everything', [...NEEDED, ...MORE]],
  ])('with %s, it passes the linter and the schemas of Kubernetes', (name, values) => {
    const lint = run('lint', '--strict', 'deploy/chart', ...set(values));
    expect(lint.status, lint.stdout + lint.stderr).toBe(0);
    const { stdout, stderr, all } = render(values);
    expect(all.length, stderr).toBeGreaterThan(5);
    const file = join(folder, `${name}.yaml`);
    writeFileSync(file, stdout);
    for (const version of ['1.27', '1.37']) {
      const checked = spawnSync(python!.python, ['-m', 'kubernetes_validate', '-k', version, '--strict', file], {
        encoding: 'utf8',
      });
      expect(checked.status, checked.stdout + checked.stderr).toBe(0);
    }
    writeFileSync(file, stdout.replace('maxUnavailable: 1', 'maxUnavailabel: 1'));
    expect(spawnSync(python!.python, ['-m', 'kubernetes_validate', '--strict', file]).status).not.toBe(0);
  });

  test('what is missing, or misspelt, is refused by name', () => {
    const { stderr } = render(NEEDED.slice(1));
    expect(stderr).toContain('/image/repository');
    expect(render([...NEEDED, 'api.replica=3']).stderr).toContain('replica');
    for (const name of ['HOST', 'METRICS_PORT'])
      expect(render([...NEEDED, `settings.${name}=1`]).stderr).toContain(`'/settings/${name}'`);
    expect(render([...NEEDED, 'settings.Host=1']).stderr).toContain("'/settings': additional properties 'Host'");
  });

  test('its pods start with what it sets, and every setting exists', () => {
    const known = settings();
    const { all } = render([...NEEDED, ...MORE]);
    expect(
      pods(all)
        .map(({ metadata }) => metadata.name)
        .sort(),
    ).toEqual(['fair-turnout-api', 'fair-turnout-migration', 'fair-turnout-worker']);
    for (const { metadata, spec } of pods(all)) {
      const [container] = spec.template.spec.containers;
      expect(
        container!.env.map(({ name }) => name).filter((name) => !known.has(name)),
        metadata.name,
      ).toEqual([]);
      const env = Object.fromEntries(container!.env.map(({ name, value }) => [name, value]));
      const config = readConfig({ DATABASE_URL: 'postgres://turnout@db/turnout', ...env });
      expect([config.publicUrl, config.drainMs], metadata.name).toEqual(['https://turnout.example.org', 20_000]);
    }
  });

  test('its pods may do nothing that they need not', () => {
    for (const { metadata, spec } of pods(render(NEEDED).all)) {
      const { containers, securityContext, ...pod } = spec.template.spec;
      expect(pod, metadata.name).toMatchObject({ automountServiceAccountToken: false });
      expect(securityContext, metadata.name).toMatchObject({
        runAsNonRoot: true,
        runAsUser: 10001,
        seccompProfile: { type: 'RuntimeDefault' },
      });
      for (const container of containers) {
        expect(container.securityContext).toEqual({
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ['ALL'] },
        });
        expect(container.resources).toMatchObject({
          requests: { cpu: expect.any(String), memory: expect.any(String) },
          limits: { memory: expect.any(String) },
        });
      }
    }
  });

  test('it asks at addresses that exist, stops in time, and measures what there is', () => {
    const { all } = render([...NEEDED, ...MORE]);
    const pages = read('server/src/service-pages/pages.ts');
    for (const role of ['api', 'worker']) {
      const pod = all.find(({ kind, metadata }) => kind === 'Deployment' && metadata.name.endsWith(`-${role}`))!;
      const [container] = pod.spec.template.spec.containers;
      const [port] = container!.ports!;
      for (const [probe, path] of [
        ['startupProbe', '/readyz'],
        ['readinessProbe', '/readyz'],
        ['livenessProbe', '/healthz'],
      ] as const) {
        expect(container![probe]!.httpGet, `${role}: ${probe}`).toEqual({ path, port: port!.name });
        expect(pages).toContain(`app.get('${path}'`);
      }
      // The probes come from outside of the pod, so it has to listen there. The image says so of the API.
      const env = Object.fromEntries(container!.env.map(({ name, value }) => [name, value]));
      const { metricsAddress, port: apiPort } = readConfig({ DATABASE_URL: 'postgres://turnout@db/turnout', ...env });
      const listens = role === 'api' ? { host: '0.0.0.0', port: apiPort } : metricsAddress;
      expect(listens, role).toEqual({ host: '0.0.0.0', port: port!.containerPort });
    }
    for (const { kind, spec, metadata } of pods(all)) {
      if (kind === 'Deployment')
        expect(spec.template.spec.terminationGracePeriodSeconds, metadata.name).toBeGreaterThan(20 + 60);
      else expect(metadata.annotations!['helm.sh/hook']).toBe('pre-install,pre-upgrade');
    }
    const scaler = all.find(({ kind }) => kind === 'HorizontalPodAutoscaler')!;
    const [metric] = scaler.spec.metrics.flatMap(({ pods }) => pods?.metric.name ?? []);
    const rule = read('docs/operating/containers.md');
    expect(rule).toContain(`as: ${metric}`);
    const [, series] = /seriesQuery: '(\w+)_sum\{/.exec(rule)!;
    expect(read('server/src/road/measures.ts')).toContain(`name: '${series}'`);
  });

  test('each service, budget and ingress leads to the pods that it is for', () => {
    const { all } = render([...NEEDED, ...MORE]);
    const labels = pods(all).map(({ spec }) => spec.template.metadata.labels);
    const leads = all.filter(({ kind }) => ['Service', 'PodDisruptionBudget'].includes(kind));
    expect(leads).toHaveLength(3);
    for (const { metadata, spec } of leads) {
      const wanted = Object.entries(spec.selector.matchLabels ?? spec.selector);
      const found = labels.filter((one) => wanted.every(([name, value]) => one[name] === value));
      expect(found, metadata.name).toHaveLength(1);
    }
    const { rules } = all.find(({ kind }) => kind === 'Ingress')!.spec;
    expect(rules.map(({ host }) => host)).toEqual(['turnout.example.org', 'tickets.example.net']);
    const [service] = leads.filter(({ kind }) => kind === 'Service');
    for (const { http } of rules) expect(http.paths[0]!.backend.service.name).toBe(service!.metadata.name);
  });
});

describe.skipIf(!hasTool('systemd-analyze'))('systemd', () => {
  const units = readdirSync(join(ROOT, 'deploy/systemd')).filter((name) => name.endsWith('.service'));
  const at = join(folder, 'etc/systemd/system');
  mkdirSync(at, { recursive: true });
  // What every unit needs to start is read from the same root, such as sysinit.target.
  const system = 'usr/lib/systemd/system';
  const targets = readdirSync(join('/', system)).filter((name) => name.endsWith('.target'));
  for (const name of targets) cpSync(join('/', system, name), join(folder, system, name), { verbatimSymlinks: true });
  for (const name of units) copyFileSync(join(ROOT, 'deploy/systemd', name), join(at, name));
  mkdirSync(join(folder, 'opt/turnout/bin'), { recursive: true });
  const node = join(folder, 'opt/turnout/bin/node');
  writeFileSync(node, '#!/bin/sh\n');
  chmodSync(node, 0o755);
  const analyze = (...args: string[]) =>
    spawnSync('systemd-analyze', [...args, `--root=${folder}`], { cwd: at, encoding: 'utf8', timeout: 60_000 });

  test.each(units)('%s is what systemd understands, and may do little', (name) => {
    const unit = name.replace('@.', '@3001.');
    const verified = analyze('verify', '--man=no', unit);
    const about = verified.stderr.split('\n').filter((line) => line.includes('turnout'));
    expect([verified.status, about]).toEqual([0, []]);
    // From 0 to 10. Without its settings, a unit has 9.6.
    const [, exposure] = /exposure level for .*: ([\d.]+)/.exec(analyze('security', '--offline=yes', unit).stdout)!;
    expect(Number(exposure)).toBeLessThan(2);
  });

  test('a misspelt setting is noticed', () => {
    const wrong = read('deploy/systemd/turnout-worker.service').replace('ProtectSystem=', 'ProtectSytem=');
    writeFileSync(join(at, 'wrong.service'), wrong);
    expect(analyze('verify', '--man=no', 'wrong.service').stderr).toContain('ProtectSytem');
  });
});

test.skipIf(!hasTool('caddy'))('Caddy understands the Caddyfile of compose', () => {
  const adapt = (file: string) =>
    spawnSync('caddy', ['adapt', '--config', file, '--adapter', 'caddyfile'], {
      encoding: 'utf8',
      timeout: 60_000,
      env: { ...process.env, TURNOUT_HOST: 'turnout.example.org', ACME_EMAIL: 'a@example.org' },
    });
  const { status, stdout, stderr } = adapt(join(ROOT, 'deploy/compose/Caddyfile'));
  expect(status, stderr).toBe(0);
  const { apps } = JSON.parse(stdout);
  expect(apps.tls.automation.on_demand.ask).toBe('http://turnout:3000/tenant-hosts/check');
  const wrong = join(folder, 'Caddyfile');
  writeFileSync(wrong, read('deploy/compose/Caddyfile').replace('health_uri', 'health_url'));
  expect(adapt(wrong).status).not.toBe(0);
});

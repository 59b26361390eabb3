import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { NODE_FLAGS } from '../scripts/node-flags.mjs';
import { allCommands } from '../server/src/cli/commands.ts';
import { readConfig, requireDataDir } from '../server/src/config.ts';
import { read, START, settings } from './support/deploy.ts';
import { ROOT } from './support/running.ts';

const words = (await allCommands()).map(({ words }) => words);
/** What is in the image, by its path there. */
const inImage = (path: string) => join(ROOT, path.replace('/opt/turnout/', ''));

interface Service {
  image: string;
  command?: string[];
  environment?: Record<string, string | number>;
  env_file?: string;
  depends_on?: Record<string, { condition: string }>;
  healthcheck?: { test?: string[]; disable?: boolean };
  volumes?: string[];
  networks?: { default: { aliases?: string[]; ipv4_address?: string } };
  stop_grace_period?: string;
  read_only?: boolean;
}
const compose: { services: Record<string, Service>; volumes: object } = parse(read('deploy/compose/compose.yaml'), {
  merge: true,
});
const { services } = compose;
const ours = Object.entries(services).filter(([, { image }]) => image.includes('TURNOUT_IMAGE'));
const names = new Set(
  Object.entries(services).flatMap(([name, { networks }]) => [name, ...(networks?.default.aliases ?? [])]),
);

/** The values of a file of settings; what is empty in the example gets something. */
function example(path: string): Record<string, string> {
  const lines = [...read(path).matchAll(/^([A-Z0-9_]+)=(.*)$/gm)];
  return Object.fromEntries(lines.map(([, name, value]) => [name, value!.replace(/^'(.*)'$/, '$1') || 'c'.repeat(48)]));
}

describe('compose.yaml', () => {
  const filledIn = example('deploy/compose/env.example');

  test('is what the specification says', () => {
    const check = new Ajv2020({ strict: false, validateFormats: false }).compile(
      JSON.parse(read('test/fixtures/compose/compose-spec.json')),
    );
    expect(check(compose), JSON.stringify(check.errors)).toBe(true);
    expect(check({ ...compose, services: { wrong: { image: 'x', depend_on: ['y'] } } })).toBe(false);
  });

  test('every value that it fills in is in the example, and every one of the example is used', () => {
    const used = new Set(
      [...read('deploy/compose/compose.yaml').matchAll(/\$\{([A-Z0-9_]+):\?/g)].map(([, name]) => name),
    );
    expect([...used].sort()).toEqual(Object.keys(filledIn).sort());
  });

  test('a process starts with what it sets, and every setting exists', () => {
    const known = settings();
    for (const [name, { environment = {} }] of ours) {
      const own = example('deploy/compose/turnout.env.example');
      const set = Object.entries({ ...own, ...environment }).map(([key, value]) => [
        key,
        String(value).replace(/\$\{([A-Z0-9_]+)[^}]*\}/g, (_all, variable) => filledIn[variable]!),
      ]);
      expect(
        set.map(([key]) => key).filter((key) => !known.has(key!)),
        name,
      ).toEqual([]);
      const config = readConfig(Object.fromEntries(set));
      expect(config.files, name).toMatchObject({ bucket: 'turnout' });
    }
  });

  test('whatever it refers to exists', () => {
    for (const [name, { environment = {}, depends_on = {}, volumes = [], command }] of Object.entries(services)) {
      const hosts = Object.values(environment).flatMap((value) =>
        [...decodeURIComponent(String(value)).matchAll(/(?:@|(?:redis|http|smtp):\/\/)([a-z][\w-]*):\d+/g)].map(
          ([, host]) => host!,
        ),
      );
      expect(
        [...hosts, ...Object.keys(depends_on)].filter((one) => !names.has(one)),
        name,
      ).toEqual([]);
      for (const [other, { condition }] of Object.entries(depends_on)) {
        if (condition === 'service_healthy') expect(isChecked(services[other]!), other).toBe(true);
      }
      for (const [from] of volumes.map((one) => one.split(':'))) {
        const there = from!.startsWith('./')
          ? existsSync(join(ROOT, 'deploy/compose', from!))
          : Object.keys(compose.volumes).includes(from!);
        expect(there, `${name}: ${from}`).toBe(true);
      }
      if (command?.[0] === 'turnout') expect(words).toContain(command.slice(1).join(' '));
    }
    const proxied = [...read('deploy/compose/Caddyfile').matchAll(/\b([a-z][\w-]*):3000/g)].map(([, host]) => host!);
    expect(proxied).toEqual(['turnout', 'api-1', 'api-2']);
    expect(proxied.filter((one) => !names.has(one))).toEqual([]);
  });

  test('only the proxy is trusted, and the schema comes first', () => {
    const address = services.caddy!.networks!.default.ipv4_address;
    for (const [name, { environment, depends_on, read_only }] of ours) {
      expect([environment!.TRUSTED_PROXIES, read_only], name).toEqual([address, true]);
      if (['migrate', 'bucket'].includes(name)) continue;
      expect(depends_on!.migrate, name).toEqual({ condition: 'service_completed_successfully' });
    }
  });

  test('a process has the time to stop that it may take', () => {
    for (const [name, { environment, stop_grace_period }] of ours) {
      expect(Number.parseInt(stop_grace_period!, 10), name).toBeGreaterThan(Number(environment!.DRAIN_SECONDS) + 60);
    }
  });

  /** Ours have the check of the image. */
  const isChecked = (service: Service) =>
    service.healthcheck?.test !== undefined ||
    (service.image.includes('TURNOUT_IMAGE') && service.healthcheck?.disable !== true);
});

test('a folder for data is needed only if something is written there', () => {
  const elsewhere = {
    DATABASE_URL: 'postgres://turnout@db/turnout',
    SECRET_KEY: Buffer.alloc(32).toString('base64'),
    SMTP_URL: 'smtp://mail',
    FILES_URL: 's3://turnout',
  };
  const check = (env: Record<string, string>) => () =>
    requireDataDir(readConfig({ ...env, DATA_DIR: '/dev/null/data' }));
  expect(check(elsewhere)).not.toThrow();
  for (const name of Object.keys(elsewhere)) {
    expect(check({ ...elsewhere, [name]: '' }), name).toThrow(/(DATA_DIR|FILES_URL) \/dev\/null\/data/);
  }
});

describe('Containerfile', () => {
  const text = read('Containerfile');

  test('starts the server as `npm start` does', () => {
    const command: string[] = JSON.parse(/^CMD (\[.*\])$/m.exec(text)![1]!);
    expect(command).toEqual(['node', ...START]);
    expect(NODE_FLAGS).toEqual(expect.arrayContaining(START.slice(0, 2)));
    const health: string[] = JSON.parse(/^HEALTHCHECK .*CMD (\[.*\])$/m.exec(text)![1]!);
    for (const path of [command.at(-1)!, health.at(-1)!]) expect(existsSync(inImage(path)), path).toBe(true);
  });

  test('npm finds every workspace in what is copied', () => {
    const { packages } = JSON.parse(read('package-lock.json')) as {
      packages: Record<string, { link?: boolean; resolved?: string }>;
    };
    const workspaces = Object.values(packages).flatMap(({ link, resolved }) => (link === true ? [resolved!] : []));
    const copied = [...text.matchAll(/^COPY (\S+)\/package\.json \1\/$/gm)].map(([, folder]) => folder!);
    expect(copied.toSorted()).toEqual(workspaces.toSorted());
    const taken = [...read('.containerignore').matchAll(/^!(.*)$/gm)].map(([, path]) => path!);
    const isTaken = (file: string) => taken.some((path) => file === path || file.startsWith(`${path}/`));
    expect(workspaces.filter((workspace) => !isTaken(`${workspace}/package.json`))).toEqual([]);
  });
});

describe('the chart', () => {
  const values = parse(read('deploy/chart/values.yaml'));
  const check = new Ajv({ strict: false }).compile(JSON.parse(read('deploy/chart/values.schema.json')));
  const needed = {
    image: { ...values.image, repository: 'registry.example.org/turnout' },
    publicUrl: 'https://turnout.example.org',
    secretName: 'turnout',
    filesUrl: 's3://turnout',
  };

  test('its values fit their schema once what is needed is set', () => {
    expect(check(values)).toBe(false);
    expect(check({ ...values, ...needed }), JSON.stringify(check.errors)).toBe(true);
    expect(check({ ...values, ...needed, settings: { PORT: 80 } })).toBe(false);
    expect(check({ ...values, ...needed, replica: 3 })).toBe(false);
  });

  test('its version is that of the product', () => {
    const { appVersion } = parse(read('deploy/chart/Chart.yaml'));
    expect(appVersion).toBe(JSON.parse(read('package.json')).version);
    expect(read('Containerfile')).toContain(`ARG VERSION=${appVersion}\n`);
  });

  test('the commands that its notes name exist', () => {
    const named = [...read('deploy/chart/templates/NOTES.txt').matchAll(/-- turnout ([a-z]+(?: [a-z]+)?)(?= |$)/gm)];
    expect(named.length).toBe(3);
    for (const [, command] of named) expect(words).toContain(command);
  });
});

describe('systemd', () => {
  const units = readdirSync(join(ROOT, 'deploy/systemd')).filter((name) => name.endsWith('.service'));

  test.each(units)('%s starts what exists, with settings that exist', (name) => {
    const text = read(`deploy/systemd/${name}`);
    const [node, ...command] = /^ExecStart=(.*)$/m.exec(text)![1]!.split(' ');
    expect(node).toBe('/opt/turnout/bin/node');
    if (name === 'turnout-migrate.service') expect(command).toEqual(['/opt/turnout/server/bin/turnout.mjs', 'migrate']);
    else expect(command).toEqual(START);
    const set = [...text.matchAll(/^Environment=(.*)$/gm)].flatMap(([, line]) => line!.split(' '));
    const known = settings();
    expect(set.map((one) => one.split('=')[0]!).filter((one) => !known.has(one))).toEqual([]);
    expect(text).toMatch(/^ProtectSystem=strict$/m);
    expect(text).toMatch(/^NoNewPrivileges=yes$/m);
    if (text.includes('Type=exec')) expect(Number(/^TimeoutStopSec=(\d+)$/m.exec(text)![1])).toBeGreaterThan(5 + 60);
  });
});

import { argumentsOf, literal, PYTHON, TYPESCRIPT } from './literals.ts';
import { type SandboxCall, sandboxCall } from './sandbox-calls.ts';
import type { Json } from './schemas.ts';

/** What the samples of an operation are made from. */
interface Sample extends SandboxCall {
  method: string;
  /** With its parameters filled in, below the address of the installation. */
  address: string;
  /** `registrations.create`. */
  name: string;
  /** The names of the path's parameters, in the order of the path. */
  order: readonly string[];
  credential: 'TURNOUT_KEY' | 'TURNOUT_DEVICE_TOKEN' | null;
  /** Whether the answer is a page of a list. */
  pages: boolean;
  answers: 'json' | 'file' | 'nothing';
  /** Whether it takes a picture as its body. */
  picture: boolean;
}

const METHODS = ['get', 'post', 'put', 'patch', 'delete'];

/** Adds `x-codeSamples` to every operation: calls with curl and with the client libraries, which the sandbox carries out. */
export function addSamples(document: Json, publicUrl: string): void {
  const components = document.components as Record<string, Record<string, Json>>;
  for (const [path, item] of Object.entries(document.paths as Record<string, Json>)) {
    for (const method of METHODS) {
      const operation = item[method] as Json | undefined;
      if (operation === undefined) continue;
      const parameters = ((operation.parameters ?? []) as Json[]).map((one) => resolved(one, components));
      const servers = (operation.servers ?? item.servers ?? document.servers) as Json[];
      const sample = sampleOf({ ...operation, parameters }, method, path, String(servers[0]!.url));
      operation['x-codeSamples'] = [
        { lang: 'shell', label: 'curl', source: curl(sample, publicUrl) },
        { lang: 'typescript', label: 'TypeScript', source: typescript(sample, publicUrl) },
        { lang: 'python', label: 'Python', source: python(sample, publicUrl) },
      ];
    }
  }
}

/** A parameter or response, also where the document only refers to it. */
export function resolved(one: Json, components: Record<string, Record<string, Json>>): Json {
  if (one.$ref === undefined) return one;
  const [kind, name] = String(one.$ref).split('/').slice(-2) as [string, string];
  return components[kind]![name]!;
}

const MOUNTS: Readonly<Record<string, string>> = {
  '{base_url}': '/v1',
  '{scanner_url}/api/v1': '/api/v1',
  '{public_url}': '',
};

function sampleOf(operation: Json, method: string, path: string, server: string): Sample {
  const call = sandboxCall(operation, method);
  const query = new URLSearchParams(call.query).toString();
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(call.path[name]!));
  const [security] = (operation.security ?? [{ apiKey: [] }]) as Json[];
  const [answer] = Object.entries(operation.responses as Record<string, Json>)
    .filter(([status]) => status.startsWith('2'))
    .map(([, response]) => (response.content ?? {}) as Record<string, Json>);
  const example = answer?.['application/json']?.example as Json | undefined;
  const bodyTypes = ((operation.requestBody as Json | undefined)?.content ?? {}) as Json;
  return {
    ...call,
    method: method.toUpperCase(),
    address: `${MOUNTS[server]}${filled}${query === '' ? '' : `?${query}`}`,
    name: String(operation['x-client-name']),
    order: [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]!),
    credential: security === undefined ? null : 'deviceToken' in security ? 'TURNOUT_DEVICE_TOKEN' : 'TURNOUT_KEY',
    pages: example?.data !== undefined && example.page !== undefined,
    answers: example !== undefined ? 'json' : Object.keys(answer ?? {}).length > 0 ? 'file' : 'nothing',
    picture: 'image/png' in bodyTypes,
  };
}

function curl({ method, address, credential, body, answers, picture }: Sample, publicUrl: string): string {
  const quoted = JSON.stringify(body, null, 2)?.replaceAll("'", "'\\''");
  return [
    `curl${method === 'GET' ? '' : ` -X ${method}`} "${publicUrl}${address}"`,
    ...(credential === null ? [] : [`-H "Authorization: Bearer $${credential}"`]),
    ...(method === 'POST' ? ['-H "Idempotency-Key: $(openssl rand -hex 16)"'] : []),
    ...(body === undefined ? [] : ['-H "Content-Type: application/json"', `-d '${quoted}'`]),
    ...(picture ? ['-H "Content-Type: image/png"', '--data-binary @picture.png'] : []),
    ...(answers === 'file' ? ['-o ticket.pdf'] : []),
  ].join(' \\\n  ');
}

function typescript(sample: Sample, publicUrl: string): string {
  const { path, order, query, body, name, credential, pages, answers, picture } = sample;
  const value = (one: unknown) => (margin: string) => literal(one, TYPESCRIPT, margin);
  const parts = [
    ...order.map((one) => value(path[one])),
    ...(picture ? [() => "await readFile('picture.png')"] : []),
    ...(body === undefined ? [] : [value(body)]),
    ...(Object.keys(query).length === 0 ? [] : [value(query)]),
  ];
  const files = [...(picture ? ['readFile'] : []), ...(answers === 'file' ? ['writeFile'] : [])];
  const key = credential === null ? '' : `key: process.env.${credential}, `;
  const before = pages ? 'for await (const one of ' : answers === 'nothing' ? 'await ' : 'const answer = await ';
  const call = `${before}turnout.${name}`;
  const sent = `${call}${argumentsOf(parts, call, TYPESCRIPT)}`;
  return [
    ...(files.length === 0 ? [] : [`import { ${files.join(', ')} } from 'node:fs/promises';`]),
    "import { Turnout } from '@turnout/sdk';",
    '',
    `const turnout = new Turnout({ ${key}baseUrl: '${publicUrl}' });`,
    ...(pages ? [`${sent}) {`, '  console.log(one);', '}'] : [`${sent};`]),
    ...(pages || answers === 'nothing'
      ? []
      : [answers === 'file' ? "await writeFile('ticket.pdf', answer);" : 'console.log(answer);']),
  ].join('\n');
}

/** Words that Python keeps for itself get an underscore. */
const RESERVED = new Set(['from', 'import', 'in', 'is', 'class', 'global', 'pass']);
const snake = (name: string): string => {
  const spelled = name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  return RESERVED.has(spelled) ? `${spelled}_` : spelled;
};

function python(sample: Sample, publicUrl: string): string {
  const { path, order, query, body, name, credential, pages, answers, picture } = sample;
  const value = (one: unknown) => (margin: string) => literal(one, PYTHON, margin);
  // A file with people is taken as it is, in place of the body that contains it.
  const { csv, ...fields } = (body ?? {}) as Json;
  const named = Object.entries({ ...fields, ...query }).map(
    ([field, one]) =>
      (margin: string) =>
        `${snake(field)}=${literal(one, PYTHON, margin)}`,
  );
  const parts = [
    ...order.map((one) => value(path[one])),
    ...(picture ? [() => 'Path("picture.png")'] : []),
    ...(csv === undefined ? [] : [value(csv)]),
    ...named,
  ];
  const before = pages ? 'for one in ' : answers === 'nothing' ? '' : 'answer = ';
  const call = `${before}turnout.${name.split('.').map(snake).join('.')}`;
  const sent = `${call}${argumentsOf(parts, call, PYTHON)}`;
  const key = credential === null ? '' : `key=os.environ["${credential}"], `;
  const imports = [
    ...(credential === null ? [] : ['import os']),
    ...(picture || answers === 'file' ? ['from pathlib import Path'] : []),
  ];
  return [
    ...imports,
    ...(imports.length === 0 ? [] : ['']),
    'from turnout import Turnout',
    '',
    `turnout = Turnout(${key}base_url="${publicUrl}")`,
    ...(pages ? [`${sent}:`, '    print(one)'] : [sent]),
    ...(pages || answers === 'nothing'
      ? []
      : [answers === 'file' ? 'Path("ticket.pdf").write_bytes(answer)' : 'print(answer)']),
  ].join('\n');
}

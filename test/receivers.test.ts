import { type ChildProcess, execFile, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage, Server, type ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { EVENT_TYPES } from '@turnout/contract';
import { TOLERANCE_SECONDS } from '@turnout/sdk';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { bodyOf, publishedVectors, type Vector, vectorsAt } from '../packages/sdk/src/webhooks/vectors.support.ts';
import { signature, signingKey, standardHeaders } from '../server/src/areas/webhooks/signature.ts';
import { isNight } from './support/night.ts';

const ROOT = new URL('../', import.meta.url);
const SECRET = publishedVectors()[0]!.secret;
const temporary = mkdtempSync(join(tmpdir(), 'turnout-receivers-'));
const running: (Server | ChildProcess)[] = [];
afterAll(() => {
  for (const one of running) {
    if (one instanceof Server) one.close().closeAllConnections();
    else one.kill();
  }
  rmSync(temporary, { recursive: true, force: true });
});

/** How each example is run, as its section of docs/guides/webhooks.md says. */
interface Language {
  name: string;
  /** A path below examples/receivers. The code block in the guide has the same text. */
  file: string;
  fence: string;
  /** Whether this machine can run it. */
  runs: () => boolean;
  /** Starts it and answers its port. */
  start: (file: string) => Promise<number>;
}
const LANGUAGES: readonly Language[] = [
  {
    name: 'Node',
    file: 'node/receiver.ts',
    fence: 'ts',
    runs: () => true,
    start: (file) => program(process.execPath, ['--conditions=turnout-source', file]),
  },
  {
    name: 'Python',
    file: 'python/receiver.py',
    fence: 'python',
    runs: () => says('python3', ['--version'], /Python 3\./),
    start: (file) => program('python3', [file]),
  },
  {
    name: 'Go',
    file: 'go/receiver.go',
    fence: 'go',
    runs: () => says('go', ['version'], /go1\.(2[2-9]|[3-9]\d)/),
    start: async (file) => {
      const built = join(temporary, 'receiver');
      // Built without inlining. With an empty cache this took 14 s instead of 45 s (measured); with a warm one it takes no time.
      await promisify(execFile)('go', ['build', '-gcflags=all=-l', '-o', built, file], {
        env: { ...process.env, CGO_ENABLED: '0', GOPROXY: 'off', GOTOOLCHAIN: 'local' },
      });
      return program(built, []);
    },
  },
  {
    name: 'Java',
    file: 'java/Receiver.java',
    fence: 'java',
    // Java compiles the source file when it starts it, so the compiler must be installed.
    runs: () => says('java', ['--list-modules'], /^jdk\.compiler@(1[7-9]|[2-9]\d)/m),
    start: (file) => program('java', [file]),
  },
  {
    name: 'Perl',
    file: 'perl/receiver.cgi',
    fence: 'perl',
    runs: () => says('perl', ['-MDigest::SHA', '-MJSON::PP', '-e', 'print $]'], /^5\./),
    start: (file) => listening(cgi('perl', [file])),
  },
];

function says(command: string, args: string[], expected: RegExp): boolean {
  const { status, stdout } = spawnSync(command, args, { encoding: 'utf8' });
  return status === 0 && expected.test(stdout);
}

/** By day those that start at once. At night all of them, and one whose language is missing fails: building Go's takes 30 s. */
const BY_DAY = ['Node', 'Python', 'Perl'];
const tried = isNight ? LANGUAGES : LANGUAGES.filter((language) => BY_DAY.includes(language.name) && language.runs());

async function listening(handle: (request: IncomingMessage, response: ServerResponse) => void): Promise<number> {
  const server = createServer(handle).listen(0, '127.0.0.1');
  running.push(server);
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

async function program(command: string, args: string[]): Promise<number> {
  const port = await freePort();
  const child = spawn(command, args, {
    env: { ...process.env, PORT: String(port), WEBHOOK_SECRET: SECRET },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  running.push(child);
  let complaints = '';
  child.stderr.on('data', (data) => {
    complaints += data;
  });
  while (!(await answers(port))) {
    if (child.exitCode !== null) throw new Error(`${command} stopped: ${complaints}`);
    await wait(50);
  }
  return port;
}

const answers = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy();
      resolve(true);
    }).on('error', () => resolve(false));
  });

/** Does what a web server does for a CGI script (RFC 3875), as far as a receiver needs it. */
const cgi =
  (command: string, args: string[]) =>
  async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await buffer(request);
    const header = request.headers['service-signature'];
    const child = spawn(command, args, {
      env: {
        PATH: process.env.PATH,
        WEBHOOK_SECRET: SECRET,
        REQUEST_METHOD: 'POST',
        CONTENT_LENGTH: String(body.length),
        ...(header !== undefined && { HTTP_SERVICE_SIGNATURE: String(header) }),
      },
      stdio: ['pipe', 'pipe', 'ignore'],
    });
    child.stdin.end(body);
    const status = /^Status: (\d{3})/.exec((await buffer(child.stdout)).toString())?.[1] ?? '500';
    response.writeHead(Number(status)).end();
  };

async function post(port: number, vector: Vector): Promise<number> {
  const answer = await fetch(`http://127.0.0.1:${port}/`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(vector.header !== null && { 'service-signature': vector.header }),
    },
    body: new Uint8Array(bodyOf(vector)),
  });
  await answer.arrayBuffer();
  return answer.status;
}

/** The vectors signed now, except those that would leave the tolerance within a minute on a slow machine. */
function liveVectors(): Vector[] {
  const now = Math.floor(Date.now() / 1000);
  const recent = (t: number, at: number) => Math.abs(at - t) <= TOLERANCE_SECONDS;
  return vectorsAt(now).filter(({ t }) => recent(t, now) === recent(t, now + 60));
}

/** The vectors that a receiver treats differently than they say. */
async function differences(port: number): Promise<string[]> {
  const found: string[] = [];
  for (const vector of liveVectors()) {
    const status = await post(port, vector);
    if (status !== (vector.valid ? 204 : 400)) found.push(`${vector.name}: ${status}`);
  }
  return found;
}

describe('the example receivers accept and refuse, over HTTP, what the vectors say', () => {
  const ports = new Map<string, Promise<number>>();
  beforeAll(async () => {
    for (const { name, file, start } of tried) {
      ports.set(name, start(fileURLToPath(new URL(`examples/receivers/${file}`, ROOT))));
    }
    // A receiver that does not start fails its own test.
    await Promise.allSettled(ports.values());
  }, 240_000);

  // claim: receiver-verifies
  test.each(tried)('$name', async ({ name }) => expect(await differences(await ports.get(name)!)).toEqual([]));

  test('all vectors are sent except those at the edges of the tolerance', () => {
    const sent = liveVectors().map(({ name }) => name);
    const edges = publishedVectors().flatMap(({ name }) => (sent.includes(name) ? [] : [name]));
    expect(edges).toEqual(['300 seconds old', '301 seconds ahead']);
  });

  test.each([
    { accepts: 'everything', status: 204, wrong: (vector: Vector) => !vector.valid },
    { accepts: 'nothing', status: 400, wrong: (vector: Vector) => vector.valid },
  ])('seen failing: a receiver that accepts $accepts', async ({ status, wrong }) => {
    const port = await listening((request, response) =>
      request.resume().on('end', () => response.writeHead(status).end()),
    );
    expect(await differences(port)).toEqual(
      liveVectors().flatMap((one) => (wrong(one) ? [`${one.name}: ${status}`] : [])),
    );
  });
});

describe('what Turnout signs is what the vectors publish', () => {
  const signedOnce = publishedVectors().filter(({ header }) => /^t=[0-9]+,v1=[0-9a-f]{64}$/.test(header ?? ''));
  // claim: signature-of-bytes
  test.each(signedOnce.filter(({ valid }) => valid))('$name', (vector) => {
    const { secret, t, header, standard } = vector;
    expect(signature([signingKey(secret)], t, bodyOf(vector))).toBe(header);
    expect(standardHeaders(standard!.id, [signingKey(secret)], t, bodyOf(vector))).toEqual(standard!.headers);
  });
});

describe('docs/guides/webhooks.md', () => {
  const read = (path: string) => readFileSync(new URL(path, ROOT), 'utf8');
  const guide = read('docs/guides/webhooks.md');
  const blocks = (fence: string) =>
    [...guide.matchAll(new RegExp(`^\`\`\`${fence}\\n([^]*?)^\`\`\`$`, 'gm'))].map((found) => found[1]);

  test.each(LANGUAGES)('shows the $name receiver as it is', ({ file, fence }) => {
    expect(blocks(fence)).toContain(read(`examples/receivers/${file}`));
  });

  test('quotes the first vector as it is', () => {
    const [{ secret, header, standard }] = publishedVectors() as [Vector];
    for (const part of [secret, header!, ...Object.values(standard!.headers)]) expect(guide).toContain(part);
  });

  test('lists the 19 types, each once and in their order', () => {
    const listed = [...guide.matchAll(/^\| `([a-z]+\.[a-z_]+)` \|/gm)].map((row) => row[1]);
    expect(listed).toEqual(EVENT_TYPES);
  });
});

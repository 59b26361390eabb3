import { readFileSync } from 'node:fs';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';

interface Recorded {
  method: string;
  path: string;
  client: string | undefined;
  idempotencyKey: string | undefined;
}

const document = JSON.parse(readFileSync(new URL('../../../docs/reference/openapi.json', import.meta.url), 'utf8')) as {
  paths: Record<string, Record<string, { operationId?: string }>>;
};
/** The operations of the committed document that stand below `/v1`, those without parameters first. */
const OPERATIONS = Object.entries(document.paths)
  .filter(([path]) => !path.startsWith('/o/'))
  .flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { operationId }]) => ({
      id: operationId!,
      method: method.toUpperCase(),
      path: new RegExp(`^/v1${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`),
      parameters: path.split('{').length,
    })),
  )
  .toSorted((a, b) => a.parameters - b.parameters);

/** Stands between an automation app and Turnout, and notes what the app asks for. */
export interface Recorder {
  url: string;
  /** Since the last `clear`. */
  calls: Recorded[];
  /** Every operation that was used. */
  used: Set<string>;
  /** Everything that is no operation of API v1, or does not name the app. */
  strange: string[];
  clear(): void;
  stop(): Promise<void>;
}

export async function startRecorder(to: string, client: string): Promise<Recorder> {
  const recorder = { calls: [] as Recorded[], used: new Set<string>(), strange: [] as string[] };
  const server = createServer((incoming, outgoing) => {
    const { method = '', url = '', headers } = incoming;
    const path = url.split('?')[0]!;
    const name = headers['x-service-client'] as string | undefined;
    recorder.calls.push({
      method,
      path,
      client: name,
      idempotencyKey: headers['idempotency-key'] as string | undefined,
    });
    const operation = OPERATIONS.find((one) => one.method === method && one.path.test(path));
    if (operation === undefined) recorder.strange.push(`${method} ${url} is no operation of API v1`);
    else recorder.used.add(operation.id);
    if (name !== client) recorder.strange.push(`${method} ${url} does not name the app (${name})`);
    const onward = request(`${to}${url}`, { method, headers: { ...headers, host: new URL(to).host } }, (answer) => {
      outgoing.writeHead(answer.statusCode!, answer.headers);
      answer.pipe(outgoing);
    });
    onward.on('error', () => outgoing.destroy());
    incoming.pipe(onward);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    ...recorder,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    clear: () => {
      recorder.calls.length = 0;
      recorder.strange.length = 0;
    },
    stop: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

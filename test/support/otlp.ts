import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A field of a message of protobuf: its number, and its value as it stands on the wire. */
type Fields = Map<number, (Buffer | bigint)[]>;

/** Reads a message of protobuf without its schema. */
function fieldsOf(bytes: Buffer): Fields {
  const fields: Fields = new Map();
  let at = 0;
  const varint = (): bigint => {
    let value = 0n;
    for (let shift = 0n; ; shift += 7n) {
      const byte = bytes[at++]!;
      value |= BigInt(byte & 127) << shift;
      if (byte < 128) return value;
    }
  };
  const take = (length: number): Buffer => {
    at += length;
    return bytes.subarray(at - length, at);
  };
  while (at < bytes.length) {
    const tag = varint();
    const type = Number(tag & 7n);
    if (![0, 1, 2, 5].includes(type)) throw new Error(`not protobuf: wire type ${type}`);
    const value = type === 0 ? varint() : take(type === 1 ? 8 : type === 5 ? 4 : Number(varint()));
    const number = Number(tag >> 3n);
    fields.set(number, [...(fields.get(number) ?? []), value]);
  }
  return fields;
}

const each = (fields: Fields, number: number): Buffer[] => (fields.get(number) ?? []) as Buffer[];
const text = (fields: Fields, number: number): string => each(fields, number)[0]?.toString() ?? '';
const hex = (fields: Fields, number: number): string => each(fields, number)[0]?.toString('hex') ?? '';
const nanos = (fields: Fields, number: number): bigint => each(fields, number)[0]?.readBigUInt64LE() ?? 0n;

type Value = string | number | boolean | null;
function attributes(fields: Fields, number: number): Record<string, Value> {
  return Object.fromEntries(
    each(fields, number).map((bytes) => {
      const pair = fieldsOf(bytes);
      const value = fieldsOf(each(pair, 2)[0]!);
      const [kind, [given]] = [...value][0] as [number, [Buffer | bigint]];
      const read: Value =
        kind === 1
          ? (given as Buffer).toString()
          : kind === 2
            ? given === 1n
            : kind === 3
              ? Number(given)
              : kind === 4
                ? (given as Buffer).readDoubleLE()
                : null;
      return [text(pair, 1), read];
    }),
  );
}

export interface ReceivedSpan {
  trace: string;
  id: string;
  parent: string;
  name: string;
  kind: number;
  start: bigint;
  end: bigint;
  attributes: Record<string, Value>;
  links: { trace: string; id: string }[];
  failed: boolean;
  resource: Record<string, Value>;
}

export interface ReceivedMetric {
  name: string;
  kind: 'gauge' | 'sum' | 'histogram';
  points: {
    attributes: Record<string, Value>;
    value: number | null;
    count: number;
    bounds: number[];
    counts: number[];
  }[];
}

function spansIn(body: Buffer): ReceivedSpan[] {
  return each(fieldsOf(body), 1).flatMap((bytes) => {
    const resourceSpans = fieldsOf(bytes);
    const resource = attributes(fieldsOf(each(resourceSpans, 1)[0]!), 1);
    return each(resourceSpans, 2).flatMap((scope) =>
      each(fieldsOf(scope), 2).map((bytes) => {
        const span = fieldsOf(bytes);
        return {
          trace: hex(span, 1),
          id: hex(span, 2),
          parent: hex(span, 4),
          name: text(span, 5),
          kind: Number(span.get(6)?.[0] ?? 0n),
          start: nanos(span, 7),
          end: nanos(span, 8),
          attributes: attributes(span, 9),
          links: each(span, 13).map((link) => ({ trace: hex(fieldsOf(link), 1), id: hex(fieldsOf(link), 2) })),
          failed: each(span, 15).some((status) => fieldsOf(status).get(3)?.[0] === 2n),
          resource,
        };
      }),
    );
  });
}

const doubles = (fields: Fields, number: number): number[] =>
  each(fields, number).flatMap((bytes) =>
    Array.from({ length: bytes.length / 8 }, (_, i) => bytes.readDoubleLE(i * 8)),
  );
const longs = (fields: Fields, number: number): number[] =>
  each(fields, number).flatMap((bytes) =>
    Array.from({ length: bytes.length / 8 }, (_, i) => Number(bytes.readBigUInt64LE(i * 8))),
  );

const KINDS = [
  [5, 'gauge', 7],
  [7, 'sum', 7],
  [9, 'histogram', 9],
] as const;

function metricsIn(body: Buffer): ReceivedMetric[] {
  return each(fieldsOf(body), 1).flatMap((bytes) =>
    each(fieldsOf(bytes), 2).flatMap((scope) =>
      each(fieldsOf(scope), 2).map((bytes): ReceivedMetric => {
        const metric = fieldsOf(bytes);
        const [number, kind, ofAttributes] = KINDS.find(([number]) => metric.has(number))!;
        const points = each(fieldsOf(each(metric, number)[0]!), 1).map((bytes) => {
          const point = fieldsOf(bytes);
          return {
            attributes: attributes(point, ofAttributes),
            value: kind === 'histogram' ? null : (doubles(point, 4)[0] ?? 0),
            count: kind === 'histogram' ? (longs(point, 4)[0] ?? 0) : 0,
            bounds: kind === 'histogram' ? doubles(point, 7) : [],
            counts: kind === 'histogram' ? longs(point, 6) : [],
          };
        });
        return { name: text(metric, 1), kind, points };
      }),
    ),
  );
}

export interface Collector {
  url: string;
  spans: ReceivedSpan[];
  metrics: ReceivedMetric[];
  /** The bodies as they came, one after the other. */
  bytes(): Buffer;
  headers: IncomingMessage['headers'][];
  stop(): Promise<void>;
}

/** A collector of OpenTelemetry on loopback, which takes OTLP over HTTP in protobuf. `answer` replaces its answers. */
export async function startCollector(answer?: (reply: ServerResponse) => void): Promise<Collector> {
  const bodies: Buffer[] = [];
  const collector = {
    spans: [] as ReceivedSpan[],
    metrics: [] as ReceivedMetric[],
    headers: [] as IncomingMessage['headers'][],
  };
  const server = createServer(async (request, reply) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const body = Buffer.concat(chunks);
    bodies.push(body);
    collector.headers.push(request.headers);
    if (request.url === '/v1/traces') collector.spans.push(...spansIn(body));
    if (request.url === '/v1/metrics') collector.metrics.push(...metricsIn(body));
    if (answer !== undefined) answer(reply);
    else reply.writeHead(200, { 'content-type': 'application/x-protobuf' }).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    ...collector,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    bytes: () => Buffer.concat(bodies),
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

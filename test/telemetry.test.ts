import { randomUUID } from 'node:crypto';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { tracing } from '../server/src/common/tracing.ts';
import { readConfig } from '../server/src/config.ts';
import { Outbound } from '../server/src/outside/https.ts';
import { noonClock } from './support/clock.ts';
import { cloneDatabase, type TestDatabase } from './support/database.ts';
import { type Collector, type ReceivedSpan, startCollector } from './support/otlp.ts';
import { Authority, answer, startReceiver } from './support/receivers.ts';
import { cleanUp, freePort, newFolder, refusedStart, SERVER, serve } from './support/running.ts';
import { type CallOptions, type Reply, startTest, type TestTurnout } from './support/turnout.ts';

const FIRST_NAME = 'Zaphodia';
const LAST_NAME = 'Beeblebroxson';
const EMAIL = 'zaphodia@heart-of-gold.example';

const VARIABLES = ['OTEL_EXPORTER_OTLP_ENDPOINT', 'OTEL_EXPORTER_OTLP_HEADERS', 'OTEL_SERVICE_NAME'] as const;
/** The exporters read these where the process has them. */
async function withVariables<T>(given: Partial<Record<(typeof VARIABLES)[number], string>>, work: () => Promise<T>) {
  Object.assign(process.env, given);
  try {
    return await work();
  } finally {
    for (const name of VARIABLES) delete process.env[name];
  }
}

interface Traced {
  t: TestTurnout;
  lines: string[];
}
function startTraced(url: string, env: Record<string, string> = {}, webhooks?: Outbound): Promise<Traced> {
  const lines: string[] = [];
  const log = pino({ level: 'info' }, { write: (line: string) => void lines.push(line) });
  const variables = {
    OTEL_EXPORTER_OTLP_ENDPOINT: url,
    OTEL_EXPORTER_OTLP_HEADERS: 'x-of-ours=from-the-variable',
    OTEL_SERVICE_NAME: 'door',
  };
  const all = { ...variables, OTEL_BSP_SCHEDULE_DELAY: '50', OTEL_METRIC_EXPORT_INTERVAL: '60000', ...env };
  return withVariables(variables, async () => ({
    t: await startTest({ clock: noonClock(), log, env: all, ...(webhooks && { webhooks }) }),
    lines,
  }));
}

/** A fair that is on today, and a key for it. */
async function fair(
  t: TestTurnout,
): Promise<{ key: string; post: (path: string, options?: CallOptions) => Promise<Reply> }> {
  await t.org('acme');
  await t.plan('acme', 'scale', [['api_rate_per_min', '1000000']]);
  const { secret: key } = await t.key('acme');
  const post = (path: string, options: CallOptions = {}) => t.call('POST', `/v1${path}`, { key, ...options });
  const today = t.clock.now().toISOString().slice(0, 10);
  await post('/events', { body: { code: 'fair', name: 'Fair', timezone: 'UTC', ticketing: 'shared' } });
  await post('/events/fair/days', { body: { code: 'd1', date: today } });
  await post('/events/fair/attendee-types', { body: { code: 'adult', name: 'Adult' } });
  await post('/events/fair/check-in-points', { body: { code: 'gate', name: 'Gate', kind: 'entry' } });
  expect((await post('/events/fair/publish')).status).toBe(200);
  return { key, post };
}
const registration = () => ({
  body: {
    attendees: [{ attendee_type: 'adult', first_name: FIRST_NAME, last_name: LAST_NAME, email: EMAIL, days: ['d1'] }],
  },
});
const scanOf = (code: string) => ({ body: { code, check_in_point: 'gate', client_uuid: randomUUID() } });
const ticketOf = (made: Reply): string => made.body.attendees[0].tickets[0].code;

const newTrace = () => {
  const [trace, span] = [randomUUID().replaceAll('-', ''), randomUUID().replaceAll('-', '').slice(0, 16)];
  return { trace, span, header: { traceparent: `00-${trace}-${span}-01` } };
};

/** A traced installation that may send webhooks to a receiver, with its fair and a key. */
async function openTraced() {
  const collector = await startCollector();
  const authority = await Authority.make();
  const receiver = await startReceiver(await authority.issue(['hooks.example.org']));
  receiver.behaviour = answer(200, '');
  const outbound = new Outbound({
    ca: authority.pem,
    allowedNetworks: ['127.0.0.1/32'],
    resolve: async () => [{ address: '127.0.0.1', family: 4 }],
  });
  const on = await startTraced(collector.url, { TRACE_SPANS_PER_SECOND: '100000' }, outbound);
  const close = async () => {
    await on.t.stop();
    await receiver.stop();
    await collector.stop();
  };
  return { ...(await fair(on.t)), collector, receiver, on, close };
}

describe('a traced installation', () => {
  let collector: Collector;
  let on: Traced;
  let key: string;
  let post: Awaited<ReturnType<typeof fair>>['post'];
  let receiver: Awaited<ReturnType<typeof startReceiver>>;
  let close: () => Promise<void>;
  beforeAll(async () => {
    ({ collector, on, key, post, receiver, close } = await openTraced());
  });
  afterAll(() => close());

  const of = (trace: string) => collector.spans.filter((span) => span.trace === trace);
  /** The spans of a trace, once its request is among them. */
  const arrived = (trace: string): Promise<ReceivedSpan[]> =>
    vi.waitFor(() => {
      const spans = of(trace);
      expect(spans.some((span) => span.kind === 2)).toBe(true);
      return spans;
    });
  const below = (spans: ReceivedSpan[], above: ReceivedSpan) =>
    spans.filter((span) => span.parent === above.id).sort((a, b) => Number(a.start - b.start));
  const named = (spans: ReceivedSpan[], name: string) => {
    const found = spans.find((span) => span.name === name);
    expect(found, `${name} among ${spans.map((span) => span.name)}`).toBeDefined();
    return found!;
  };

  test('a registration continues the trace of its caller, with the steps of the road in their order', async () => {
    const { trace, span, header } = newTrace();
    const made = await post('/events/fair/registrations', { ...registration(), headers: header });
    expect(made.status).toBe(201);
    const spans = await arrived(trace);
    const request = named(spans, 'POST /v1/events/:event/registrations');
    expect([request.parent, request.kind, request.failed]).toEqual([span, 2, false]);
    expect(request.attributes).toMatchObject({
      'http.request.method': 'POST',
      'http.route': '/v1/events/:event/registrations',
      'http.response.status_code': 201,
      'turnout.operation': 'createRegistration',
      'turnout.request_id': made.headers.get('x-request-id'),
    });
    expect(request.resource).toMatchObject({ 'service.name': 'door' });
    expect(below(spans, request).map((one) => one.name)).toEqual([
      ...['identify', 'admit', 'body', 'check', 'claim', 'lane', 'batch', 'answer'],
    ]);
    const transaction = named(below(spans, named(spans, 'batch')), 'transaction');
    const inside = below(spans, transaction).map((one) => one.name);
    expect(inside).toEqual(expect.arrayContaining(['connection', 'begin', 'work', 'record', 'commit']));
    expect(inside.indexOf('work')).toBeLessThan(inside.indexOf('record'));
    const record = below(spans, named(spans, 'record')).map((one) => one.name);
    expect(record).toEqual(['insert audit_log', 'insert outbox', 'insert idempotency']);
    const insert = named(spans, 'insert audit_log');
    expect(insert.attributes['db.query.text']).toContain('values ($1');
    expect(below(spans, named(spans, 'identify')).map((one) => one.name)).toEqual([
      'select directory.find_keys',
      'select directory.consume',
    ]);
    // Every span of the trace hangs below the request.
    const ids = new Set(spans.map((one) => one.id));
    expect(spans.filter((one) => one !== request && !ids.has(one.parent))).toEqual([]);
    expect(collector.headers[0]).toMatchObject({
      'content-type': 'application/x-protobuf',
      'x-of-ours': 'from-the-variable',
    });
  });

  test('a read has its statements, and no trace is begun by a header that is not a traceparent', async () => {
    const reply = await on.t.call('GET', '/v1/events', { key, headers: { traceparent: '00-zz-1-01, x' } });
    expect(reply.status).toBe(200);
    const request = await vi.waitFor(() => {
      const found = collector.spans.find(
        (one) => one.attributes['turnout.request_id'] === reply.headers.get('x-request-id'),
      );
      expect(found).toBeDefined();
      return found!;
    });
    expect(request.parent).toBe('');
    const spans = of(request.trace);
    expect(below(spans, request).map((one) => one.name)).toEqual([
      'identify',
      'admit',
      'check',
      'claim',
      'read',
      'answer',
    ]);
    expect(below(spans, named(spans, 'read')).map((one) => one.name)).toContain('select events');
    const line = JSON.parse(on.lines.findLast((one) => one.includes(reply.headers.get('x-request-id')!))!);
    expect(line).toMatchObject({ trace_id: request.trace, span_id: request.id });
  });

  test('calls that share a transaction have it in their traces: once with its statements, and else with a link to these', async () => {
    const code = ticketOf(await post('/events/fair/registrations', registration()));
    const first = newTrace();
    const others = Array.from({ length: 6 }, newTrace);
    // While the first one is being done, the others gather.
    await Promise.all([
      post('/events/fair/registrations', { ...registration(), headers: first.header }),
      ...others.map((one) => post('/events/fair/scan', { ...scanOf(code), headers: one.header })),
    ]);
    for (const { trace } of [first, ...others]) await arrived(trace);
    const batches = others.map(({ trace }) => named(of(trace), 'batch'));
    const together = batches.filter((one) => Number(one.attributes['turnout.batch.calls']) > 1);
    expect(together.length).toBeGreaterThan(1);
    const whole = together.find((one) => of(one.trace).some((span) => span.parent === one.id))!;
    const shares = together.filter((one) => one !== whole && one.links.some((link) => link.id === whole.id));
    expect(shares.length).toBe(Number(whole.attributes['turnout.batch.calls']) - 1);
    for (const share of shares) {
      expect(share.links).toEqual([{ trace: whole.trace, id: whole.id }]);
      expect(whole.links.map((link) => link.trace)).toContain(share.trace);
      expect(of(share.trace).filter((one) => one.parent === share.id)).toEqual([]);
    }
    // Each waited in the lane before its batch.
    for (const one of together) expect(named(of(one.trace), 'lane').end).toBeLessThanOrEqual(one.start + 1_000_000n);
  });

  test('a webhook delivery carries a traceparent and belongs to the trace that raised the occurrence', async () => {
    const made = await post('/webhooks', { body: { url: receiver.url('hooks.example.org'), events: ['*'] } });
    expect(made.status).toBe(201);
    const { trace, header } = newTrace();
    await post('/events/fair/registrations', { ...registration(), headers: header });
    while ((await on.t.step.relay()) > 0);
    while ((await on.t.step.deliveries()) > 0);
    const sent = receiver.received.map((one) => String(one.headers.traceparent)).filter((one) => one.includes(trace));
    expect(sent.length).toBeGreaterThan(0);
    const delivery = await vi.waitFor(() => {
      const found = of(trace).find((one) => one.name === 'webhook');
      expect(found).toBeDefined();
      return found!;
    });
    expect(sent).toContain(`00-${trace}-${delivery.id}-01`);
    expect(delivery).toMatchObject({ kind: 3, failed: false });
    expect(delivery.attributes).toMatchObject({ 'http.response.status_code': 200, 'turnout.attempt': 1 });
    expect(
      collector.spans.some((one) => one.name === 'relay' && Number(one.attributes['turnout.occurrences']) > 0),
    ).toBe(true);
  });

  test('a job goes on in the trace of its request; mails have traces of their own', async () => {
    const { trace, header } = newTrace();
    const hook = await post('/webhooks', { body: { url: receiver.url('hooks.example.org'), events: ['*'] } });
    const started = await post(`/webhooks/${hook.body.id}/replay`, {
      body: { since: '2020-01-01T00:00:00Z' },
      headers: header,
    });
    expect(started.status, started.text).toBe(202);
    await on.t.step.jobs();
    const job = await vi.waitFor(() => {
      const found = of(trace).find((one) => one.name.startsWith('job '));
      expect(found).toBeDefined();
      return found!;
    });
    expect(job.attributes).toMatchObject({
      'turnout.job': started.body.id,
      'turnout.request_id': started.headers.get('x-request-id'),
    });
    await post('/events/fair/registrations', registration());
    await on.t.step.mails();
    const mail = await vi.waitFor(() => {
      const found = collector.spans.find((one) => one.name.startsWith('mail '));
      expect(found).toBeDefined();
      return found!;
    });
    expect(mail.parent).toBe('');
    expect(below(of(mail.trace), mail).map((one) => one.name)).toContain('send');
  });
});

test('metrics are those of /metrics, with their names, labels and buckets; and nothing that is sent tells who somebody is', async () => {
  const { on, key, post, collector, receiver, close } = await openTraced();
  onTestFinished(close);
  await post('/webhooks', { body: { url: receiver.url('hooks.example.org'), events: ['*'] } });
  const code = ticketOf(await post('/events/fair/registrations', registration()));
  expect((await post('/events/fair/scan', scanOf(code))).body.result).toBe('accepted');
  const wrong = await post('/events/fair/registrations', {
    body: { attendees: [{ first_name: LAST_NAME, email: EMAIL }] },
  });
  expect(wrong.status).toBe(400);
  await on.t.call('GET', `/v1/events/fair/attendees?q=${LAST_NAME}`, { key });
  const shown = (await on.t.call('GET', '/metrics')).text;
  while ((await on.t.step.relay()) > 0);
  while ((await on.t.step.deliveries()) > 0);
  expect(receiver.received.length).toBeGreaterThan(0);
  await on.t.step.mails();
  await on.t.stop(); // the last metrics and spans are sent
  const names = [...shown.matchAll(/^# TYPE (\w+)/gm)].map((found) => found[1]!);
  const received = collector.metrics.map((one) => one.name);
  expect([...new Set(received)].toSorted()).toEqual(names.toSorted());
  const seconds = collector.metrics.findLast((one) => one.name === 'turnout_request_seconds')!;
  const scans = seconds.points.find((one) => one.attributes.operation === 'scanTicket')!;
  expect(scans.counts.length).toBe(scans.bounds.length + 1);
  expect(scans.counts.reduce((sum, count) => sum + count, 0)).toBe(scans.count);
  expect(shown).toContain(`turnout_request_seconds_count{operation="scanTicket"} ${scans.count}`);
  const requests = collector.metrics.findLast((one) => one.name === 'turnout_requests_total')!;
  expect(requests.kind).toBe('sum');
  expect(requests.points.find((one) => one.attributes.status === '400')!.value).toBe(1);

  const bytes = collector.bytes();
  expect(bytes.includes('insert into')).toBe(true);
  for (const secret of [FIRST_NAME, LAST_NAME, EMAIL, 'heart-of-gold', key, code, '127.0.0.1', 'hooks.example']) {
    expect([secret, bytes.includes(secret)]).toEqual([secret, false]);
    expect([secret, bytes.toString().toLowerCase().includes(secret.toLowerCase())]).toEqual([secret, false]);
  }
  expect(tracing).toBeNull();
});

describe('a collector that does not do its part', () => {
  const started: { stop(): Promise<void> }[] = [];
  afterEach(async () => {
    for (const one of started.splice(0).reverse()) await one.stop();
  });

  test.each([
    ['refuses', (reply: { writeHead(status: number): { end(): void } }) => reply.writeHead(400).end()],
    ['fails', (reply: { writeHead(status: number): { end(): void } }) => reply.writeHead(503).end()],
    ['never answers', () => {}],
    ['is not there', null],
  ])(
    'one that %s: requests succeed, the queue is bounded, the log says so once, and the stop does not wait for it',
    async (name, behaviour) => {
      const collector = await startCollector(behaviour ?? undefined);
      if (behaviour === null) await collector.stop();
      else started.push(collector);
      const on = await startTraced(collector.url, {
        OTEL_BSP_MAX_QUEUE_SIZE: '20',
        OTEL_BSP_MAX_EXPORT_BATCH_SIZE: '10',
      });
      const { post } = await fair(on.t);
      const made = await Promise.all(
        Array.from({ length: 40 }, () => post('/events/fair/registrations', registration())),
      );
      expect(new Set(made.map((one) => one.status))).toEqual(new Set([201]));
      await on.t.stop();
      const warnings = on.lines.filter((line) => line.includes('telemetry could not be sent'));
      expect(warnings.filter((line) => line.includes('"what":"traces"')).length).toBeLessThanOrEqual(1);
      if (name === 'refuses') expect(warnings.length).toBeGreaterThan(0);
    },
  );

  test('callers who ask for everything to be recorded get what the budget allows, in whole traces', async () => {
    const collector = await startCollector();
    started.push(collector);
    const { t } = await startTraced(collector.url, { TRACE_SPANS_PER_SECOND: '1' });
    const asked = Array.from({ length: 150 }, newTrace);
    for (const one of asked) await t.call('GET', '/v1/me', { headers: one.header });
    await t.stop();
    const traces = Map.groupBy(collector.spans, (one) => one.trace);
    const recorded = asked.filter((one) => traces.has(one.trace));
    expect(recorded.length).toBeGreaterThan(0);
    expect(recorded.length).toBeLessThan(asked.length);
    for (const { trace, span } of recorded) {
      expect(
        traces
          .get(trace)!
          .filter((one) => one.parent === span)
          .map((one) => one.name),
      ).toEqual(['GET /v1/me']);
    }
  });
});

describe('settings', () => {
  const OTLP = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318' };
  test('nothing is exported unless there is an address, and what cannot be done is refused', () => {
    expect(readConfig({}).telemetry).toBeNull();
    expect(readConfig({ OTEL_TRACES_SAMPLER: 'always_on' }).telemetry).toBeNull();
    expect(readConfig({ ...OTLP, OTEL_SDK_DISABLED: 'true' }).telemetry).toBeNull();
    expect(readConfig(OTLP).telemetry).toMatchObject({ traces: true, metrics: true, sampler: 'parentbased_always_on' });
    expect(readConfig({ ...OTLP, OTEL_METRICS_EXPORTER: 'none' }).telemetry).toMatchObject({ metrics: false });
    for (const wrong of [
      { OTEL_EXPORTER_OTLP_ENDPOINT: 'collector:4317' },
      { OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' },
      { OTEL_TRACES_SAMPLER: 'sometimes' },
      { OTEL_TRACES_SAMPLER: 'traceidratio', OTEL_TRACES_SAMPLER_ARG: '7' },
      { TRACE_SPANS_PER_SECOND: '0' },
    ]) {
      expect(() => readConfig({ ...OTLP, ...wrong })).toThrow(Object.keys(wrong).at(-1));
    }
  });

  test('a sampler that records nothing leaves no span, and lines of the log still name the trace', async () => {
    const collector = await startCollector();
    const { t, lines } = await startTraced(collector.url, { OTEL_TRACES_SAMPLER: 'always_off' });
    await t.call('GET', '/v1/me', { headers: newTrace().header });
    await t.stop();
    await collector.stop();
    expect(collector.spans).toEqual([]);
    expect(lines.some((line) => /"trace_id":"[0-9a-f]{32}"/.test(line))).toBe(true);
  });
});

describe('processes', () => {
  const home = newFolder();
  let database: TestDatabase;
  beforeAll(async () => {
    database = await cloneDatabase();
  });
  afterAll(async () => {
    await cleanUp();
    await database.drop();
  });
  const common = () => ({
    DATA_DIR: home,
    DATABASE_URL: database.url,
    FILES_URL: database.files,
    SECRET_KEY: Buffer.alloc(32, 7).toString('base64'),
    SANDBOX: 'off',
  });
  /** Says which modules of OpenTelemetry a process loads. prom-client loads the API, which does nothing by itself. */
  const LOADED = `data:text/javascript,${encodeURIComponent(`
    import { registerHooks } from 'node:module';
    registerHooks({ load(url, context, next) {
      if (/@opentelemetry.(?!api.build)|outside.telemetry/.test(url)) process.stderr.write('LOADED ' + url + '\\n');
      return next(url, context);
    } });`)}`;
  const start = (env: Record<string, string>) =>
    serve({ ...common(), ...env }, { command: [process.execPath, '--import', LOADED, ...SERVER.slice(1)] });

  test('without OTEL_EXPORTER_OTLP_ENDPOINT, nothing of OpenTelemetry is loaded', async () => {
    const plain = await start({});
    expect((await fetch(`${plain.url}/v1/me`)).status).toBe(401);
    plain.signal('SIGTERM');
    expect(await plain.ended).toEqual({ code: 0, signal: null });
    expect(plain.stderr).not.toContain('LOADED');
  });

  test('with it, what a process did until its stop is sent', async () => {
    const collector = await startCollector();
    const traced = await start({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url });
    expect((await fetch(`${traced.url}/v1/me`)).status).toBe(401);
    traced.signal('SIGTERM');
    expect(await traced.ended).toEqual({ code: 0, signal: null });
    expect(traced.stderr).toContain('LOADED');
    // What was left was sent at the stop.
    expect(collector.spans.map((one) => one.name)).toContain('GET /v1/me');
    expect(collector.metrics.map((one) => one.name)).toContain('turnout_requests_total');
    await collector.stop();
  });

  test('a worker answers for its metrics and its health at METRICS_PORT, by the rules of /metrics', async () => {
    const port = await freePort();
    const token = 'a-token-that-only-the-scraper-knows';
    const worker = await start({ ROLES: 'worker', METRICS_PORT: String(port), METRICS_TOKEN: token });
    expect(worker.stderr).toContain(`metrics and health at http://127.0.0.1:${port}`);
    const get = (path: string, headers: Record<string, string> = {}) =>
      fetch(`http://127.0.0.1:${port}${path}`, { headers });
    for (const [path, holds] of [
      ['/metrics', 'turnout_tasks_total{task="keep-counts",outcome="failed"} 0'],
      ['/healthz', '{"status":"ok"}'],
      ['/readyz', '"database":"ok"'],
    ] as const) {
      const reply = await get(path);
      expect([path, reply.status, (await reply.text()).includes(holds)]).toEqual([path, 200, true]);
    }
    const elsewhere = { 'x-forwarded-for': '203.0.113.9' };
    const refused = await get('/metrics', elsewhere);
    expect([refused.status, (await refused.json()).error.code]).toEqual([401, 'metrics_token_required']);
    expect((await get('/metrics', { ...elsewhere, authorization: `Bearer ${token}` })).status).toBe(200);
    expect((await get('/v1/me')).status).toBe(404);
    expect((await get('/')).status).toBe(404);

    const second = await refusedStart({ ...common(), ROLES: 'worker', METRICS_PORT: String(port) });
    expect(second).toEqual({
      code: 1,
      complaints: [`turnout: Port ${port} is taken. Stop what runs there, or set METRICS_PORT to another one.`],
    });
    worker.signal('SIGTERM');
    expect(await worker.ended).toEqual({ code: 0, signal: null });
    await expect(get('/healthz')).rejects.toThrow();
  });
});

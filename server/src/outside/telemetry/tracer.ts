import { AsyncLocalStorage } from 'node:async_hooks';
import {
  type Span as ApiSpan,
  type Context,
  isSpanContextValid,
  ROOT_CONTEXT,
  type SpanContext,
  SpanKind,
  SpanStatusCode,
  TraceFlags,
  type Tracer,
  trace,
} from '@opentelemetry/api';
import type { Span, SpanOptions, Told, Tracing } from '../../common/tracing.ts';

/** A job may send thousands of statements. What a trace does beyond this in one process is left out of it. */
const MAX_SPANS = 1000;
/** How many occurrences are remembered with the span that raised them. */
const MAX_REMEMBERED = 10_000;
const MAX_TEXT = 1000;
const KINDS = { server: SpanKind.SERVER, client: SpanKind.CLIENT, consumer: SpanKind.CONSUMER } as const;

/** As W3C Trace Context defines it; later versions may add more fields. */
const TRACEPARENT = /^(?!ff)([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;

/** The caller's span. Anything that is not a valid `traceparent` is none. `tracestate` and `baggage` are not taken from anybody. */
function remote(header: string): SpanContext | null {
  const [, version, traceId, spanId, flags, rest] = TRACEPARENT.exec(header) ?? [];
  if (traceId === undefined || (version === '00' && rest !== undefined)) return null;
  const traceFlags = Number.parseInt(flags!, 16) & TraceFlags.SAMPLED;
  const context = { traceId, spanId: spanId!, traceFlags, isRemote: true };
  return isSpanContextValid(context) ? context : null;
}

/**
 * The time of day of an instant of the monotonic clock. The time of day is known in whole milliseconds, cut off, and so is the beginning of
 * every other span: rounded up, what began after another span never seems to begin before it.
 */
const at = (monotonic: number): number => Math.ceil(Date.now() - (performance.now() - monotonic));

/** How much of a trace is recorded by this process. */
interface Trace {
  spans: number;
}

class RecordedSpan implements Span {
  readonly api: ApiSpan;
  readonly context: Context;
  readonly of: Trace;
  readonly traceId: string;
  readonly spanId: string;
  readonly isRecorded: boolean;

  constructor(api: ApiSpan, of: Trace) {
    const { traceId, spanId } = api.spanContext();
    this.api = api;
    this.context = trace.setSpan(ROOT_CONTEXT, api);
    this.of = of;
    this.traceId = traceId;
    this.spanId = spanId;
    this.isRecorded = api.isRecording();
  }

  get traceparent(): string {
    return `00-${this.traceId}-${this.spanId}-${this.isRecorded ? '01' : '00'}`;
  }

  rename(name: string): void {
    this.api.updateName(name);
  }

  tell(told: Told): void {
    this.api.setAttributes(told);
  }

  fail(code: string): void {
    this.api.setStatus({ code: SpanStatusCode.ERROR });
    this.api.setAttribute('error.type', code);
  }

  end(): void {
    this.api.end();
  }
}

const codeOf = (error: unknown): string => {
  const { code, name } = (error ?? {}) as { code?: unknown; name?: unknown };
  const known = typeof code === 'string' ? code : name;
  return typeof known === 'string' && /^\w{1,60}$/.test(known) ? known : 'error';
};

/** Writes the spans of this process with the tracer of the SDK. The span that code belongs to follows it through its promises. */
export class OtelTracing implements Tracing {
  readonly #tracer: Tracer;
  readonly #running = new AsyncLocalStorage<RecordedSpan | null>();
  readonly #raised = new Map<string, RecordedSpan>();
  readonly #names = new Map<string, string>();

  constructor(tracer: Tracer) {
    this.#tracer = tracer;
  }

  get current(): RecordedSpan | null {
    return this.#running.getStore() ?? null;
  }

  begin(name: string, { parent = this.current, links, kind, since, told }: SpanOptions = {}): RecordedSpan {
    const above = parent instanceof RecordedSpan ? parent : null;
    const caller = typeof parent === 'string' ? remote(parent) : null;
    const of = above?.of ?? { spans: 0 };
    // Those that are left out are stood for by the span that they would be below.
    if (above !== null && (!above.isRecorded || of.spans >= MAX_SPANS)) return new Ended(above);
    of.spans += 1;
    const context = above?.context ?? (caller === null ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, caller));
    const options = {
      ...(kind !== undefined && { kind: KINDS[kind] }),
      ...(since !== undefined && { startTime: at(since) }),
      ...(told !== undefined && { attributes: told }),
      ...(links !== undefined && { links: links.map((one) => ({ context: (one as RecordedSpan).api.spanContext() })) }),
    };
    return new RecordedSpan(this.#tracer.startSpan(name, options, context), of);
  }

  within<A extends unknown[], T>(span: Span | null, work: (...args: A) => T, ...args: A): T {
    return this.#running.run(span as RecordedSpan | null, work, ...args);
  }

  during<A extends unknown[], T>(span: Span, work: (...args: A) => T, ...args: A): T {
    const failed = (error: unknown) => {
      span.fail(codeOf(error));
      span.end();
    };
    let result: T;
    try {
      result = this.#running.run(span as RecordedSpan, work, ...args);
    } catch (error) {
      failed(error);
      throw error;
    }
    if (result instanceof Promise) result.then(() => span.end(), failed);
    else span.end();
    return result;
  }

  step<A extends unknown[], T>(name: string, work: (...args: A) => T, ...args: A): T {
    const above = this.current;
    return above === null || !above.isRecorded ? work(...args) : this.during(this.begin(name), work, ...args);
  }

  statement(text: string, sent: Promise<unknown>): void {
    if (this.current?.isRecorded !== true) return;
    const told = { 'db.system.name': 'postgresql', 'db.query.text': text.trim().slice(0, MAX_TEXT) };
    const span = this.begin(this.#nameOf(text), { kind: 'client', told });
    sent.then(
      () => span.end(),
      (error) => {
        span.fail(codeOf(error));
        span.end();
      },
    );
  }

  /** What a statement does, and to which table. */
  #nameOf(text: string): string {
    const known = this.#names.get(text);
    if (known !== undefined) return known;
    const main = text.slice(0, 4000).replaceAll(/\s+/g, ' ').trim();
    const found = /\b(insert into|update|delete from|from) ([a-z_.]+)/.exec(main);
    const [verb] = /^\w+/.exec(main) ?? ['statement'];
    const name = found === null ? verb : `${found[1] === 'from' ? verb : found[1]!.split(' ')[0]} ${found[2]}`;
    if (this.#names.size < MAX_REMEMBERED) this.#names.set(text, name);
    return name;
  }

  raised(occurrence: string): void {
    const { current } = this;
    if (current?.isRecorded !== true) return;
    this.#raised.set(occurrence, current);
    if (this.#raised.size > MAX_REMEMBERED) this.#raised.delete(this.#raised.keys().next().value!);
  }

  whoRaised(occurrence: string): RecordedSpan | null {
    return this.#raised.get(occurrence) ?? null;
  }
}

/** Stands for a span that is not recorded, and is as its parent: whoever continues its trace continues at the parent. */
class Ended extends RecordedSpan {
  constructor(above: RecordedSpan) {
    super(above.api, above.of);
  }
  override rename(): void {}
  override tell(): void {}
  override fail(): void {}
  override end(): void {}
}

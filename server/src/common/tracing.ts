/**
 * Where the code says what it does for the traces of OpenTelemetry. Nothing of OpenTelemetry is loaded unless it was asked for
 * (OTEL_EXPORTER_OTLP_ENDPOINT). Then `tracing` is set once, at the start, by start/telemetry.ts. Until then it is null, and all that a step
 * of the road pays is to look at it. So work and its arguments are passed instead of a closure, which would be made in either case.
 */
export let tracing: Tracing | null = null;

export function traceWith(made: Tracing | null): void {
  tracing = made;
}

/** What a span tells: names from the code, numbers, and ids that we have made. Never what a caller has sent. */
export type Told = Record<string, string | number | boolean>;

export interface Span {
  readonly traceId: string;
  readonly spanId: string;
  /** Whether it is exported. */
  readonly isRecorded: boolean;
  /** As the header of that name. */
  readonly traceparent: string;
  rename(name: string): void;
  tell(told: Told): void;
  /** `code` is an error's, never its message. */
  fail(code: string): void;
  end(): void;
}

export interface SpanOptions {
  /** A span, or a `traceparent` from elsewhere. Null: a new trace begins. Left out: the current span. */
  parent?: Span | string | null;
  links?: readonly Span[];
  kind?: 'server' | 'client' | 'consumer';
  /** When it began, as `performance.now()` tells it. */
  since?: number;
  told?: Told;
}

export interface Tracing {
  /** The span that the running code belongs to. */
  readonly current: Span | null;
  begin(name: string, options?: SpanOptions): Span;
  /** Runs the work as part of a span. The span goes on afterwards. */
  within<A extends unknown[], T>(span: Span | null, work: (...args: A) => T, ...args: A): T;
  /** Runs the work as part of a span, which ends with it. */
  during<A extends unknown[], T>(span: Span, work: (...args: A) => T, ...args: A): T;
  /** Runs the work as a step of the current span, if there is one. */
  step<A extends unknown[], T>(name: string, work: (...args: A) => T, ...args: A): T;
  /** A statement that was sent, by its text without values. */
  statement(text: string, sent: Promise<unknown>): void;
  /** Remembers, in this process and for a while, which span has raised an occurrence. */
  raised(occurrence: string): void;
  whoRaised(occurrence: string): Span | null;
}

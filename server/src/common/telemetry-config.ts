/** What is exported by OTLP, and how much of it. Where to and with which headers is read by the exporters. */
export interface TelemetryConfig {
  traces: boolean;
  metrics: boolean;
  sampler: (typeof SAMPLERS)[number];
  /** The part of traces that a sampler by ratio records. */
  ratio: number;
  spansPerSecond: number;
  batches: { scheduledDelayMillis: number; maxQueueSize: number; maxExportBatchSize: number };
  metricsEveryMs: number;
}

export const SAMPLERS = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const;

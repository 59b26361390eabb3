import { type HrTime, ValueType } from '@opentelemetry/api';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  AggregationTemporality,
  type CollectionResult,
  DataPointType,
  type MetricData,
  type MetricProducer,
} from '@opentelemetry/sdk-metrics';
import type { MetricObjectWithValues, MetricValue, Registry } from 'prom-client';

type Shown = MetricObjectWithValues<MetricValue<string> & { metricName?: string }>;

const hrTime = (ms: number): HrTime => [Math.floor(ms / 1000), Math.round((ms % 1000) * 1e6)];

/** The metrics of `/metrics` as OpenTelemetry has them: the same names, the same labels, the same numbers. */
export class FromPrometheus implements MetricProducer {
  readonly #registry: Registry;

  constructor(registry: Registry) {
    this.#registry = registry;
  }

  async collect(): Promise<CollectionResult> {
    const shown = (await this.#registry.getMetricsAsJSON()) as unknown as Shown[];
    const startTime = hrTime(performance.timeOrigin);
    const endTime = hrTime(Date.now());
    const metrics = shown.flatMap((one) => metricOf(one, startTime, endTime) ?? []);
    return {
      resourceMetrics: {
        resource: resourceFromAttributes({}),
        scopeMetrics: [{ scope: { name: 'turnout' }, metrics }],
      },
      errors: [],
    };
  }
}

function metricOf(shown: Shown, startTime: HrTime, endTime: HrTime): MetricData | null {
  const descriptor = { name: shown.name, description: shown.help, unit: '', valueType: ValueType.DOUBLE };
  const how = { descriptor, aggregationTemporality: AggregationTemporality.CUMULATIVE };
  const type = String(shown.type);
  if (type === 'histogram') {
    return { ...how, dataPointType: DataPointType.HISTOGRAM, dataPoints: histograms(shown, startTime, endTime) };
  }
  const dataPoints = shown.values
    .filter(({ value }) => Number.isFinite(value))
    .map(({ value, labels }) => ({ startTime, endTime, attributes: { ...labels } as Record<string, string>, value }));
  if (type === 'counter') return { ...how, dataPointType: DataPointType.SUM, isMonotonic: true, dataPoints };
  return type === 'gauge' ? { ...how, dataPointType: DataPointType.GAUGE, dataPoints } : null;
}

/** Prometheus counts in each bucket what is in those below it, too. OpenTelemetry does not. */
function histograms({ name, values }: Shown, startTime: HrTime, endTime: HrTime) {
  const keyOf = ({ le: _, ...labels }: Record<string, unknown>): string => JSON.stringify(labels);
  return [...Map.groupBy(values, ({ labels }) => keyOf(labels)).values()].map((of) => {
    const sum = of.find((one) => one.metricName === `${name}_sum`)?.value ?? 0;
    const count = of.find((one) => one.metricName === `${name}_count`)?.value ?? 0;
    const buckets = of.filter((one) => one.metricName === `${name}_bucket` && one.labels.le !== '+Inf');
    const upTo = [...buckets.map((one) => one.value), count];
    const { le: _, ...attributes } = of[0]!.labels as Record<string, string>;
    return {
      startTime,
      endTime,
      attributes,
      value: {
        buckets: {
          boundaries: buckets.map((one) => Number(one.labels.le)),
          counts: upTo.map((value, i) => value - (upTo[i - 1] ?? 0)),
        },
        sum,
        count,
      },
    };
  });
}

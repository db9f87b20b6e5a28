import type { MetricObjectWithValues, MetricValue, Registry } from 'prom-client'
import { toNanoseconds, toOtlpAttributes } from './otlp.ts'

type Metric = MetricObjectWithValues<MetricValue<string> & { metricName?: string }>
type Value = Metric['values'][number]
/** Counted since the process started. */
const CUMULATIVE = 2

type Times = { startTimeUnixNano: string; timeUnixNano: string }

const toDataPoint = ({ labels, value }: Value, times: Times) => ({
  attributes: toOtlpAttributes(labels),
  ...times,
  asDouble: value,
})

/** Prometheus buckets are cumulative, those of OTLP are not. */
function toHistogramPoint(values: Value[], times: Times) {
  const bounded = values.filter(({ labels }) => labels.le !== undefined)
  const below = bounded.map(({ value }) => value)
  const part = (name: string) => values.find(({ metricName }) => metricName?.endsWith(name))?.value ?? 0
  const { le: _, ...labels } = bounded[0]?.labels ?? {}
  return {
    attributes: toOtlpAttributes(labels),
    ...times,
    count: String(part('_count')),
    sum: part('_sum'),
    explicitBounds: bounded.map((one) => Number(one.labels.le)).filter(Number.isFinite),
    bucketCounts: below.map((value, n) => String(value - (below[n - 1] ?? 0))),
  }
}

function groupBySeries(values: Value[]): Value[][] {
  const groups = Map.groupBy(values, ({ labels: { le: _, ...rest } }) => JSON.stringify(rest))
  return [...groups.values()]
}

function encodeMetric({ name, help, type, values }: Metric, times: Times): object[] {
  const [kind, finiteValues] = [String(type), values.filter(({ value }) => Number.isFinite(value))]
  const head = { name, description: help }
  if (finiteValues.length === 0) return []
  if (kind === 'histogram') {
    const dataPoints = groupBySeries(finiteValues).map((one) => toHistogramPoint(one, times))
    return [{ ...head, histogram: { aggregationTemporality: CUMULATIVE, dataPoints } }]
  }
  const dataPoints = finiteValues.map((value) => toDataPoint(value, times))
  if (kind === 'counter')
    return [{ ...head, sum: { aggregationTemporality: CUMULATIVE, isMonotonic: true, dataPoints } }]
  return kind === 'gauge' ? [{ ...head, gauge: { dataPoints } }] : []
}

/** The values of /metrics, so that nothing is counted twice. */
export async function readMetrics(registry: Registry): Promise<object[]> {
  const times = {
    startTimeUnixNano: toNanoseconds(Date.now() - process.uptime() * 1000),
    timeUnixNano: toNanoseconds(Date.now()),
  }
  const metrics = (await registry.getMetricsAsJSON()) as Metric[] // its type leaves out the names of a histogram's parts
  return metrics.flatMap((metric) => encodeMetric(metric, times))
}

import { type ChartData, isMeasuredSeries } from '../chart/types.ts'
import { computeExtremes } from './downsample.ts'

const MAX_SILHOUETTE_BUCKETS = 360

/** The whole curve as one shape, a unit wide per bucket: the height of its layers, or its first line. */
export function buildSilhouette(data: ChartData, height: number) {
  const layers = data.series.filter((one) => one.kind === 'stacked')
  const visibleSeries = layers.length > 0 ? layers : data.series.filter(isMeasuredSeries).slice(0, 1)
  const sums = data.times.map((_, index) =>
    visibleSeries.some((one) => (one.values[index] ?? null) !== null)
      ? visibleSeries.reduce((sum, one) => sum + (one.values[index] ?? 0), 0)
      : null,
  )
  const ranges = computeExtremes(sums, MAX_SILHOUETTE_BUCKETS)
  const peak = Math.max(1e-9, ...ranges.map((range) => range?.[1] ?? 0))
  const y = (value: number) => (height - (value / peak) * (height - 4)).toFixed(1)
  const path = ranges.map((range, at) => (range ? `M${at} ${height}V${y(range[1])}H${at + 1}V${height}Z` : '')).join('')
  return { path, count: ranges.length }
}

import { type ChartData, isMeasured } from '../chart/types.ts'
import { extremes } from './downsample.ts'

const BUCKETS = 360

/** The whole curve as one shape, a unit wide per bucket: the height of its layers, or its first line. */
export function silhouette(data: ChartData, height: number) {
  const layers = data.series.filter((one) => one.kind === 'stacked')
  const drawn = layers.length > 0 ? layers : data.series.filter(isMeasured).slice(0, 1)
  const sums = data.times.map((_, index) =>
    drawn.some((one) => (one.values[index] ?? null) !== null)
      ? drawn.reduce((sum, one) => sum + (one.values[index] ?? 0), 0)
      : null,
  )
  const ranges = extremes(sums, BUCKETS)
  const peak = Math.max(1e-9, ...ranges.map((range) => range?.[1] ?? 0))
  const y = (value: number) => (height - (value / peak) * (height - 4)).toFixed(1)
  const path = ranges.map((range, at) => (range ? `M${at} ${height}V${y(range[1])}H${at + 1}V${height}Z` : '')).join('')
  return { path, count: ranges.length }
}

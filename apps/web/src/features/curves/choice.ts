import type { EnergySeries } from '@voisol/contract/energy'
import type { Point } from '@voisol/contract/points'
import { formatPointName } from '../../lib/point-name.ts'
import type { ExplorerSeries } from '../../ui/curve-explorer/model.ts'

/** A point that draws is night blue and a plant amber, as everywhere; the others of a kind are dark enough to be told apart. */
const FIRST_COLORS = { consumption: '#1E3A8A', production: '#B45309' }
const OTHER_COLORS = ['#0F766E', '#7C3AED', '#BE185D', '#0369A1', '#475569']
export const MAX_COMPARED_POINTS = OTHER_COLORS.length + 1

function assignColors(points: Point[]) {
  const left = [...OTHER_COLORS]
  return points.map(({ direction }, at) =>
    points.findIndex((point) => point.direction === direction) === at ? FIRST_COLORS[direction] : left.shift(),
  )
}

/** One line per point, in watts: what it drew or what it injected. */
export function buildComparisonSeries(points: Point[], data: EnergySeries[], length: number): ExplorerSeries[] {
  const hues = assignColors(points)
  return points.flatMap((point, at): ExplorerSeries[] => {
    const one = data[at]
    if (!one) return []
    const column = point.direction === 'production' ? one.produced : one.consumed
    const watts = column.slice(0, length).map((wh) => (wh === null ? null : (wh * 60) / (one.step ?? 60)))
    const role = point.direction
    return [{ key: point.id, label: formatPointName(point), role, color: hues[at], values: watts, quality: one.marks }]
  })
}

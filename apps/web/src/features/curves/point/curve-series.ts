import type { curves } from '@voisol/contract/curves'
import type { Reply } from '@voisol/contract/endpoint'
import type { Point } from '@voisol/contract/points'
import { countWord } from '../../../lib/energy-labels.ts'
import type { ExplorerSeries } from '../../../ui/curve-explorer/model.ts'
import { minuteOf } from '../../../ui/energy-explorer/columns.ts'

export type Curve = Reply<typeof curves.series>
type Side = Pick<Point, 'direction' | 'storage'>

/** The steps that have begun: what is to come cannot be missing. */
export const begun = ({ startsAt, step, watts }: Curve, now = Date.now()) =>
  Math.max(0, Math.min(watts.length, Math.ceil((now / 60_000 - minuteOf(startsAt)) / step)))

/** What is known, and where it is looked at as it was known before, what is known now beside it. */
export function curveSeries(point: Side, shown: Curve, now: Curve | undefined): ExplorerSeries[] {
  const { direction } = point
  const length = begun(shown)
  const label = countWord(point)
  const own: ExplorerSeries = {
    key: 'shown',
    label: now ? `${label}, connue alors` : label,
    role: direction,
    values: shown.watts.slice(0, length),
    quality: shown.marks,
  }
  if (!now || now.step !== shown.step) return [own]
  const today = { key: 'now', label: `${label}, connue aujourd’hui`, role: direction, compared: true }
  return [own, { ...today, values: now.watts.slice(0, length) }]
}

/** Whether what is known now says something else, step by step. */
export const hasChanged = (shown: Curve, now: Curve) =>
  shown.step !== now.step || shown.watts.some((value, at) => value !== now.watts[at])

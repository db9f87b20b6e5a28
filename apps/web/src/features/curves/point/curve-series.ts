import type { curves } from '@voisol/contract/curves'
import type { EndpointReply } from '@voisol/contract/endpoint'
import type { Point } from '@voisol/contract/points'
import { getMeterCountLabel } from '../../../lib/energy-labels.ts'
import type { ExplorerSeries } from '../../../ui/curve-explorer/model.ts'
import { toEpochMinute } from '../../../ui/energy-explorer/columns.ts'

export type PointCurveData = EndpointReply<typeof curves.series>
type PointSide = Pick<Point, 'direction' | 'storage'>

/** The steps that have begun: what is to come cannot be missing. */
export const countElapsedSteps = ({ startsAt, step, watts }: PointCurveData, now = Date.now()) =>
  Math.max(0, Math.min(watts.length, Math.ceil((now / 60_000 - toEpochMinute(startsAt)) / step)))

/** What is known, and where it is looked at as it was known before, what is known now beside it. */
export function buildCurveSeries(
  point: PointSide,
  shown: PointCurveData,
  now: PointCurveData | undefined,
): ExplorerSeries[] {
  const { direction } = point
  const length = countElapsedSteps(shown)
  const label = getMeterCountLabel(point)
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
export const hasChanged = (shown: PointCurveData, now: PointCurveData) =>
  shown.step !== now.step || shown.watts.some((value, at) => value !== now.watts[at])

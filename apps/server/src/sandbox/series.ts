import { GRID_CLASSES, getGridClassIndex } from './grid-classes.ts'
import { SETTLEMENT_STEP_MINUTES, type SettledMonth, type SharedPoint } from './settle.ts'

export const SIMULATED_SERIES = ['cons', 'prod', 'autocons', 'surplus', 'complement'] as const
export type SeriesType = (typeof SIMULATED_SERIES)[number]
const MISSING = -1
type Period = { from: number; to: number }

const ROLES: Record<SeriesType, SharedPoint['role'][]> = {
  cons: ['cons'],
  complement: ['cons'],
  autocons: ['cons', 'prod'],
  prod: ['prod'],
  surplus: ['prod'],
}

function getWattsAt(type: SeriesType, { total, local }: SharedPoint, at: number): number {
  const [all, own] = [total[at] ?? MISSING, local[at] ?? MISSING]
  if (all < 0 || own < 0) return MISSING
  return type === 'cons' || type === 'prod' ? all : type === 'autocons' ? own : all - own
}

/** The points of a series: one point, or all; shared energy is then counted at its consumers. */
const selectPoints = (points: SharedPoint[], type: SeriesType, prm: string | null) =>
  prm === null
    ? points.filter(({ role }) => role === ROLES[type][0])
    : points.filter((point) => point.prm === prm && ROLES[type].includes(point.role))

const formatStamp = (minute: number) => `${new Date(minute * 60_000).toISOString().slice(0, 19)}Z`

function* iterateValues(month: SettledMonth, { from, to }: Period, type: SeriesType, points: SharedPoint[]) {
  const first = Math.max(0, Math.ceil((from - month.startsAt) / SETTLEMENT_STEP_MINUTES))
  const last = Math.min(points[0]?.total.length ?? 0, Math.floor((to - month.startsAt) / SETTLEMENT_STEP_MINUTES))
  for (let at = first; at < last; at++) {
    let sum = 0
    let known = 0
    for (const point of points) {
      const value = getWattsAt(type, point, at)
      if (value < 0) continue
      sum += value
      known++
    }
    if (known) yield { at, watts: sum }
  }
}

/** The requested series, as JSON. An unsettled step is left out. */
export function writeSeries(months: SettledMonth[], period: Period, types: SeriesType[], prm: string | null): string[] {
  return types.flatMap((type) => {
    let points = ''
    for (const month of months)
      for (const { at, watts } of iterateValues(month, period, type, selectPoints(month.points, type, prm)))
        points += `${points === '' ? '' : ','}{"v":"${watts}","d":"${formatStamp(month.startsAt + (at + 1) * SETTLEMENT_STEP_MINUTES)}"}`
    const who = prm === null ? '' : `"usage_point_id":"${prm}",`
    return points === '' ? [] : [`{${who}"type":"${type}","step":"PT15M","points":[${points}]}`]
  })
}

/** Whole kilowatt-hours by time class, rounded down. */
export function computeQuantities(
  months: SettledMonth[],
  period: Period,
  types: SeriesType[],
  { prm, role }: Pick<SharedPoint, 'prm' | 'role'>,
) {
  return types.flatMap((type) => {
    if (!ROLES[type].includes(role)) return []
    const sums = new Float64Array(GRID_CLASSES.length)
    const met = new Set<number>()
    for (const month of months) {
      const points = selectPoints(month.points, type, prm).filter((point) => point.role === role)
      for (const { at, watts } of iterateValues(month, period, type, points)) {
        const index = getGridClassIndex(month.startsAt + at * SETTLEMENT_STEP_MINUTES)
        met.add(index)
        sums[index] = (sums[index] ?? 0) + watts
      }
    }
    const quantities = GRID_CLASSES.flatMap((name, index) =>
      met.has(index) ? [{ name, value: Math.floor(((sums[index] ?? 0) * SETTLEMENT_STEP_MINUTES) / 60_000) }] : [],
    )
    return quantities.length ? [{ type, calendar_type: 'DISTRIB', quantities }] : []
  })
}

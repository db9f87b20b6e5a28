import { classAt, GRID_CLASSES } from './grid-classes.ts'
import { type Month, type Shared, STEP } from './settle.ts'

export const SERIES = ['cons', 'prod', 'autocons', 'surplus', 'complement'] as const
export type SeriesType = (typeof SERIES)[number]
const MISSING = -1
type Period = { from: number; to: number }

const ROLES: Record<SeriesType, Shared['role'][]> = {
  cons: ['cons'],
  complement: ['cons'],
  autocons: ['cons', 'prod'],
  prod: ['prod'],
  surplus: ['prod'],
}

function wattsAt(type: SeriesType, { total, local }: Shared, at: number): number {
  const [all, own] = [total[at] ?? MISSING, local[at] ?? MISSING]
  if (all < 0 || own < 0) return MISSING
  return type === 'cons' || type === 'prod' ? all : type === 'autocons' ? own : all - own
}

/** Whose values make up a series: one point's, or those of all; what is shared is then counted with who received it. */
const concerned = (points: Shared[], type: SeriesType, prm: string | null) =>
  prm === null
    ? points.filter(({ role }) => role === ROLES[type][0])
    : points.filter((point) => point.prm === prm && ROLES[type].includes(point.role))

const stamp = (minute: number) => `${new Date(minute * 60_000).toISOString().slice(0, 19)}Z`

function* valuesOf(month: Month, { from, to }: Period, type: SeriesType, points: Shared[]) {
  const first = Math.max(0, Math.ceil((from - month.startsAt) / STEP))
  const last = Math.min(points[0]?.total.length ?? 0, Math.floor((to - month.startsAt) / STEP))
  for (let at = first; at < last; at++) {
    let sum = 0
    let known = 0
    for (const point of points) {
      const value = wattsAt(type, point, at)
      if (value < 0) continue
      sum += value
      known++
    }
    if (known) yield { at, watts: sum }
  }
}

/** The series that were asked for, as JSON. A step that was not settled is left out. */
export function seriesOf(months: Month[], period: Period, types: SeriesType[], prm: string | null): string[] {
  return types.flatMap((type) => {
    let points = ''
    for (const month of months)
      for (const { at, watts } of valuesOf(month, period, type, concerned(month.points, type, prm)))
        points += `${points === '' ? '' : ','}{"v":"${watts}","d":"${stamp(month.startsAt + (at + 1) * STEP)}"}`
    const who = prm === null ? '' : `"usage_point_id":"${prm}",`
    return points === '' ? [] : [`{${who}"type":"${type}","step":"PT15M","points":[${points}]}`]
  })
}

/** Whole kilowatt-hours by time class: what is begun does not count. */
export function quantitiesOf(
  months: Month[],
  period: Period,
  types: SeriesType[],
  { prm, role }: Pick<Shared, 'prm' | 'role'>,
) {
  return types.flatMap((type) => {
    if (!ROLES[type].includes(role)) return []
    const sums = new Float64Array(GRID_CLASSES.length)
    const met = new Set<number>()
    for (const month of months) {
      const points = concerned(month.points, type, prm).filter((point) => point.role === role)
      for (const { at, watts } of valuesOf(month, period, type, points)) {
        const index = classAt(month.startsAt + at * STEP)
        met.add(index)
        sums[index] = (sums[index] ?? 0) + watts
      }
    }
    const quantities = GRID_CLASSES.flatMap((name, index) =>
      met.has(index) ? [{ name, value: Math.floor(((sums[index] ?? 0) * STEP) / 60_000) }] : [],
    )
    return quantities.length ? [{ type, calendar_type: 'DISTRIB', quantities }] : []
  })
}

import type { SettledMonth, SharedPoint } from './settle.ts'

/** Faults in the figures. */
export const MONTH_ALTERATIONS = ['swapped-members', 'shifted-day', 'one-percent'] as const
export type MonthAlteration = (typeof MONTH_ALTERATIONS)[number]

const DAY_STEPS = 96

/** Members of a side are swapped in pairs. */
const swapMembers = (points: SharedPoint[]): SharedPoint[] =>
  (['cons', 'prod'] as const).flatMap((role) => {
    const side = points.filter((point) => point.role === role)
    return side.map((point, at) => {
      const other = side[at % 2 ? at - 1 : at + 1] ?? point
      return { ...point, total: other.total, local: other.local }
    })
  })

/** Each day gets the figures of the day before. */
function shiftDays(points: SharedPoint[], before: SettledMonth | undefined): SharedPoint[] {
  return points.map((point) => {
    const last = before?.points.find(({ prm, role }) => prm === point.prm && role === point.role)
    const late = (now: Int32Array, then: Int32Array | undefined) =>
      now.map((_, at) => (at < DAY_STEPS ? (then?.at(at - DAY_STEPS) ?? -1) : (now[at - DAY_STEPS] ?? -1)))
    return { ...point, total: late(point.total, last?.total), local: late(point.local, last?.local) }
  })
}

const addOnePercent = (watts: number) => (watts < 0 ? watts : Math.round(watts * 1.01))
/** One per cent more is consumed and shared. */
const increaseByOnePercent = ({ total, local, ...point }: SharedPoint): SharedPoint => ({
  ...point,
  total: total.map(addOnePercent),
  local: local.map(addOnePercent),
})

/** Settled months with a fault in them. `before` is the month before the first. */
export function alterMonths(
  kind: MonthAlteration,
  months: SettledMonth[],
  before: SettledMonth | undefined,
): SettledMonth[] {
  return months.map((month, at) => {
    const points =
      kind === 'swapped-members'
        ? swapMembers(month.points)
        : kind === 'shifted-day'
          ? shiftDays(month.points, months[at - 1] ?? before)
          : month.points.map(increaseByOnePercent)
    return { ...month, points }
  })
}

import type { Month, Shared } from './settle.ts'

/** Differences that lie in the figures themselves. */
export const MONTH_PLANTS = ['swapped-members', 'shifted-day', 'one-percent'] as const
export type MonthPlant = (typeof MONTH_PLANTS)[number]

const DAY_STEPS = 96

/** Two members of a side are taken for one another, two by two. */
const swapped = (points: Shared[]): Shared[] =>
  (['cons', 'prod'] as const).flatMap((role) => {
    const side = points.filter((point) => point.role === role)
    return side.map((point, at) => {
      const other = side[at % 2 ? at - 1 : at + 1] ?? point
      return { ...point, total: other.total, local: other.local }
    })
  })

/** Each day has the figures of the day before it. */
function shifted(points: Shared[], before: Month | undefined): Shared[] {
  return points.map((point) => {
    const last = before?.points.find(({ prm, role }) => prm === point.prm && role === point.role)
    const late = (now: Int32Array, then: Int32Array | undefined) =>
      now.map((_, at) => (at < DAY_STEPS ? (then?.at(at - DAY_STEPS) ?? -1) : (now[at - DAY_STEPS] ?? -1)))
    return { ...point, total: late(point.total, last?.total), local: late(point.local, last?.local) }
  })
}

const percent = (watts: number) => (watts < 0 ? watts : Math.round(watts * 1.01))
/** One per cent more is drawn, and shared, than was. */
const more = ({ total, local, ...point }: Shared): Shared => ({
  ...point,
  total: total.map(percent),
  local: local.map(percent),
})

/** Months as they were settled, with a difference in them. `before` is the month ahead of the first. */
export function plantMonths(kind: MonthPlant, months: Month[], before: Month | undefined): Month[] {
  return months.map((month, at) => {
    const points =
      kind === 'swapped-members'
        ? swapped(month.points)
        : kind === 'shifted-day'
          ? shifted(month.points, months[at - 1] ?? before)
          : month.points.map(more)
    return { ...month, points }
  })
}

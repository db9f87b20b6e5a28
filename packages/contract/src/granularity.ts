import { z } from 'zod'

export const Granularity = z.enum(['15min', 'hour', 'day', 'month'])
export type Granularity = z.infer<typeof Granularity>

/** Days read at once at most, by granularity: about forty thousand buckets at the finest. */
export const MAX_DAYS_BY_GRANULARITY: Record<Granularity, number> = { '15min': 400, hour: 800, day: 3660, month: 3660 }

/** The widest drawing, in pixels: nobody is given more points than this for one. */
export const MAX_CHART_POINTS = 4000

const STEPS_PER_DAY: { granularity: Granularity; inDay: number }[] = [
  { granularity: '15min', inDay: 96 },
  { granularity: 'hour', inDay: 24 },
  { granularity: 'day', inDay: 1 },
]

/** The finest step that makes no more points than there is room for. A day of 25 hours counts as one. */
export function chooseFinestGranularity(days: number, width: number): Granularity {
  const fits = STEPS_PER_DAY.find(
    ({ granularity, inDay }) => days * inDay + inDay / 24 <= width && days <= MAX_DAYS_BY_GRANULARITY[granularity],
  )
  return fits?.granularity ?? 'month'
}

/** The coarser of the step that is asked for and the finest that has room. */
export function getCoarserGranularity(a: Granularity, b: Granularity): Granularity {
  const { options } = Granularity
  return options.indexOf(a) > options.indexOf(b) ? a : b
}

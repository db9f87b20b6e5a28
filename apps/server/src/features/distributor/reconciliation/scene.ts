import type { DifferenceCause } from '@voisol/contract/reconciliation'
import { addMonths, listDays } from '@voisol/energy/calendar'
import { today } from '../../../today.ts'
import type { Asked } from './asked.ts'
import type { Memberships, Point } from './memberships.ts'
import type { Covered } from './our-months.ts'
import type { Definitive } from './their-months.ts'
import type { Tolerance } from './tolerance.ts'

/** A month of an operation under comparison. */
export type Scene = {
  companyId: number
  operationId: string
  month: string
  /** Of the month, those that are over. */
  days: string[]
  memberships: Memberships
  covered: Covered[]
  tolerance: Tolerance
}
/** A point in a month, in watt-minutes; null where a side has nothing it should have. */
export type PointMonth = Point & {
  ours: number | null
  theirs: number | null
  /** Set where the distributor's figure is its definitive quantity. */
  definitive: Definitive | undefined
  cause: DifferenceCause
}

export const askedOf = ({ operationId, month }: Scene): Asked => ({
  operationId,
  from: month,
  to: addMonths(month, 1),
})

const KWH = 60_000

/** How much a definitive quantity may lose by being written in whole kilowatt-hours. */
export const floorOf = (definitive: Definitive | undefined) => (definitive?.floored ? definitive.classes * KWH : 0)

/** Equal, or as close as rounding makes it; undefined where something else is to be found. */
export function nearness(
  { ours, theirs, definitive }: Pick<PointMonth, 'ours' | 'theirs' | 'definitive'>,
  tolerance: number,
): 'equal' | 'rounding' | undefined {
  if (ours === null || theirs === null) return undefined
  const difference = ours - theirs
  if (difference === 0) return 'equal'
  if (Math.abs(difference) <= tolerance || (difference > 0 && difference < floorOf(definitive))) return 'rounding'
  return undefined
}

/** The days of a month that are over: the others have nothing yet. */
export function daysOver(month: string): string[] {
  const [next, day] = [addMonths(month, 1), today()]
  return listDays(month, day < next ? day : next)
}

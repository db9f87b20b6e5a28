import type { DifferenceCause } from '@voisol/contract/reconciliation'
import { addMonths, listDays } from '@voisol/energy/calendar'
import { getToday } from '../../../today.ts'
import type { OperationPeriod } from './asked.ts'
import type { ComparedPoint, Memberships } from './memberships.ts'
import type { CoveringRun } from './our-months.ts'
import type { DefinitiveQuantity } from './their-months.ts'
import type { Tolerance } from './tolerance.ts'

/** The comparison of one month of an operation. */
export type ReconciliationContext = {
  companyId: number
  operationId: string
  month: string
  /** The past days of the month. */
  days: string[]
  memberships: Memberships
  covered: CoveringRun[]
  tolerance: Tolerance
}
/** The energy of a point in a month, in watt-minutes; null where a side lacks data. */
export type PointMonth = ComparedPoint & {
  ours: number | null
  theirs: number | null
  /** Set when the distributor's figure is a definitive quantity. */
  definitive: DefinitiveQuantity | undefined
  cause: DifferenceCause
}

export const getComparedPeriod = ({ operationId, month }: ReconciliationContext): OperationPeriod => ({
  operationId,
  from: month,
  to: addMonths(month, 1),
})

const KWH_WATT_MINUTES = 60_000

/** How much a definitive quantity can lose by rounding down to whole kilowatt-hours. */
export const getRoundingLoss = (definitive: DefinitiveQuantity | undefined) =>
  definitive?.floored ? definitive.classes * KWH_WATT_MINUTES : 0

/** Equal or within rounding; undefined when another cause is needed. */
export function getCloseness(
  { ours, theirs, definitive }: Pick<PointMonth, 'ours' | 'theirs' | 'definitive'>,
  tolerance: number,
): 'equal' | 'rounding' | undefined {
  if (ours === null || theirs === null) return undefined
  const difference = ours - theirs
  if (difference === 0) return 'equal'
  if (Math.abs(difference) <= tolerance || (difference > 0 && difference < getRoundingLoss(definitive)))
    return 'rounding'
  return undefined
}

/** The past days of a month; later days have no data yet. */
export function listPastDays(month: string): string[] {
  const [next, day] = [addMonths(month, 1), getToday()]
  return listDays(month, day < next ? day : next)
}

import type { DifferenceCause } from '@voisol/contract/reconciliation'
import { addMonths, listDays } from '@voisol/energy/calendar'
import { getToday } from '../../../today.ts'
import type { OperationPeriod } from './asked.ts'
import type { ComparedPoint, Memberships } from './memberships.ts'
import type { CoveringRun } from './our-months.ts'
import type { DefinitiveQuantity } from './their-months.ts'
import type { Tolerance } from './tolerance.ts'

/** A month of an operation under comparison. */
export type ReconciliationContext = {
  companyId: number
  operationId: string
  month: string
  /** Of the month, those that are over. */
  days: string[]
  memberships: Memberships
  covered: CoveringRun[]
  tolerance: Tolerance
}
/** A point in a month, in watt-minutes; null where a side has nothing it should have. */
export type PointMonth = ComparedPoint & {
  ours: number | null
  theirs: number | null
  /** Set where the distributor's figure is its definitive quantity. */
  definitive: DefinitiveQuantity | undefined
  cause: DifferenceCause
}

export const getComparedPeriod = ({ operationId, month }: ReconciliationContext): OperationPeriod => ({
  operationId,
  from: month,
  to: addMonths(month, 1),
})

const KWH_WATT_MINUTES = 60_000

/** How much a definitive quantity may lose by being written in whole kilowatt-hours. */
export const getRoundingLoss = (definitive: DefinitiveQuantity | undefined) =>
  definitive?.floored ? definitive.classes * KWH_WATT_MINUTES : 0

/** Equal, or as close as rounding makes it; undefined where something else is to be found. */
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

/** The days of a month that are over: the others have nothing yet. */
export function listPastDays(month: string): string[] {
  const [next, day] = [addMonths(month, 1), getToday()]
  return listDays(month, day < next ? day : next)
}

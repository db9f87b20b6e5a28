import type { Db } from '../../../db/client.ts'
import type { Deps } from '../../../deps.ts'
import type { ComputedMonth } from './close-task.ts'
import { loadMonthSource, type MonthOptions, type MonthSource } from './month-input.ts'

export type ComputeContext = Pick<Deps, 'compute'> & { signal?: AbortSignal }
export type MonthRequest = { companyId: number; operationId: string; month: string } & MonthOptions
export type MonthComputation = MonthSource & ComputedMonth

/** Computes a month in a worker thread as it would be closed now; stores nothing. */
export async function computeMonth(
  { compute, signal }: ComputeContext,
  db: Db,
  wanted: MonthRequest,
): Promise<MonthComputation> {
  const { companyId, operationId, month, ...choices } = wanted
  const source = await loadMonthSource(db, companyId, operationId, month, choices)
  const computed = await compute('billing.month', source.input, { companyId, signal })
  return { ...source, ...computed }
}

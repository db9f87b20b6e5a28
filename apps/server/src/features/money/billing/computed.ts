import type { Db } from '../../../db/client.ts'
import type { Deps } from '../../../deps.ts'
import type { ComputedMonth } from './close-task.ts'
import { type Choices, type MonthSource, monthInput } from './month-input.ts'

export type Computing = Pick<Deps, 'compute'> & { signal?: AbortSignal }
export type Wanted = { companyId: number; operationId: string; month: string } & Choices
export type Computation = MonthSource & ComputedMonth

/** A month as it would be closed now, in a thread; nothing is stored. */
export async function computeNow({ compute, signal }: Computing, db: Db, wanted: Wanted): Promise<Computation> {
  const { companyId, operationId, month, ...choices } = wanted
  const source = await monthInput(db, companyId, operationId, month, choices)
  const computed = await compute('billing.month', source.input, { companyId, signal })
  return { ...source, ...computed }
}

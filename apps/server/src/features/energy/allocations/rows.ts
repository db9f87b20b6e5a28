/** A point's day: its consumption or injection over allocated steps, and the local part, also step by step. */
export type DayRow = {
  day: string
  pointId: string
  allocated: Int32Array
  total: number
  local: number
  excluded: number
}
export type TotalRow = { month: string; pointId: string; timeClass: string; total: number; local: number }
export type PairRow = { month: string; producerId: string; pointId: string; timeClass: string; energy: number }
/** With the energy of each day of the month, zero outside the run. */
export type DailyPair = PairRow & { days: Float64Array }

export type StepCounts = {
  steps: number
  excluded: number
  consumerMissing: number
  producerMissing: number
  noKey: number
  defaulted: number
  estimated: number
}
/** Without batteries; their charge and release are separate, each with its local part. */
export type AllocationTotals = {
  produced: number
  consumed: number
  allocated: number
  charged: number
  stored: number
  released: number
  restored: number
}

export const createStepCounts = (): StepCounts => ({
  steps: 0,
  excluded: 0,
  consumerMissing: 0,
  producerMissing: 0,
  noKey: 0,
  defaulted: 0,
  estimated: 0,
})
export const createAllocationTotals = (): AllocationTotals => ({
  produced: 0,
  consumed: 0,
  allocated: 0,
  charged: 0,
  stored: 0,
  released: 0,
  restored: 0,
})

export function addNumbers<T extends Record<string, number>>(sums: T, more: T): void {
  for (const name of Object.keys(sums) as (keyof T)[]) // the keys of T only
    sums[name] = ((sums[name] ?? 0) + (more[name] ?? 0)) as T[keyof T] // every value is a number
}

/**
 * Surplus and complement are derived, so that the sums are exact. The production used is what consumers received and
 * batteries stored, minus what batteries gave.
 */
export const toReportedTotals = (
  { produced, consumed, allocated, ...storage }: AllocationTotals,
  hasStorage: boolean,
) => ({
  produced,
  consumed,
  allocated,
  surplus: produced - (allocated + storage.stored - storage.restored),
  complement: consumed - allocated,
  ...(hasStorage && { storage }),
})

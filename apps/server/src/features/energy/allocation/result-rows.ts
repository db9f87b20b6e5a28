import { createHash } from 'node:crypto'

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

const compareText = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)

/** A fixed order for hashing rows, whatever order they were created or read in. */
export const compareDayRows = (a: DayRow, b: DayRow) => compareText(a.day, b.day) || compareText(a.pointId, b.pointId)
export const compareTotalRows = (a: TotalRow, b: TotalRow) =>
  compareText(a.month, b.month) || compareText(a.pointId, b.pointId) || compareText(a.timeClass, b.timeClass)
export const comparePairRows = (a: PairRow, b: PairRow) =>
  compareText(a.month, b.month) ||
  compareText(a.producerId, b.producerId) ||
  compareText(a.pointId, b.pointId) ||
  compareText(a.timeClass, b.timeClass)

/** Hashes rows in order, each kind separately, into one result hash. */
export function createResultHash() {
  const days = createHash('sha256')
  const totals = createHash('sha256')
  const pairs = createHash('sha256')
  return {
    day({ day, pointId, total, local, excluded, allocated }: DayRow) {
      days.update(`${day} ${pointId} ${total} ${local} ${excluded} `)
      days.update(new Uint8Array(allocated.buffer, allocated.byteOffset, allocated.byteLength))
    },
    total({ month, pointId, timeClass, total, local }: TotalRow) {
      totals.update(`${month} ${pointId} ${timeClass} ${total} ${local};`)
    },
    pair({ month, producerId, pointId, timeClass, energy }: PairRow) {
      pairs.update(`${month} ${producerId} ${pointId} ${timeClass} ${energy};`)
    },
    digest: () =>
      createHash('sha256')
        .update(days.digest('hex') + totals.digest('hex') + pairs.digest('hex'))
        .digest('hex'),
  }
}

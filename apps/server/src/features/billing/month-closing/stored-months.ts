import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { gunzip, gzip } from 'node:zlib'

import type { MonthTotals } from '@voisol/contract/billing-documents'
import type { BillingDocument } from '@voisol/money/document'
import type { MonthInput } from '@voisol/money/input'
import type { MonthNotice } from '@voisol/money/issues'
import type { BilledMonth } from '@voisol/money/month'
import { and, asc, count, desc, eq, inArray } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import { billingComputations, billingMonths, pastDocuments } from '../../../db/schema/index.ts'

import { AppError } from '../../../http/errors.ts'
import type { MonthContext } from './compute-month.ts'

/** What a closed month was computed from and its result, as stored. */
export type MonthResult = {
  input: MonthInput
  frame: MonthContext
  outcome: {
    units: [string, number][]
    totalUnits: number
    sources: [string, 'distributor' | 'definitive' | 'provisional'][]
    documents: BillingDocument[]
    notices: MonthNotice[]
    /**
     * The documents in force after this computation. They differ from `documents` when cents are withheld; absent, they
     * are the same.
     */
    standing?: BillingDocument[]
    /** By member, watt-hours of each day. */
    daily: [string, number[]][]
  }
}
export type StoredComputation = MonthResult & {
  id: string
  monthId: string
  number: number
  hash: string
  totals: MonthTotals
  /** Which event made it: a close, a correction or a cancellation. */
  cause: string
}

const pack = promisify(gzip)
const unpack = promisify(gunzip)

export const toStoredOutcome = (
  { units, totalUnits, sources, documents, notices }: BilledMonth,
  daily: ReadonlyMap<string, number[]>,
): MonthResult['outcome'] => ({
  units: [...units],
  totalUnits,
  sources: [...sources],
  documents: [...documents],
  notices: [...notices],
  daily: [...daily],
})

/** Converts typed arrays to plain ones, since JSON would write them as objects. */
const withPlainArrays = (input: MonthInput): MonthInput => ({
  ...input,
  cells: input.cells.map((cell) => ({ ...cell, wattMinutes: Array.from(cell.wattMinutes) })),
})

export async function packMonth({ input, frame, outcome }: MonthResult) {
  const [given, made] = [JSON.stringify({ input: withPlainArrays(input), frame }), JSON.stringify(outcome)]
  const hash = createHash('sha256').update(given).update(made).digest('hex')
  return { input: await pack(given), outcome: await pack(made), hash }
}

const unpackJson = async (bytes: Buffer) => JSON.parse((await unpack(bytes)).toString('utf8'))

type ComputationRow = typeof billingComputations.$inferSelect

async function toStoredComputation(row: ComputationRow): Promise<StoredComputation> {
  // Both were written by `packMonth`.
  const given = (await unpackJson(row.input)) as Pick<MonthResult, 'input' | 'frame'>
  const outcome = (await unpackJson(row.outcome)) as MonthResult['outcome']
  const { id, monthId, number, hash } = row
  // Every cause is stored with its kind.
  const { kind } = row.cause as { kind: string }
  return { ...given, outcome, id, monthId, number, hash, totals: row.totals as MonthTotals, cause: kind }
}

export type ClosedMonthRow = typeof billingMonths.$inferSelect

export async function findClosedMonth(db: Db, companyId: number, operationId: string, month: string) {
  const [row] = await db
    .select()
    .from(billingMonths)
    .where(
      and(
        eq(billingMonths.companyId, companyId),
        eq(billingMonths.operationId, operationId),
        eq(billingMonths.month, `${month}-01`),
      ),
    )
  return row
}

/** The closed ones of some months of an operation, by their first day. */
export async function findClosedMonths(db: Db, companyId: number, operationId: string, firstDays: readonly string[]) {
  const rows = await db
    .select()
    .from(billingMonths)
    .where(
      and(
        eq(billingMonths.companyId, companyId),
        eq(billingMonths.operationId, operationId),
        inArray(billingMonths.month, [...firstDays]),
      ),
    )
  return new Map(rows.map((row) => [row.month, row]))
}

/** What the closes of some months computed, in the order of the months. */
export async function loadFirstComputations(db: Db, companyId: number, months: readonly ClosedMonthRow[]) {
  if (!months.length) return []
  const rows = await db
    .selectDistinctOn([billingComputations.monthId])
    .from(billingComputations)
    .where(
      and(
        eq(billingComputations.companyId, companyId),
        inArray(
          billingComputations.monthId,
          months.map(({ id }) => id),
        ),
      ),
    )
    .orderBy(billingComputations.monthId, asc(billingComputations.number))
  const byMonth = new Map(rows.map((row) => [row.monthId, row]))
  return Promise.all(
    months.map(({ id }) => {
      const row = byMonth.get(id)
      if (!row) throw new AppError('not-found')
      return toStoredComputation(row)
    }),
  )
}

/** A computation of a closed month: the first is its close, the last includes the corrections issued so far. */
export async function loadComputation(
  db: Db,
  month: Pick<ClosedMonthRow, 'companyId' | 'id'>,
  which: 'first' | 'last' = 'first',
) {
  const [row] = await db
    .select()
    .from(billingComputations)
    .where(and(eq(billingComputations.companyId, month.companyId), eq(billingComputations.monthId, month.id)))
    .orderBy(which === 'first' ? asc(billingComputations.number) : desc(billingComputations.number))
    .limit(1)
  if (!row) throw new AppError('not-found')
  return toStoredComputation(row)
}

export const BILLED_ELSEWHERE = 'elsewhere'

/** Counts, by month, the documents imported from another billing program. */
export async function countDocumentsBilledElsewhere(
  db: Db,
  companyId: number,
  operationId: string,
): Promise<Map<string, number>> {
  const rows = await db
    .select({ month: pastDocuments.month, documents: count() })
    .from(pastDocuments)
    .where(and(eq(pastDocuments.companyId, companyId), eq(pastDocuments.operationId, operationId)))
    .groupBy(pastDocuments.month)
  return new Map(rows.map(({ month, documents }) => [month, documents]))
}

import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { gunzip, gzip } from 'node:zlib'
import type { MonthTotals } from '@voisol/contract/billing-documents'
import type { Document } from '@voisol/money/document'
import type { MonthInput } from '@voisol/money/input'
import type { Notice } from '@voisol/money/issues'
import type { BilledMonth } from '@voisol/money/month'
import { and, asc, desc, eq } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import { billingComputations, billingMonths } from '../../../db/schema/index.ts'
import { AppError } from '../../../http/errors.ts'
import type { Frame } from './month-input.ts'

/** What a month was computed from and came to, as it is kept. */
export type StoredMonth = {
  input: MonthInput
  frame: Frame
  outcome: {
    units: [string, number][]
    totalUnits: number
    sources: [string, 'distributor' | 'definitive' | 'provisional'][]
    documents: Document[]
    notices: Notice[]
    /** What stands issued once this is: other than `documents` where cents are held; the same where it is not said. */
    standing?: Document[]
    /** By member, watt-hours of each day. */
    daily: [string, number[]][]
  }
}
export type Computed = StoredMonth & {
  id: string
  monthId: string
  number: number
  hash: string
  totals: MonthTotals
  /** A close, a correction or a cancellation. */
  cause: string
}

const pack = promisify(gzip)
const unpack = promisify(gunzip)

export const outcomeOf = (
  { units, totalUnits, sources, documents, notices }: BilledMonth,
  daily: ReadonlyMap<string, number[]>,
): StoredMonth['outcome'] => ({
  units: [...units],
  totalUnits,
  sources: [...sources],
  documents: [...documents],
  notices: [...notices],
  daily: [...daily],
})

/** A typed array is written as the list it is. */
const plain = (input: MonthInput): MonthInput => ({
  ...input,
  cells: input.cells.map((cell) => ({ ...cell, wattMinutes: Array.from(cell.wattMinutes) })),
})

export async function packMonth({ input, frame, outcome }: StoredMonth) {
  const [given, made] = [JSON.stringify({ input: plain(input), frame }), JSON.stringify(outcome)]
  const hash = createHash('sha256').update(given).update(made).digest('hex')
  return { input: await pack(given), outcome: await pack(made), hash }
}

const read = async (bytes: Buffer) => JSON.parse((await unpack(bytes)).toString('utf8'))

type Row = typeof billingComputations.$inferSelect

async function toComputed(row: Row): Promise<Computed> {
  // Both were written by `packMonth`.
  const given = (await read(row.input)) as Pick<StoredMonth, 'input' | 'frame'>
  const outcome = (await read(row.outcome)) as StoredMonth['outcome']
  const { id, monthId, number, hash } = row
  // Every cause is written with its kind.
  const { kind } = row.cause as { kind: string }
  return { ...given, outcome, id, monthId, number, hash, totals: row.totals as MonthTotals, cause: kind }
}

export type MonthRow = typeof billingMonths.$inferSelect

export async function findMonth(db: Db, companyId: number, operationId: string, month: string) {
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

/** A computation of a closed month: its close, or the last one, which is what was issued and corrected so far. */
export async function computationOf(
  db: Db,
  month: Pick<MonthRow, 'companyId' | 'id'>,
  which: 'first' | 'last' = 'first',
) {
  const [row] = await db
    .select()
    .from(billingComputations)
    .where(and(eq(billingComputations.companyId, month.companyId), eq(billingComputations.monthId, month.id)))
    .orderBy(which === 'first' ? asc(billingComputations.number) : desc(billingComputations.number))
    .limit(1)
  if (!row) throw new AppError('not-found')
  return toComputed(row)
}

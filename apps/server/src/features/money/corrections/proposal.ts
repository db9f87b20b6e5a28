import { createHash } from 'node:crypto'
import type { CorrectionCause, CorrectionSummary, ProposedChange } from '@voisol/contract/corrections'
import type { Rectified } from '@voisol/money/corrections'
import type { MonthInput } from '@voisol/money/input'
import { and, desc, eq, ne, sql } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import { billingComputations, billingMonths } from '../../../db/schema/index.ts'
import { canonical } from '../../../hash.ts'
import {
  type Computed,
  type Computing,
  computationOf,
  type MonthRow,
  monthInput,
  outcomeOf,
  type StoredMonth,
} from '../billing/billing.ts'
import { buyersOf, sellersOf } from '../parties/parties.ts'
import { blend } from './blend.ts'
import { causesOf } from './causes.ts'
import { judge, type Standing } from './judge.ts'
import { changesOf, summaryOf } from './summary.ts'
import { termsFor } from './terms.ts'

/** A month of the proposal: what stands, what it was computed from last, and what it is computed to be. */
export type Corrected = Standing & {
  row: MonthRow
  last: Computed
  /** Stored as its next computation. */
  next: StoredMonth
  judged: Rectified
}
export type Proposed = {
  months: Corrected[]
  causes: CorrectionCause[]
  changes: ProposedChange[]
  summary: CorrectionSummary
  /** Names exactly what is shown. */
  seal: string
}

/** What stands issued: what the close gave, or what the last correction left. */
export const standingOf = ({ outcome }: Pick<Computed, 'outcome'>) => outcome.standing ?? outcome.documents

const monthOf = (row: MonthRow) => row.month.slice(0, 7)

/** The months of the operation that wait with cents of their own. */
async function waitingMonths(db: Db, row: MonthRow): Promise<MonthRow[]> {
  const lasts = db
    .selectDistinctOn([billingComputations.monthId], {
      monthId: billingComputations.monthId,
      waiting: sql<boolean>`${billingComputations.totals} ->> 'waiting' = 'true'`.as('waiting'),
    })
    .from(billingComputations)
    .where(eq(billingComputations.companyId, row.companyId))
    .orderBy(billingComputations.monthId, desc(billingComputations.number))
    .as('lasts')
  const rows = await db
    .select({ month: billingMonths })
    .from(billingMonths)
    .innerJoin(lasts, eq(lasts.monthId, billingMonths.id))
    .where(
      and(
        eq(billingMonths.companyId, row.companyId),
        eq(billingMonths.operationId, row.operationId),
        eq(billingMonths.status, 'issued'),
        ne(billingMonths.id, row.id),
        sql`lasts.waiting`,
      ),
    )
    .orderBy(billingMonths.month)
  return rows.map(({ month }) => month)
}

type Recomputed = { causes: CorrectionCause[]; month: Omit<Corrected, 'judged'> }

/** The month with today's data; nothing where it cannot be computed, which the checklist of its close would tell. */
async function recompute(ctx: Computing, db: Db, row: MonthRow): Promise<Recomputed | undefined> {
  const { companyId, operationId } = row
  const last = await computationOf(db, row, 'last')
  const { acceptLastIndex } = last.input
  const now = await monthInput(db, companyId, operationId, monthOf(row), { acceptLastIndex })
  const input: MonthInput = blend(last.input, now.input)
  const before = { input: last.input, units: last.outcome.units }
  const { outcome, daily } = await ctx.compute('corrections.month', { before, now: input }, { companyId, ...ctx })
  if (!outcome.ok) return undefined
  const next = { input, frame: now.frame, outcome: outcomeOf(outcome.month, daily) }
  const month = { row, last, next, month: monthOf(row), standing: standingOf(last), clean: outcome.month.documents }
  return { causes: causesOf(last.input, input), month }
}

/** A month with the cents it waits with, as it was last computed. */
export async function asItWaits(db: Db, row: MonthRow): Promise<Omit<Corrected, 'judged'>> {
  const last = await computationOf(db, row, 'last')
  return { row, last, next: last, month: monthOf(row), standing: standingOf(last), clean: last.outcome.documents }
}

export async function namesOf(db: Db, companyId: number, months: readonly Standing[]) {
  const pairs = months.flatMap(({ standing, clean }) => [...standing, ...clean])
  const buyers = await buyersOf(db, companyId, [...new Set(pairs.map(({ buyer }) => buyer))])
  const sellers = await sellersOf(db, companyId)
  return {
    sellers: new Map(sellers.map(({ id, name }) => [id, name])),
    buyers: new Map([...buyers].map(([id, { name }]) => [id, name])),
  }
}

/** What the month needs today so that what stands issued equals a clean recomputation, with what other months hold back. */
export async function proposalFor(ctx: Computing, db: Db, row: MonthRow): Promise<Proposed | undefined> {
  const found = await recompute(ctx, db, row)
  if (!found) return undefined
  const others = await Promise.all((await waitingMonths(db, row)).map((other) => asItWaits(db, other)))
  const months = [found.month, ...others]
  const judged = judge(months, await termsFor(db, row.companyId, months))
  const names = await namesOf(db, row.companyId, months)
  const corrected = months.map((month, at): Corrected => {
    const own = judged[at]
    if (!own) throw new Error('each month is judged')
    return { ...month, judged: own }
  })
  const changes = corrected.flatMap((month) => changesOf(month, month.judged, names))
  const causes = found.causes.length > 0 ? found.causes : (['held'] as const)
  const seal = createHash('sha256').update(canonical(changes)).digest('hex').slice(0, 32)
  return { months: corrected, causes: [...causes], changes, summary: summaryOf(changes), seal }
}

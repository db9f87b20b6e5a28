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
  type MonthSource,
  monthInput,
  outcomeOf,
  type StoredMonth,
} from '../billing/billing.ts'
import { buyersOf, sellersOf } from '../parties/parties.ts'
import { blend } from './blend.ts'
import { causesOf } from './causes.ts'
import { joined, joinedWith } from './groups.ts'
import { judge, type Standing } from './judge.ts'
import { changesOf, summaryOf } from './summary.ts'
import { termsFor } from './terms.ts'

/** A month of the proposal: what stands, what it was computed from last, and what it is computed to be. */
export type CorrectedMonth = Omit<Standing, 'parts'> & {
  row: MonthRow
  last: Computed
  /** Stored as its next computation. */
  next: StoredMonth
}
/** The months of one invoice, judged as the one document they are. */
export type Corrected = Omit<Standing, 'parts'> & { parts: CorrectedMonth[]; judged: Rectified }
export type Proposed = {
  /** Beginning with the one that was recomputed. */
  groups: Corrected[]
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

/** Whether the last thing that happened to the month is that an invoice of it was taken back. */
const isCancelled = ({ cause }: Computed) => cause === 'cancellation'

type Recomputed = { causes: CorrectionCause[]; month: CorrectedMonth }

/** What a billed month was computed from last, and what it would be computed from now. */
export type Again = { row: MonthRow; last: Computed; now: MonthSource }

export async function againOf(db: Db, row: MonthRow): Promise<Again> {
  const last = await computationOf(db, row, 'last')
  const { acceptLastIndex } = last.input
  return { row, last, now: await monthInput(db, row.companyId, row.operationId, monthOf(row), { acceptLastIndex }) }
}

/** The month with today's data; nothing where it cannot be computed, which the checklist of its close would tell. */
export async function recompute(ctx: Computing, { row, last, now }: Again): Promise<Recomputed | undefined> {
  const { companyId } = row
  const input: MonthInput = blend(last.input, now.input)
  const before = { input: last.input, units: last.outcome.units }
  const { outcome, daily } = await ctx.compute(
    'corrections.month',
    { before, now: input },
    { companyId, signal: ctx.signal },
  )
  if (!outcome.ok) return undefined
  const next = { input, frame: now.frame, outcome: outcomeOf(outcome.month, daily) }
  const month = { row, last, next, month: monthOf(row), standing: standingOf(last), clean: outcome.month.documents }
  const causes = causesOf(last.input, input)
  return { causes: isCancelled(last) ? [...causes, 'cancelled'] : causes, month }
}

async function asItWaits(db: Db, row: MonthRow): Promise<CorrectedMonth> {
  const last = await computationOf(db, row, 'last')
  return { row, last, next: last, month: monthOf(row), standing: standingOf(last), clean: last.outcome.documents }
}

type Group = Omit<Corrected, 'judged'>

/** A month among those it was invoiced with; they wait as they were last computed. */
export async function groupOf(db: Db, month: CorrectedMonth): Promise<Group> {
  const rows = await joinedWith(db, month.row)
  if (rows.length < 2) return { month: month.month, standing: month.standing, clean: month.clean, parts: [month] }
  const parts: CorrectedMonth[] = []
  for (const row of rows) parts.push(row.id === month.row.id ? month : await asItWaits(db, row))
  return { month: month.month, ...joined(parts), parts }
}

/** A month among those it was invoiced with, as all of them stand. */
export const standingGroup = async (db: Db, row: MonthRow): Promise<Group> => groupOf(db, await asItWaits(db, row))

/** The groups that hold cents of their own, each once. */
async function waitingGroups(db: Db, row: MonthRow, first: Group): Promise<Group[]> {
  const groups: Group[] = []
  const known = new Set(first.parts.map((part) => part.row.id))
  for (const other of await waitingMonths(db, row)) {
    if (known.has(other.id)) continue
    const group = await groupOf(db, await asItWaits(db, other))
    for (const part of group.parts) known.add(part.row.id)
    groups.push(group)
  }
  return groups
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
  const found = await recompute(ctx, await againOf(db, row))
  if (!found) return undefined
  const first = await groupOf(db, found.month)
  const groups = [first, ...(await waitingGroups(db, row, first))]
  const judged = judge(groups, await termsFor(db, row.companyId, groups))
  const names = await namesOf(db, row.companyId, groups)
  const corrected = groups.map((group, at): Corrected => {
    const own = judged[at]
    if (!own) throw new Error('each month is judged')
    return { ...group, judged: own }
  })
  const changes = corrected.flatMap((group) => changesOf(group, group.judged, names))
  const causes = found.causes.length > 0 ? found.causes : (['held'] as const)
  const seal = createHash('sha256').update(canonical(changes)).digest('hex').slice(0, 32)
  return { groups: corrected, causes: [...causes], changes, summary: summaryOf(changes), seal }
}

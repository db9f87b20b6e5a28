import type { insights as endpoints, Insight, InsightState } from '@voisol/contract/insights'
import { and, desc, eq, type SQL, sql } from 'drizzle-orm'
import type { z } from 'zod'
import { operationScope, requireVisibleOperation } from '../../../core/operation.ts'
import { pointNameOnDaySql } from '../../../core/point-label.ts'
import type { Db } from '../../../db/client.ts'
import { insightLooks, insights, operations, participants, points } from '../../../db/schema/index.ts'
import type { Actor } from '../../../http/actor.ts'
import { getToday } from '../../../today.ts'
import { describeFormula } from './formula.ts'
import type { FindingNumbers } from './numbers.ts'
import { type EnergyPrices, loadEnergyPrices } from './prices.ts'
import { buildInsightTexts } from './words.ts'

const MAX_LISTED_INSIGHTS = 200

/** Findings of the operations that the actor may read. */
export const insightScope = (actor: Actor): SQL => sql`exists (
  select 1 from ${operations} where ${operations.companyId} = ${insights.companyId}
     and ${operations.id} = ${insights.operationId} and ${operationScope(actor)})`

export type InsightRow = typeof insights.$inferSelect & { operationName: string }

export const listInsightRows = async (db: Db, actor: Actor, where: SQL | undefined): Promise<InsightRow[]> => {
  const rows = await db
    .select({ insight: insights, operationName: operations.name })
    .from(insights)
    .innerJoin(operations, and(eq(operations.companyId, insights.companyId), eq(operations.id, insights.operationId)))
    .where(and(eq(insights.companyId, actor.companyId), insightScope(actor), where))
    // Largest amount first; those without a price follow by energy.
    .orderBy(
      sql`abs(${insights.cents}) * ${insights.confidence} desc nulls last`,
      sql`abs(${insights.wh}) * ${insights.confidence} desc nulls last`,
      desc(insights.foundAt),
      insights.id,
    )
    .limit(MAX_LISTED_INSIGHTS)
  return rows.map(({ insight, operationName }) => ({ ...insight, operationName }))
}

const getNameKey = (operationId: string, id: unknown) => `${operationId} ${id}`
const getOtherSubjectId = ({ numbers }: InsightRow) => (numbers as FindingNumbers).facts.other // written by storeFindings

/** « Appartement 103, Luc Moreau » for each point and participant mentioned, as named in that operation. */
async function loadSubjectNames(db: Db, companyId: number, rows: InsightRow[]): Promise<Map<string, string>> {
  const subjects = rows.flatMap((row) =>
    [row.subjectId, String(getOtherSubjectId(row) ?? '')]
      .filter(Boolean)
      .map((id) => ({ operationId: row.operationId, id })),
  )
  const ids = sql.param(subjects.map(({ id }) => id))
  const { rows: pointNames } = await db.execute<{ operationId: string; id: string; name: string }>(sql`
    select w.operation_id as "operationId", p.id,
           coalesce(nullif(${pointNameOnDaySql(companyId, sql`p`, undefined, sql`w.operation_id`)}, ''), p.prm) as name
      from unnest(${sql.param(subjects.map(({ operationId }) => operationId))}::uuid[], ${ids}::uuid[]) w(operation_id, id)
      join ${points} p on p.company_id = ${companyId} and p.id = w.id`)
  const people = await db
    .select({ id: participants.id, name: participants.name })
    .from(participants)
    .where(and(eq(participants.companyId, companyId), sql`${participants.id} = any(${ids}::uuid[])`))
  const participantNames = new Map(people.map(({ id, name }) => [id, name]))
  return new Map([
    ...rows.map((row): [string, string] => [getNameKey(row.operationId, row.operationId), row.operationName]),
    ...subjects.flatMap(({ operationId, id }): [string, string][] => {
      const name = participantNames.get(id)
      return name === undefined ? [] : [[getNameKey(operationId, id), name]]
    }),
    ...pointNames.map(({ operationId, id, name }): [string, string] => [getNameKey(operationId, id), name]),
  ])
}

function toInsight(row: InsightRow, names: Map<string, string>, prices: EnergyPrices): Insight {
  const numbers = row.numbers as FindingNumbers // only written by `storeFindings`
  const rule = row.rule as Insight['rule'] // the rules' own names
  const subject = names.get(getNameKey(row.operationId, row.subjectId)) ?? ''
  const other = names.get(getNameKey(row.operationId, getOtherSubjectId(row))) ?? ''
  const { startsOn, endsOn, wh, cents } = row
  return {
    id: row.id,
    rule,
    state: row.state as InsightState, // the column only stores these values
    operationId: row.operationId,
    operationName: row.operationName,
    subject: { kind: row.subjectKind as Insight['subject']['kind'], id: row.subjectId, name: subject }, // as above
    from: startsOn,
    to: endsOn,
    ...buildInsightTexts(rule, numbers, { subject, other, startsOn, endsOn, wh }),
    wh,
    cents,
    formula: describeFormula(numbers, wh, cents, prices),
    confidence: row.confidence,
    evidence: numbers.evidence,
    reason: row.reason,
    silentUntil: row.silentUntil,
    decidedBy: row.decidedBy,
    foundAt: row.foundAt.toISOString(),
    seenAt: row.seenAt.toISOString(),
    closedAt: row.closedAt?.toISOString() ?? null,
    version: row.version,
  }
}

export async function toInsights(db: Db, companyId: number, rows: InsightRow[]): Promise<Insight[]> {
  const names = await loadSubjectNames(db, companyId, rows)
  const prices = new Map<string, EnergyPrices>()
  for (const { operationId } of rows)
    if (!prices.has(operationId))
      prices.set(operationId, await loadEnergyPrices(db, companyId, operationId, getToday()))
  return rows.flatMap((row) => {
    const own = prices.get(row.operationId)
    return own ? [toInsight(row, names, own)] : []
  })
}

type ListInsightsQuery = z.output<typeof endpoints.list.query>

export async function listInsights(db: Db, actor: Actor, { state, operationId }: ListInsightsQuery) {
  if (operationId) await requireVisibleOperation(db, actor, operationId)
  const only = operationId ? eq(insights.operationId, operationId) : undefined
  const rows = await listInsightRows(db, actor, and(eq(insights.state, state), only))
  const looks = await db
    .select({
      operationId: operations.id,
      operationName: operations.name,
      lookedAt: insightLooks.lookedAt,
      missing: insightLooks.missing,
    })
    .from(operations)
    .leftJoin(
      insightLooks,
      and(eq(insightLooks.companyId, operations.companyId), eq(insightLooks.operationId, operations.id)),
    )
    .where(
      and(
        operationScope(actor),
        eq(operations.status, 'active'),
        operationId ? eq(operations.id, operationId) : undefined,
      ),
    )
    .orderBy(operations.name)
    .limit(MAX_LISTED_INSIGHTS)
  return {
    items: await toInsights(db, actor.companyId, rows),
    looks: looks.map(({ lookedAt, missing, ...look }) => ({
      ...look,
      lookedAt: lookedAt?.toISOString() ?? null,
      missing: missing ?? [],
    })),
  }
}

import type { insights as endpoints, Insight, InsightState } from '@voisol/contract/insights'
import { and, desc, eq, type SQL, sql } from 'drizzle-orm'
import type { z } from 'zod'
import { findOperation, operationScope } from '../../../core/operation.ts'
import { pointSeat } from '../../../core/point-label.ts'
import type { Db } from '../../../db/client.ts'
import { insightLooks, insights, operations, participants, points } from '../../../db/schema/index.ts'
import type { Actor } from '../../../http/actor.ts'
import { today } from '../../../today.ts'
import { formulaOf } from './formula.ts'
import type { Numbers } from './numbers.ts'
import { type Known, pricesOn } from './prices.ts'
import { wordsOf } from './words.ts'

const MOST = 200

/** Those of the operations that the actor sees. */
export const insightScope = (actor: Actor): SQL => sql`exists (
  select 1 from ${operations} where ${operations.companyId} = ${insights.companyId}
     and ${operations.id} = ${insights.operationId} and ${operationScope(actor)})`

export type Row = typeof insights.$inferSelect & { operationName: string }

export const findRows = async (db: Db, actor: Actor, where: SQL | undefined): Promise<Row[]> => {
  const rows = await db
    .select({ insight: insights, operationName: operations.name })
    .from(insights)
    .innerJoin(operations, and(eq(operations.companyId, insights.companyId), eq(operations.id, insights.operationId)))
    .where(and(eq(insights.companyId, actor.companyId), insightScope(actor), where))
    // The largest stake first; what has no price comes after, by its energy.
    .orderBy(
      sql`abs(${insights.cents}) * ${insights.confidence} desc nulls last`,
      sql`abs(${insights.wh}) * ${insights.confidence} desc nulls last`,
      desc(insights.foundAt),
      insights.id,
    )
    .limit(MOST)
  return rows.map(({ insight, operationName }) => ({ ...insight, operationName }))
}

const nameKey = (operationId: string, id: unknown) => `${operationId} ${id}`
const otherOf = ({ numbers }: Row) => (numbers as Numbers).facts.other // written by keepFindings alone

/** « Appartement 103, Luc Moreau » of each point and participant that is spoken of, as they are in that operation. */
async function namesOf(db: Db, companyId: number, rows: Row[]): Promise<Map<string, string>> {
  const spoken = rows.flatMap((row) =>
    [row.subjectId, String(otherOf(row) ?? '')].filter(Boolean).map((id) => ({ operationId: row.operationId, id })),
  )
  const ids = sql.param(spoken.map(({ id }) => id))
  const { rows: seats } = await db.execute<{ operationId: string; id: string; name: string }>(sql`
    select w.operation_id as "operationId", p.id,
           coalesce(nullif(${pointSeat(companyId, sql`p`, undefined, sql`w.operation_id`)}, ''), p.prm) as name
      from unnest(${sql.param(spoken.map(({ operationId }) => operationId))}::uuid[], ${ids}::uuid[]) w(operation_id, id)
      join ${points} p on p.company_id = ${companyId} and p.id = w.id`)
  const people = await db
    .select({ id: participants.id, name: participants.name })
    .from(participants)
    .where(and(eq(participants.companyId, companyId), sql`${participants.id} = any(${ids}::uuid[])`))
  const called = new Map(people.map(({ id, name }) => [id, name]))
  return new Map([
    ...rows.map((row): [string, string] => [nameKey(row.operationId, row.operationId), row.operationName]),
    ...spoken.flatMap(({ operationId, id }): [string, string][] => {
      const name = called.get(id)
      return name === undefined ? [] : [[nameKey(operationId, id), name]]
    }),
    ...seats.map(({ operationId, id, name }): [string, string] => [nameKey(operationId, id), name]),
  ])
}

function toInsight(row: Row, names: Map<string, string>, prices: Known): Insight {
  const numbers = row.numbers as Numbers // written by keepFindings alone
  const rule = row.rule as Insight['rule'] // the rules' own names
  const subject = names.get(nameKey(row.operationId, row.subjectId)) ?? ''
  const other = names.get(nameKey(row.operationId, otherOf(row))) ?? ''
  const { startsOn, endsOn, wh, cents } = row
  return {
    id: row.id,
    rule,
    state: row.state as InsightState, // the column holds only these
    operationId: row.operationId,
    operationName: row.operationName,
    subject: { kind: row.subjectKind as Insight['subject']['kind'], id: row.subjectId, name: subject }, // as above
    from: startsOn,
    to: endsOn,
    ...wordsOf(rule, numbers, { subject, other, startsOn, endsOn, wh }),
    wh,
    cents,
    formula: formulaOf(numbers, wh, cents, prices),
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

export async function toInsights(db: Db, companyId: number, rows: Row[]): Promise<Insight[]> {
  const names = await namesOf(db, companyId, rows)
  const prices = new Map<string, Known>()
  for (const { operationId } of rows)
    if (!prices.has(operationId)) prices.set(operationId, await pricesOn(db, companyId, operationId, today()))
  return rows.flatMap((row) => {
    const own = prices.get(row.operationId)
    return own ? [toInsight(row, names, own)] : []
  })
}

type Query = z.output<typeof endpoints.list.query>

export async function listInsights(db: Db, actor: Actor, { state, operationId }: Query) {
  if (operationId) await findOperation(db, actor, operationId)
  const only = operationId ? eq(insights.operationId, operationId) : undefined
  const rows = await findRows(db, actor, and(eq(insights.state, state), only))
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
    .limit(MOST)
  return {
    items: await toInsights(db, actor.companyId, rows),
    looks: looks.map(({ lookedAt, missing, ...look }) => ({
      ...look,
      lookedAt: lookedAt?.toISOString() ?? null,
      missing: missing ?? [],
    })),
  }
}

import type { insights as endpoints, Insight, InsightState } from '@voisol/contract/insights'
import { seatName } from '@voisol/contract/points'
import { and, desc, eq, inArray, type SQL, sql } from 'drizzle-orm'
import type { z } from 'zod'
import { findOperation, operationScope } from '../../../core/operation.ts'
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

/** « Appartement 103, Luc Moreau » of each point and participant that is spoken of. */
async function namesOf(db: Db, companyId: number, rows: Row[]): Promise<Map<string, string>> {
  const others = rows.map(({ numbers }) => String((numbers as Numbers).facts.other ?? '')).filter(Boolean) // written by keepFindings alone
  const ids = [...new Set([...rows.map(({ subjectId }) => subjectId), ...others])]
  if (!ids.length) return new Map()
  const { rows: seats } = await db.execute<{ id: string; prm: string; label: string; holder: string | null }>(sql`
    select p.id, p.prm, p.label, (
      select h.name from participations s join participants h on h.company_id = s.company_id and h.id = s.participant_id
       where s.company_id = p.company_id and s.point_id = p.id order by s.starts_on desc limit 1) as holder
      from ${points} p where p.company_id = ${companyId} and p.id = any(${sql.param(ids)}::uuid[])`)
  const people = await db
    .select({ id: participants.id, name: participants.name })
    .from(participants)
    .where(and(eq(participants.companyId, companyId), inArray(participants.id, ids)))
  return new Map([
    ...rows.map((row): [string, string] => [row.operationId, row.operationName]),
    ...people.map(({ id, name }): [string, string] => [id, name]),
    ...seats.map(({ id, prm, label, holder }): [string, string] => [id, seatName(label, holder ?? '') || prm]),
  ])
}

function toInsight(row: Row, names: Map<string, string>, prices: Known): Insight {
  const numbers = row.numbers as Numbers // written by keepFindings alone
  const rule = row.rule as Insight['rule'] // the rules' own names
  const subject = names.get(row.subjectId) ?? ''
  const other = names.get(String(numbers.facts.other ?? '')) ?? ''
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

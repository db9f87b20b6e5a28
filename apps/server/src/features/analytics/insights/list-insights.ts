import { DISMISSAL_DAYS } from '@voisol/contract/insight-rules'
import type { insights as endpoints, Insight, InsightState } from '@voisol/contract/insights'
import { formatEuros, formatFrenchDecimal, formatPricePerKwh } from '@voisol/documents/number-and-date-formats'
import { addDays } from '@voisol/energy/calendar'
import { and, desc, eq, type SQL, sql } from 'drizzle-orm'
import type { z } from 'zod'
import { operationScope, requireVisibleOperation } from '../../../core/access-scopes.ts'
import { pointNameOnDaySql } from '../../../core/point-names.ts'
import type { Db } from '../../../db/client.ts'
import { insightLooks, insights, operations, participants, points } from '../../../db/schema/index.ts'
import { recordEvent } from '../../../events/events.ts'
import { type Actor, formatActorName } from '../../../http/actor.ts'
import { AppError } from '../../../http/errors.ts'
import { requireCurrentVersion } from '../../../http/record-version.ts'
import { getToday } from '../../../today.ts'
import { type EnergyPrices, loadEnergyPrices } from './energy-prices.ts'
import type { FindingNumbers } from './finding-numbers.ts'
import { buildInsightTexts } from './insight-texts.ts'

const MAX_LISTED_INSIGHTS = 200

/** Findings of the operations that the actor may read. */
const insightScope = (actor: Actor): SQL => sql`exists (
  select 1 from ${operations} where ${operations.companyId} = ${insights.companyId}
     and ${operations.id} = ${insights.operationId} and ${operationScope(actor)})`

type InsightRow = typeof insights.$inferSelect & { operationName: string }

const listInsightRows = async (db: Db, actor: Actor, where: SQL | undefined): Promise<InsightRow[]> => {
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

async function toInsights(db: Db, companyId: number, rows: InsightRow[]): Promise<Insight[]> {
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

const formatKwh = (wh: number) => `${formatFrenchDecimal(Math.round(wh / 100), 1)}\u00a0kWh`
const formatPercent = (part: number) => `${formatFrenchDecimal(Math.round(part * 1000), 1)}\u00a0%`
const UNKNOWN_PRICE_LABEL = 'prix inconnu'

/** Explains the euros with today's prices, which may have changed since the night. */
function describeFormula(
  { worth, facts }: FindingNumbers,
  wh: number | null,
  cents: number | null,
  prices: EnergyPrices,
): string {
  const { local, surplus, supplier } = prices
  if (worth === 'own') return `Somme des gains d’un an de chacun = ${formatEuros(cents ?? 0)}`
  if (worth === 'none' || wh === null) return 'Sans montant\u00a0: ce constat ne compte pas d’énergie.'
  const price = (value: number | null) => (value === null ? UNKNOWN_PRICE_LABEL : formatPricePerKwh(value))
  const equals = cents === null ? `\u00a0: ${UNKNOWN_PRICE_LABEL}, en kWh seulement` : ` = ${formatEuros(cents)}`
  if (worth === 'plant') {
    const share = Number(facts.share ?? 0)
    return `${formatKwh(wh)} × (${formatPercent(share)} partagés à ${price(local)} + ${formatPercent(1 - share)} vendus à ${price(surplus)})${equals}`
  }
  if (worth === 'gap') return `${formatKwh(wh)} × (${price(local)} − ${price(surplus)})${equals}`
  return `${formatKwh(wh)} × ${price(worth === 'local' ? local : supplier)}${equals}`
}

type InsightDecision = { state: 'accepted' } | { state: 'dismissed'; reason: string }

/** Only open or accepted findings can be decided: closed or dismissed ones are over. */
const DECIDABLE_STATES = ['open', 'accepted']

export async function decideInsight(
  tx: Db,
  actor: Actor,
  id: string,
  expected: { version: number },
  decision: InsightDecision,
): Promise<Insight> {
  const where = and(eq(insights.companyId, actor.companyId), eq(insights.id, id), insightScope(actor))
  const [row] = await tx.select().from(insights).where(where).for('update')
  if (!row) throw new AppError('not-found')
  requireCurrentVersion({ version: row.version }, expected)
  if (!DECIDABLE_STATES.includes(row.state)) throw new AppError('conflict', { message: 'Ce constat est déjà refermé.' })
  const silent =
    decision.state === 'dismissed'
      ? { reason: decision.reason, silentUntil: addDays(getToday(), DISMISSAL_DAYS), closedAt: new Date() }
      : { reason: '', silentUntil: null }
  await tx
    .update(insights)
    .set({ state: decision.state, ...silent, decidedBy: formatActorName(actor), version: row.version + 1 })
    .where(and(eq(insights.companyId, actor.companyId), eq(insights.id, id)))
  const [insight] = await toInsights(tx, actor.companyId, await listInsightRows(tx, actor, eq(insights.id, id)))
  if (!insight) throw new AppError('not-found')
  const { operationId, rule, cents } = row
  const data = { insightId: id, operationId, rule, cents, state: decision.state }
  await recordEvent(tx, { companyId: actor.companyId, name: 'insight.decided', object: id, data })
  return insight
}

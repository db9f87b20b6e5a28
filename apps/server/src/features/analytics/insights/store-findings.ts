import { REOPEN_GROWTH_FACTOR } from '@voisol/contract/insight-rules'
import { computeEnergyCents } from '@voisol/money/amounts'
import { and, desc, eq, gt, inArray, sql } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import { insightLooks, insights } from '../../../db/schema/index.ts'
import { recordEvent } from '../../../events/events.ts'
import type { Secrets } from '../../../secrets.ts'
import { getToday } from '../../../today.ts'
import type { EnergyPrices } from './energy-prices.ts'
import type { FindingNumbers, RuleFinding } from './finding-numbers.ts'

type InsightRow = typeof insights.$inferSelect
type InsightContext = { companyId: number; operationId: string; secrets: Secrets }

const getFindingKey = ({ rule, subjectId }: { rule: string; subjectId: string }) => `${rule} ${subjectId}`
const getFindingSize = ({ wh, numbers }: RuleFinding) => wh ?? Math.abs(numbers.statistic)

const listInsightsInStates = (db: Db, { companyId, operationId }: InsightContext, states: string[]) =>
  db
    .select()
    .from(insights)
    .where(
      and(eq(insights.companyId, companyId), eq(insights.operationId, operationId), inArray(insights.state, states)),
    )

/** A dismissed finding stays hidden for a time, unless it grew by half. */
async function loadSilencedSizes(tx: Db, of: InsightContext): Promise<Map<string, number>> {
  const rows = await tx
    .select()
    .from(insights)
    .where(
      and(
        eq(insights.companyId, of.companyId),
        eq(insights.operationId, of.operationId),
        eq(insights.state, 'dismissed'),
        gt(insights.silentUntil, getToday()),
      ),
    )
    .orderBy(desc(insights.seenAt))
  const sizes = new Map<string, number>()
  for (const row of rows) sizes.set(getFindingKey(row), Math.max(row.size, sizes.get(getFindingKey(row)) ?? 0))
  return sizes
}

const toInsightValues = (raw: RuleFinding, prices: EnergyPrices) => ({
  startsOn: raw.startsOn,
  endsOn: raw.endsOn,
  wh: raw.wh,
  cents: computeFindingCents(raw, prices),
  confidence: raw.confidence,
  size: getFindingSize(raw),
  numbers: raw.numbers,
})

async function recordInsightEvent(
  tx: Db,
  { companyId, operationId, secrets }: InsightContext,
  name: 'insight.found' | 'insight.closed',
  row: InsightRow,
) {
  const data = { insightId: row.id, operationId, rule: row.rule, cents: row.cents }
  await recordEvent(tx, { companyId, name, object: row.id, data, by: { job: 'insights.look', secrets } })
}

/** Updates stored findings: new ones open, known ones are updated, and those not found any more close. */
export async function storeFindings(
  tx: Db,
  of: InsightContext,
  findings: RuleFinding[],
  prices: EnergyPrices,
  missing: string[],
) {
  const now = new Date()
  const { companyId, operationId } = of
  const openInsights = new Map(
    (await listInsightsInStates(tx, of, ['open', 'accepted'])).map((row) => [getFindingKey(row), row]),
  )
  const silencedSizes = await loadSilencedSizes(tx, of)
  const events: { name: 'insight.found' | 'insight.closed'; row: InsightRow }[] = []
  for (const raw of findings) {
    const known = openInsights.get(getFindingKey(raw))
    openInsights.delete(getFindingKey(raw))
    const values = toInsightValues(raw, prices)
    if (known) {
      const where = and(eq(insights.companyId, companyId), eq(insights.id, known.id))
      await tx
        .update(insights)
        .set({ ...values, seenAt: now })
        .where(where)
      continue
    }
    if (values.size < REOPEN_GROWTH_FACTOR * (silencedSizes.get(getFindingKey(raw)) ?? 0)) continue
    const { rule, subjectKind, subjectId } = raw
    const [row] = await tx
      .insert(insights)
      .values({ ...values, companyId, operationId, rule, subjectKind, subjectId, foundAt: now, seenAt: now })
      .returning()
    if (row) events.push({ name: 'insight.found', row })
  }
  for (const row of openInsights.values()) {
    const where = and(eq(insights.companyId, companyId), eq(insights.id, row.id))
    const set = { state: 'closed', closedAt: now, version: sql`${insights.version} + 1` }
    await tx.update(insights).set(set).where(where)
    events.push({ name: 'insight.closed', row })
  }
  await tx
    .insert(insightLooks)
    .values({ companyId, operationId, lookedAt: now, missing })
    .onConflictDoUpdate({ target: [insightLooks.companyId, insightLooks.operationId], set: { lookedAt: now, missing } })
  for (const { name, row } of events) await recordInsightEvent(tx, of, name, row)
  return { found: events.filter(({ name }) => name === 'insight.found').length, closed: openInsights.size }
}

type ValuedFinding = { wh: number | null; numbers: FindingNumbers }

/** Rounds both parts before adding them, so that shown figures add up. */
function computePlantCents(wh: number, share: number, { local, surplus }: EnergyPrices): number | null {
  if (local === null || surplus === null) return null
  const shared = Math.round(wh * share)
  return computeEnergyCents(shared, local) + computeEnergyCents(wh - shared, surplus)
}

/** The value of a finding in cents at the day's prices; null when a price is unknown. */
function computeFindingCents({ wh, numbers }: ValuedFinding, prices: EnergyPrices): number | null {
  const { worth, facts } = numbers
  if (worth === 'own') return Number(facts.cents ?? 0)
  if (wh === null || worth === 'none') return null
  const { local, surplus, supplier } = prices
  if (worth === 'plant') return computePlantCents(wh, Number(facts.share ?? 0), prices)
  if (worth === 'gap')
    return local === null || surplus === null ? null : computeEnergyCents(wh, local) - computeEnergyCents(wh, surplus)
  const price = worth === 'local' ? local : supplier
  return price === null ? null : computeEnergyCents(wh, price)
}

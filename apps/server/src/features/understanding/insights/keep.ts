import { GROWN } from '@voisol/contract/insight-words'
import { and, desc, eq, gt, inArray, sql } from 'drizzle-orm'
import { record } from '../../../core/events.ts'
import type { Db } from '../../../db/client.ts'
import { insightLooks, insights } from '../../../db/schema/index.ts'
import type { Secrets } from '../../../secrets.ts'
import { today } from '../../../today.ts'
import type { Raw } from './numbers.ts'
import type { Known } from './prices.ts'
import { centsOf } from './worth.ts'

type Row = typeof insights.$inferSelect
type Of = { companyId: number; operationId: string; secrets: Secrets }

const keyOf = ({ rule, subjectId }: { rule: string; subjectId: string }) => `${rule} ${subjectId}`
export const sizeOf = ({ wh, numbers }: Raw) => wh ?? Math.abs(numbers.statistic)

const rowsOf = (db: Db, { companyId, operationId }: Of, states: string[]) =>
  db
    .select()
    .from(insights)
    .where(
      and(eq(insights.companyId, companyId), eq(insights.operationId, operationId), inArray(insights.state, states)),
    )

/** What was dismissed stays silent for its time, unless it has grown by half. */
async function silenced(tx: Db, of: Of): Promise<Map<string, number>> {
  const rows = await tx
    .select()
    .from(insights)
    .where(
      and(
        eq(insights.companyId, of.companyId),
        eq(insights.operationId, of.operationId),
        eq(insights.state, 'dismissed'),
        gt(insights.silentUntil, today()),
      ),
    )
    .orderBy(desc(insights.seenAt))
  const sizes = new Map<string, number>()
  for (const row of rows) sizes.set(keyOf(row), Math.max(row.size, sizes.get(keyOf(row)) ?? 0))
  return sizes
}

const valuesOf = (raw: Raw, prices: Known) => ({
  startsOn: raw.startsOn,
  endsOn: raw.endsOn,
  wh: raw.wh,
  cents: centsOf(raw, prices),
  confidence: raw.confidence,
  size: sizeOf(raw),
  numbers: raw.numbers,
})

async function tell(
  tx: Db,
  { companyId, operationId, secrets }: Of,
  name: 'insight.found' | 'insight.closed',
  row: Row,
) {
  const data = { insightId: row.id, operationId, rule: row.rule, cents: row.cents }
  await record(tx, { companyId, name, object: row.id, data, by: { job: 'insights.look', secrets } })
}

/** Lays what was found over what stands: new ones open, known ones follow, what is no longer found closes itself. */
export async function keepFindings(tx: Db, of: Of, found: Raw[], prices: Known, missing: string[]) {
  const now = new Date()
  const { companyId, operationId } = of
  const standing = new Map((await rowsOf(tx, of, ['open', 'accepted'])).map((row) => [keyOf(row), row]))
  const quiet = await silenced(tx, of)
  const told: { name: 'insight.found' | 'insight.closed'; row: Row }[] = []
  for (const raw of found) {
    const known = standing.get(keyOf(raw))
    standing.delete(keyOf(raw))
    const values = valuesOf(raw, prices)
    if (known) {
      const where = and(eq(insights.companyId, companyId), eq(insights.id, known.id))
      await tx
        .update(insights)
        .set({ ...values, seenAt: now })
        .where(where)
      continue
    }
    if (values.size < GROWN * (quiet.get(keyOf(raw)) ?? 0)) continue
    const { rule, subjectKind, subjectId } = raw
    const [row] = await tx
      .insert(insights)
      .values({ ...values, companyId, operationId, rule, subjectKind, subjectId, foundAt: now, seenAt: now })
      .returning()
    if (row) told.push({ name: 'insight.found', row })
  }
  for (const row of standing.values()) {
    const where = and(eq(insights.companyId, companyId), eq(insights.id, row.id))
    const set = { state: 'closed', closedAt: now, version: sql`${insights.version} + 1` }
    await tx.update(insights).set(set).where(where)
    told.push({ name: 'insight.closed', row })
  }
  await tx
    .insert(insightLooks)
    .values({ companyId, operationId, lookedAt: now, missing })
    .onConflictDoUpdate({ target: [insightLooks.companyId, insightLooks.operationId], set: { lookedAt: now, missing } })
  for (const { name, row } of told) await tell(tx, of, name, row)
  return { found: told.filter(({ name }) => name === 'insight.found').length, closed: standing.size }
}

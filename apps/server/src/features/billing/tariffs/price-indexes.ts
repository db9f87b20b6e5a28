import type { PriceIndex, PriceIndexDraft, PriceIndexUpdate, PriceIndexValueDraft } from '@voisol/contract/tariff-terms'
import { formatFrenchDay } from '@voisol/file-formats/french'
import { and, asc, desc, eq, ne, sql } from 'drizzle-orm'
import type { z } from 'zod'
import type { Db } from '../../../db/client.ts'
import { priceIndexes, priceIndexValues } from '../../../db/schema/index.ts'
import type { Actor } from '../../../http/actor.ts'
import { AppError, fieldError } from '../../../http/errors.ts'
import { requireCurrentVersion } from '../../../http/record-version.ts'

type IndexValueRow = typeof priceIndexValues.$inferSelect

/** Rows come latest first: the first one of each day is in force. */
function toIndexHistory(rows: IndexValueRow[]): PriceIndex['words'] {
  const seenDays = new Set<string>()
  return rows.map(({ startsOn, value, source, createdBy, createdAt }) => {
    const holds = !seenDays.has(startsOn)
    seenDays.add(startsOn)
    return { startsOn, value, source, createdBy, createdAt: createdAt.toISOString(), holds }
  })
}

/** The number of tariff versions that use each index. */
async function countTariffsByIndex(db: Db, companyId: number): Promise<Map<string, number>> {
  const { rows } = await db.execute<{ id: string; count: number }>(sql`
    select r->'index'->>'indexId' as id, count(distinct t.id)::int as count
      from tariffs t, jsonb_array_elements(t.rules) r
     where t.company_id = ${companyId} and r->'index' is not null group by 1`)
  return new Map(rows.map(({ id, count }) => [id, count]))
}

/** An index serves all operations of the company. */
const indexScope = (actor: Actor) => eq(priceIndexes.companyId, actor.companyId)

export async function listPriceIndexes(db: Db, actor: Actor): Promise<{ items: PriceIndex[] }> {
  const { companyId } = actor
  const rows = await db.select().from(priceIndexes).where(indexScope(actor)).orderBy(asc(priceIndexes.name))
  const values = await db
    .select()
    .from(priceIndexValues)
    .where(eq(priceIndexValues.companyId, companyId))
    .orderBy(desc(priceIndexValues.startsOn), desc(priceIndexValues.createdAt))
  const byIndex = Map.groupBy(values, ({ indexId }) => indexId)
  const tariffCounts = await countTariffsByIndex(db, companyId)
  return {
    items: rows.map(({ id, name, source, version }) => ({
      id,
      name,
      source,
      version,
      words: toIndexHistory(byIndex.get(id) ?? []),
      tariffs: tariffCounts.get(id) ?? 0,
    })),
  }
}

export async function loadPriceIndex(db: Db, actor: Actor, id: string): Promise<PriceIndex> {
  const found = (await listPriceIndexes(db, actor)).items.find((index) => index.id === id)
  if (!found) throw new AppError('not-found')
  return found
}

const whereIndex = (actor: Actor, id: string) => and(indexScope(actor), eq(priceIndexes.id, id))

/** Locked until the transaction ends, so that its values are recorded one after the other. */
async function lockPriceIndex(tx: Db, actor: Actor, id: string) {
  const [row] = await tx.select().from(priceIndexes).where(whereIndex(actor, id)).for('update')
  if (!row) throw new AppError('not-found')
  return row
}

async function requireFreeName(tx: Db, actor: Actor, name: string, id?: string) {
  const others = id === undefined ? undefined : ne(priceIndexes.id, id)
  const rows = await tx
    .select({ id: priceIndexes.id })
    .from(priceIndexes)
    .where(and(indexScope(actor), eq(priceIndexes.name, name), others))
  if (rows.length) throw fieldError('name', 'Un indice porte déjà ce nom\u00a0: choisissez-en un autre.', 'conflict')
}

export async function createPriceIndex(tx: Db, actor: Actor, input: z.output<typeof PriceIndexDraft>): Promise<string> {
  const { companyId } = actor
  await requireFreeName(tx, actor, input.name)
  const [row] = await tx
    .insert(priceIndexes)
    .values({ ...input, companyId })
    .onConflictDoNothing()
    .returning({ id: priceIndexes.id })
  // Somebody gave another index that name at the same moment.
  if (!row) throw fieldError('name', 'Un indice porte déjà ce nom\u00a0: choisissez-en un autre.', 'conflict')
  return row.id
}

export async function updatePriceIndex(tx: Db, actor: Actor, id: string, input: z.output<typeof PriceIndexUpdate>) {
  const before = await lockPriceIndex(tx, actor, id)
  requireCurrentVersion(before, input)
  await requireFreeName(tx, actor, input.name, id)
  await tx
    .update(priceIndexes)
    .set({ ...input, version: sql`${priceIndexes.version} + 1` })
    .where(whereIndex(actor, id))
  return before
}

/** An index can only be removed without values and without tariffs that use it. */
export async function removePriceIndex(tx: Db, actor: Actor, id: string) {
  const before = await lockPriceIndex(tx, actor, id)
  const { words, tariffs } = await loadPriceIndex(tx, actor, id)
  if (words.length || tariffs)
    throw new AppError('conflict', {
      message: 'Cet indice a des valeurs ou sert à un tarif\u00a0: il reste, pour que les prix passés se relisent.',
    })
  await tx.delete(priceIndexes).where(whereIndex(actor, id))
  return before
}

/**
 * Announces a value (null), publishes it, or revises it: always a new row, the last one of a day being in force.
 * Recording the same value again changes nothing.
 */
export async function recordIndexValue(
  tx: Db,
  actor: Actor,
  id: string,
  { startsOn, value, source }: z.output<typeof PriceIndexValueDraft>,
) {
  const index = await lockPriceIndex(tx, actor, id)
  const last = (await loadPriceIndex(tx, actor, id)).words.find((word) => word.holds && word.startsOn === startsOn)
  if (value === null && last && last.value !== null)
    throw fieldError(
      'value',
      `La valeur du ${formatFrenchDay(startsOn)} est déjà publiée\u00a0: révisez-la.`,
      'conflict',
    )
  if (last && last.value === value && last.source === source) return { index, before: last.value, said: false }
  const { companyId, email: createdBy } = actor
  // The clock time and not the transaction's start: a call that waited for the lock must come later.
  const createdAt = sql`clock_timestamp()`
  await tx.insert(priceIndexValues).values({ companyId, indexId: id, startsOn, value, source, createdBy, createdAt })
  return { index, before: last?.value, said: true }
}

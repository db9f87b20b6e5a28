import type { IndexValue } from '@voisol/money/index-price'
import { and, asc, eq } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import { priceIndexes, priceIndexValues } from '../../../db/schema/index.ts'

/** By index, its name and the latest value of each day. */
export type IndexTable = Map<string, { name: string; values: IndexValue[] }>

export async function loadIndexTable(db: Db, companyId: number): Promise<IndexTable> {
  const rows = await db
    .select({ id: priceIndexes.id, name: priceIndexes.name, word: priceIndexValues })
    .from(priceIndexes)
    .leftJoin(
      priceIndexValues,
      and(eq(priceIndexValues.companyId, priceIndexes.companyId), eq(priceIndexValues.indexId, priceIndexes.id)),
    )
    .where(eq(priceIndexes.companyId, companyId))
    .orderBy(asc(priceIndexValues.startsOn), asc(priceIndexValues.createdAt))
  const byIndex = Map.groupBy(rows, ({ id }) => id)
  return new Map([...byIndex].map(([id, own]) => [id, { name: own[0]?.name ?? '', values: toLatestValues(own) }]))
}

/** Rows come in the order they were recorded: a later value of a day replaces an earlier one. */
function toLatestValues(rows: { word: typeof priceIndexValues.$inferSelect | null }[]): IndexValue[] {
  const byDay = new Map<string, IndexValue>()
  for (const { word } of rows) if (word) byDay.set(word.startsOn, { from: word.startsOn, value: word.value })
  return [...byDay.values()]
}

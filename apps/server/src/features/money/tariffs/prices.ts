import { TariffRule } from '@voisol/contract/tariff-rule'
import type { Discount, Fee, MonthInput } from '@voisol/money/input'
import { and, asc, eq } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import { priceIndexValues, tariffDiscounts, tariffFees, tariffs } from '../../../db/schema/index.ts'

type Versions = MonthInput['tariffs']
type Indexation = NonNullable<Versions[number]['rules'][number]['index']>
export type Prices = {
  tariffs: Versions
  fees: Fee[]
  discounts: (Discount & { from: string; to: string | null })[]
  /** The version behind each of `tariffs`. */
  versions: { id: string; number: number; from: string }[]
  labels: Map<string, string>
}

/** All adopted prices of an operation as the rules of money take them; `producer` of a rule is a point of production. */
export async function pricesOf(db: Db, companyId: number, operationId: string): Promise<Prices> {
  const rows = await db
    .select()
    .from(tariffs)
    .where(and(eq(tariffs.companyId, companyId), eq(tariffs.operationId, operationId), eq(tariffs.status, 'adopted')))
    .orderBy(asc(tariffs.startsOn))
  const values = await indexValues(db, companyId)
  const versions = rows.map((row) => ({ ...row, rules: TariffRule.array().parse(row.rules) }))
  const fees = await db
    .select()
    .from(tariffFees)
    .where(and(eq(tariffFees.companyId, companyId), eq(tariffFees.operationId, operationId)))
    .orderBy(asc(tariffFees.createdAt))
  const discounts = await db
    .select()
    .from(tariffDiscounts)
    .where(and(eq(tariffDiscounts.companyId, companyId), eq(tariffDiscounts.operationId, operationId)))
    .orderBy(asc(tariffDiscounts.position))
  return {
    tariffs: versions.map(({ startsOn, rules }, at) => ({
      from: startsOn,
      to: versions[at + 1]?.startsOn ?? null,
      rules: rules.map((rule) => ruleOf(rule, values)),
    })),
    fees: fees.map(feeOf),
    discounts: discounts.map(discountOf),
    versions: versions.map(({ id, number, startsOn }) => ({ id, number, from: startsOn })),
    labels: new Map([
      ...versions.flatMap(({ rules }) => rules.map(({ id, label }): [string, string] => [id, label])),
      ...fees.map(({ id, label }): [string, string] => [id, label]),
      ...discounts.map(({ id, label }): [string, string] => [id, label]),
    ]),
  }
}

function ruleOf({ label: _, index, ...rule }: TariffRule, values: Map<string, Indexation['values']>) {
  if (!index) return rule
  const { indexId, ...terms } = index
  return { ...rule, index: { ...terms, values: values.get(indexId) ?? [] } }
}

/** By index, the last word on each day. */
async function indexValues(db: Db, companyId: number): Promise<Map<string, Indexation['values']>> {
  const rows = await db
    .select()
    .from(priceIndexValues)
    .where(eq(priceIndexValues.companyId, companyId))
    .orderBy(asc(priceIndexValues.startsOn), asc(priceIndexValues.createdAt))
  const byIndex = Map.groupBy(rows, ({ indexId }) => indexId)
  return new Map(
    [...byIndex].map(([id, own]) => [
      id,
      [...new Map(own.map(({ startsOn, value }) => [startsOn, { from: startsOn, value }])).values()],
    ]),
  )
}

const feeOf = (row: typeof tariffFees.$inferSelect): Fee => ({
  id: row.id,
  seller: row.sellerId,
  amount: row.amount,
  // The column holds only these.
  every: row.every as Fee['every'],
  from: row.startsOn,
  to: row.endsOn,
  perKva: row.perKva,
  outside: row.outside,
  ...(row.rate === null ? {} : { rate: row.rate }),
  ...(row.groupId === null ? {} : { group: row.groupId }),
})

function discountOf(row: typeof tariffDiscounts.$inferSelect): Prices['discounts'][number] {
  const { id, percentBp, amount, participantId, sellerId, startsOn: from, endsOn: to } = row
  const whom = {
    ...(participantId === null ? {} : { buyer: participantId }),
    ...(sellerId === null ? {} : { seller: sellerId }),
  }
  return percentBp === null ? { id, amount: amount ?? 0, ...whom, from, to } : { id, percentBp, ...whom, from, to }
}

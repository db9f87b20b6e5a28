import { TariffRule } from '@voisol/contract/tariff-terms'
import type { BillingDiscount, BillingFee, MonthInput } from '@voisol/money/input'
import type { IndexValue } from '@voisol/money/pricing-rules'
import { and, asc, eq } from 'drizzle-orm'
import { operationScope, withinOperationLimit } from '../../../core/access-scopes.ts'
import type { Db } from '../../../db/client.ts'
import {
  operations,
  priceIndexes,
  priceIndexValues,
  tariffDiscounts,
  tariffFees,
  tariffs,
} from '../../../db/schema/index.ts'
import type { Actor } from '../../../http/actor.ts'
import { AppError } from '../../../http/errors.ts'

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

type BillingTariffs = MonthInput['tariffs']
export type OperationPrices = {
  tariffs: BillingTariffs
  fees: BillingFee[]
  discounts: (BillingDiscount & { from: string; to: string | null })[]
  /** The version behind each of `tariffs`. */
  versions: { id: string; number: number; from: string }[]
  labels: Map<string, string>
}

type TariffRow = typeof tariffs.$inferSelect
export type TariffVersionRow = Omit<TariffRow, 'rules'> & { rules: TariffRule[] }

/** Every version of an operation, drafts included, by start day. */
export async function loadVersions(db: Db, companyId: number, operationId: string): Promise<TariffVersionRow[]> {
  const rows = await db
    .select()
    .from(tariffs)
    .where(and(eq(tariffs.companyId, companyId), eq(tariffs.operationId, operationId)))
    .orderBy(asc(tariffs.startsOn), asc(tariffs.number))
  return rows.map((row) => ({ ...row, rules: TariffRule.array().parse(row.rules) }))
}

export const isAdopted = ({ status }: { status: string }) => status === 'adopted'

/** Adopted versions in the billing rules' format: each applies until the next begins. */
const toBillingTariffs = (adopted: readonly TariffVersionRow[], indexes: IndexTable): BillingTariffs =>
  adopted.map(({ startsOn, rules }, at) => ({
    from: startsOn,
    to: adopted[at + 1]?.startsOn ?? null,
    rules: rules.map((rule) => toBillingRule(rule, indexes)),
  }))

export function toBillingRule(
  { label: _, index, ...rule }: TariffRule,
  indexes: IndexTable,
): BillingTariffs[number]['rules'][number] {
  if (!index) return rule
  const { indexId, ...terms } = index
  return { ...rule, index: { ...terms, values: indexes.get(indexId)?.values ?? [] } }
}

/** All adopted prices of an operation in the billing rules' format; `producer` of a rule is a production point. */
export async function loadOperationPrices(db: Db, companyId: number, operationId: string): Promise<OperationPrices> {
  const versions = (await loadVersions(db, companyId, operationId)).filter(isAdopted)
  return loadPricesOfVersions(db, companyId, operationId, versions)
}

/** The same as if one version, draft or adopted, applied on every day, for a simulation. */
export async function loadPricesUnderTariff(
  db: Db,
  companyId: number,
  operationId: string,
  tariffId: string,
): Promise<OperationPrices> {
  const version = (await loadVersions(db, companyId, operationId)).find(({ id }) => id === tariffId)
  if (!version) throw new AppError('not-found')
  return loadPricesOfVersions(db, companyId, operationId, [{ ...version, startsOn: '1900-01-01' }])
}

async function loadPricesOfVersions(
  db: Db,
  companyId: number,
  operationId: string,
  versions: TariffVersionRow[],
): Promise<OperationPrices> {
  const fees = await db
    .select()
    .from(tariffFees)
    .where(and(eq(tariffFees.companyId, companyId), eq(tariffFees.operationId, operationId)))
    .orderBy(asc(tariffFees.createdAt), asc(tariffFees.id))
  const discounts = await db
    .select()
    .from(tariffDiscounts)
    .where(and(eq(tariffDiscounts.companyId, companyId), eq(tariffDiscounts.operationId, operationId)))
    .orderBy(asc(tariffDiscounts.position), asc(tariffDiscounts.id))
  return {
    tariffs: toBillingTariffs(versions, await loadIndexTable(db, companyId)),
    fees: fees.map(toFee),
    discounts: discounts.map(toDiscount),
    versions: versions.map(({ id, number, startsOn }) => ({ id, number, from: startsOn })),
    labels: new Map([
      ...versions.flatMap(({ rules }) => rules.map(({ id, label }): [string, string] => [id, label])),
      ...fees.map(({ id, label }): [string, string] => [id, label]),
      ...discounts.map(({ id, label }): [string, string] => [id, label]),
    ]),
  }
}

const toFee = (row: typeof tariffFees.$inferSelect): BillingFee => ({
  id: row.id,
  seller: row.sellerId,
  amount: row.amount,
  // The column only stores these values.
  every: row.every as BillingFee['every'],
  from: row.startsOn,
  to: row.endsOn,
  perKva: row.perKva,
  outside: row.outside,
  ...(row.rate === null ? {} : { rate: row.rate }),
  ...(row.groupId === null ? {} : { group: row.groupId }),
})

function toDiscount(row: typeof tariffDiscounts.$inferSelect): OperationPrices['discounts'][number] {
  const { id, percentBp, amount, participantId, sellerId, startsOn: from, endsOn: to } = row
  const parties = {
    ...(participantId === null ? {} : { buyer: participantId }),
    ...(sellerId === null ? {} : { seller: sellerId }),
  }
  return percentBp === null
    ? { id, amount: amount ?? 0, ...parties, from, to }
    : { id, percentBp, ...parties, from, to }
}

/** From its first day until the next adopted version begins; for a draft, as if it were adopted. */
export function getTariffPeriod(
  { id, startsOn }: Pick<TariffVersionRow, 'id' | 'startsOn'>,
  all: readonly TariffVersionRow[],
) {
  const next = all.find((other) => isAdopted(other) && other.id !== id && other.startsOn > startsOn)
  return { from: startsOn, to: next?.startsOn ?? null }
}

type OperationTable = typeof tariffs | typeof tariffFees | typeof tariffDiscounts
const buildScope = (table: OperationTable) => (actor: Actor) =>
  and(eq(table.companyId, actor.companyId), withinOperationLimit(actor, table.operationId))

/** Rows of the actor's company, within the operations they are limited to. */
export const tariffScope = buildScope(tariffs)
export const feeScope = buildScope(tariffFees)
export const discountScope = buildScope(tariffDiscounts)

/** Locked until the transaction ends, so that price changes and closes of an operation run one after the other. */
export async function lockOperationForPrices(tx: Db, actor: Actor, id: string) {
  const [row] = await tx
    .select()
    .from(operations)
    .where(and(operationScope(actor), eq(operations.id, id)))
    .for('no key update')
  if (!row) throw new AppError('not-found')
  return row
}

import { TariffRule } from '@voisol/contract/tariff-rule'
import type { BillingDiscount, BillingFee, MonthInput } from '@voisol/money/input'
import { and, asc, eq } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import { tariffDiscounts, tariffFees, tariffs } from '../../../db/schema/index.ts'
import { AppError } from '../../../http/errors.ts'
import { type IndexTable, loadIndexTable } from './index-table.ts'

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
export const toBillingTariffs = (adopted: readonly TariffVersionRow[], indexes: IndexTable): BillingTariffs =>
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

import { TariffRule } from '@voisol/contract/tariff-rule'
import type { MonthInput } from '@voisol/money/input'
import { and, asc, eq } from 'drizzle-orm'
import type { Period } from '../../../core/spans.ts'
import type { Db } from '../../../db/client.ts'
import { priceIndexValues, tariffs } from '../../../db/schema/index.ts'
import { AppError } from '../../../http/errors.ts'

type Asked = { companyId: number; operationId: string; id: string }
type Version = MonthInput['tariffs'][number]

/** A version of the prices as if it held over the whole month, whatever its first day and whether it is adopted. */
export async function draftTariff(
  db: Db,
  { companyId, operationId, id }: Asked,
  { from, to }: Period,
): Promise<Version> {
  const [row] = await db
    .select()
    .from(tariffs)
    .where(and(eq(tariffs.companyId, companyId), eq(tariffs.operationId, operationId), eq(tariffs.id, id)))
  if (!row) throw new AppError('not-found')
  const values = await db
    .select()
    .from(priceIndexValues)
    .where(eq(priceIndexValues.companyId, companyId))
    .orderBy(asc(priceIndexValues.startsOn), asc(priceIndexValues.createdAt))
  const rules = TariffRule.array()
    .parse(row.rules)
    .map(({ label: _, index, ...rule }) => {
      if (!index) return rule
      const { indexId, ...terms } = index
      const own = values.filter((value) => value.indexId === indexId)
      const last = new Map(own.map(({ startsOn, value }) => [startsOn, { from: startsOn, value }]))
      return { ...rule, index: { ...terms, values: [...last.values()] } }
    })
  return { from, to, rules }
}

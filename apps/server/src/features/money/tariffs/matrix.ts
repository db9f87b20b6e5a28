import type { PriceCell, PriceMatrix } from '@voisol/contract/price-matrix'
import type { TariffRule } from '@voisol/contract/tariff-rule'
import { computeIndexedPrice } from '@voisol/money/index-price'
import { findPricingRule, findVersionOn, getIndexValueOn, type Sale } from '@voisol/money/rules'
import { quoteText } from '../../../french.ts'
import type { IndexTable } from './index-table.ts'
import { buildMatrixAxes, type Market } from './market.ts'
import { toBillingRule } from './prices.ts'
import { formatIndexComputation } from './words.ts'

/** A version in force: its rules, and its period. */
export type EffectiveTariff = {
  id: string | null
  number: number | null
  from: string
  to: string | null
  rules: TariffRule[]
}

const buildMissingPrice = (missing: string, more: Partial<PriceCell> = {}): PriceCell => ({
  price: null,
  rule: null,
  label: '',
  computation: '',
  ...more,
  missing,
})

/** The price of a rule on a day, with its index applied. */
export function computePriceCell(rule: TariffRule, indexes: IndexTable, day: string): PriceCell {
  const { id, price, label, index } = rule
  const ruleFields = { rule: id, label }
  if (!index) return { ...ruleFields, price, computation: '', missing: '' }
  const { indexId, ...terms } = index
  const { name, values } = indexes.get(indexId) ?? { name: '', values: [] }
  const value = getIndexValueOn({ base: terms.base, values }, day, false)
  if (value === undefined)
    return buildMissingPrice(`L’indice ${quoteText(name)} n’a pas de valeur ce jour-là.`, ruleFields)
  if (value === null) return buildMissingPrice(`L’indice ${quoteText(name)} n’est pas encore publié.`, ruleFields)
  const steps = formatIndexComputation(price, value, terms)
  // The contract's schema omits absent fields.
  const indexTerms = terms as Parameters<typeof computeIndexedPrice>[2]
  return { ...ruleFields, price: computeIndexedPrice(price, value, indexTerms), computation: steps, missing: '' }
}

const toSale = ({ kind, id }: PriceMatrix['rows'][number], { groupOf }: Market): Pick<Sale, 'buyer' | 'group'> =>
  kind === 'buyer'
    ? { buyer: id ?? '', group: groupOf.get(id ?? '') ?? undefined }
    : { buyer: '', group: kind === 'group' ? (id ?? undefined) : undefined }

/** Who pays what on a day, under the version in force. */
export function buildPriceMatrix(
  versions: readonly EffectiveTariff[],
  market: Market,
  indexes: IndexTable,
  day: string,
): PriceMatrix {
  const version = findVersionOn(versions, day)
  const axes = buildMatrixAxes(market, version?.rules ?? [], day)
  const rules = version?.rules.map((rule) => toBillingRule(rule, indexes)) ?? []
  const own = new Map(version?.rules.map((rule) => [rule.id, rule]))
  const prices = new Map([...own.values()].map((rule) => [rule.id, computePriceCell(rule, indexes, day)]))
  const buildCell = (row: PriceMatrix['rows'][number], column: PriceMatrix['columns'][number]): PriceCell => {
    if (!version) return buildMissingPrice('Aucun tarif adopté n’est en vigueur ce jour-là.')
    const sale = { ...toSale(row, market), producer: column.producerId, class: column.class }
    const rule = findPricingRule(rules, sale)
    return (rule && prices.get(rule.id)) ?? buildMissingPrice('Aucune règle ne donne ce prix.')
  }
  return {
    day,
    tariffId: version?.id ?? null,
    number: version?.number ?? null,
    ...axes,
    cells: axes.rows.map((row) => axes.columns.map((column) => buildCell(row, column))),
  }
}

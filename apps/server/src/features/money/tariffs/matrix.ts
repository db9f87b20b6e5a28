import type { PriceCell, PriceMatrix } from '@voisol/contract/price-matrix'
import type { TariffRule } from '@voisol/contract/tariff-rule'
import { indexedPrice } from '@voisol/money/index-price'
import { indexOn, inForce, ruleFor, type Sale } from '@voisol/money/rules'
import { quoted } from '../../../french.ts'
import type { IndexTable } from './index-table.ts'
import { axesOf, type Market } from './market.ts'
import { ruleOf } from './prices.ts'
import { computationWords } from './words.ts'

/** A version as it holds: its own rules, and from when to when. */
export type Held = { id: string | null; number: number | null; from: string; to: string | null; rules: TariffRule[] }

const nothing = (missing: string, more: Partial<PriceCell> = {}): PriceCell => ({
  price: null,
  rule: null,
  label: '',
  computation: '',
  ...more,
  missing,
})

/** What the rule asks on a day: its price, or that which the index makes of it. */
export function priced(rule: TariffRule, indexes: IndexTable, day: string): PriceCell {
  const { id, price, label, index } = rule
  const found = { rule: id, label }
  if (!index) return { ...found, price, computation: '', missing: '' }
  const { indexId, ...terms } = index
  const { name, values } = indexes.get(indexId) ?? { name: '', values: [] }
  const value = indexOn({ base: terms.base, values }, day, false)
  if (value === undefined) return nothing(`L’indice ${quoted(name)} n’a pas de valeur ce jour-là.`, found)
  if (value === null) return nothing(`L’indice ${quoted(name)} n’est pas encore publié.`, found)
  const steps = computationWords(price, value, terms)
  // The contract's schema leaves absent what it does not have.
  const held = terms as Parameters<typeof indexedPrice>[2]
  return { ...found, price: indexedPrice(price, value, held), computation: steps, missing: '' }
}

const saleOf = ({ kind, id }: PriceMatrix['rows'][number], { groupOf }: Market): Pick<Sale, 'buyer' | 'group'> =>
  kind === 'buyer'
    ? { buyer: id ?? '', group: groupOf.get(id ?? '') ?? undefined }
    : { buyer: '', group: kind === 'group' ? (id ?? undefined) : undefined }

/** Who pays what on a day, under the version that holds then. */
export function matrixOf(versions: readonly Held[], market: Market, indexes: IndexTable, day: string): PriceMatrix {
  const version = inForce(versions, day)
  const axes = axesOf(market, version?.rules ?? [], day)
  const rules = version?.rules.map((rule) => ruleOf(rule, indexes)) ?? []
  const own = new Map(version?.rules.map((rule) => [rule.id, rule]))
  const prices = new Map([...own.values()].map((rule) => [rule.id, priced(rule, indexes, day)]))
  const cellOf = (row: PriceMatrix['rows'][number], column: PriceMatrix['columns'][number]): PriceCell => {
    if (!version) return nothing('Aucun tarif adopté n’est en vigueur ce jour-là.')
    const sale = { ...saleOf(row, market), producer: column.producerId, class: column.class }
    const rule = ruleFor(rules, sale)
    return (rule && prices.get(rule.id)) ?? nothing('Aucune règle ne donne ce prix.')
  }
  return {
    day,
    tariffId: version?.id ?? null,
    number: version?.number ?? null,
    ...axes,
    cells: axes.rows.map((row) => axes.columns.map((column) => cellOf(row, column))),
  }
}

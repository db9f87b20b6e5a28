import { formatDwellingName } from '@voisol/contract/points'
import type { PriceCell, PriceMatrix, TariffRule } from '@voisol/contract/tariff-terms'
import { TIME_CLASSES, type TimeCalendar, type TimeClass } from '@voisol/energy/time-classes'
import { quoteText } from '@voisol/file-formats/french'
import {
  computeIndexedPrice,
  findPricingRule,
  findVersionOn,
  getIndexValueOn,
  type Sale,
} from '@voisol/money/pricing-rules'
import { and, asc, eq } from 'drizzle-orm'
import { listOperationMembers, type OpenPeriod, type OperationMember } from '../../../core/operation-members.ts'
import type { Db } from '../../../db/client.ts'
import { buyerGroups, operations } from '../../../db/schema/index.ts'
import { loadBuyers } from '../parties/index.ts'
import { type IndexTable, toBillingRule } from './operation-prices.ts'

const padTwo = (value: number) => String(value).padStart(2, '0')
/** In c€ with two decimals, from the integer: 1 543 is « 15,43 c€ ». */
const formatPriceCents = (price: number) => `${Math.floor(price / 100)},${padTwo(price % 100)}\u00a0c€`
export const formatPricePerKwh = (price: number) => `${formatPriceCents(price)}/kWh`

/** A price outside this range is probably in the wrong unit: it gets a warning and is not refused. */
export const USUAL_PRICE_RANGE = { least: 200, most: 4000 }

const toDecimalComma = (text: string) => text.replace('.', ',')
/** A share in 1/100 %, as a decimal without trailing zeros: 2 000 is « 0,2 ». */
function formatShare(basisPoints: number): string {
  const digits = String(basisPoints).padStart(5, '0')
  const decimals = digits.slice(-4).replace(/0+$/, '')
  return `${digits.slice(0, -4)}${decimals && `,${decimals}`}`
}

type IndexTerms = { base: string; fixedBp?: number | undefined; floor?: number | undefined; cap?: number | undefined }

/** « 15,43 c€ × (0,2 + 0,8 × 121,37 / 118,02) = 15,78 c€ », with its floor or cap if applied. */
export function formatIndexComputation(
  p0: number,
  value: string,
  { base, fixedBp = 0, floor, cap }: IndexTerms,
): string {
  const ratio = `${toDecimalComma(value)} / ${toDecimalComma(base)}`
  const factor = fixedBp === 0 ? ratio : `(${formatShare(fixedBp)} + ${formatShare(10_000 - fixedBp)} × ${ratio})`
  const free = computeIndexedPrice(p0, value, { base, fixedBp })
  const sum = `${formatPriceCents(p0)} × ${factor} = ${formatPriceCents(free)}`
  if (cap !== undefined && Math.max(free, floor ?? free) > cap) return `${sum}, plafonné à ${formatPriceCents(cap)}`
  if (floor !== undefined && free < floor) return `${sum}, relevé au plancher de ${formatPriceCents(floor)}`
  return sum
}

/** Who may buy from whom in an operation over a period. */
export type Market = {
  members: OperationMember[]
  /** The group of each buyer; null without one. */
  groupOf: Map<string, string | null>
  groups: Map<string, string>
  classes: TimeClass[]
}

/** The time classes of a calendar: the peak class only if it is enabled. */
const listTimeClasses = ({ peak }: TimeCalendar) => TIME_CLASSES.filter((name) => peak || name !== 'P')

export async function loadMarket(db: Db, companyId: number, operationId: string, range: OpenPeriod): Promise<Market> {
  const [operation] = await db
    .select({ calendar: operations.timeCalendar })
    .from(operations)
    .where(and(eq(operations.companyId, companyId), eq(operations.id, operationId)))
  const members = (await listOperationMembers(db, companyId, operationId, range)).filter(({ storage }) => !storage)
  const buyers = await loadBuyers(db, companyId, [...new Set(members.map(({ holderId }) => holderId))])
  const groups = await db
    .select({ id: buyerGroups.id, name: buyerGroups.name })
    .from(buyerGroups)
    .where(eq(buyerGroups.companyId, companyId))
    .orderBy(asc(buyerGroups.name))
  return {
    members,
    groupOf: new Map([...buyers].map(([id, { groupId }]) => [id, groupId])),
    groups: new Map(groups.map(({ id, name }) => [id, name])),
    // Written by the contract's schema.
    classes: listTimeClasses((operation?.calendar ?? { offPeak: [], peak: true }) as TimeCalendar),
  }
}

const listMembersOn = (members: OperationMember[], direction: OperationMember['direction'], day: string) =>
  members.filter(
    (member) =>
      member.direction === direction && member.startsOn <= day && (member.endsOn === null || day < member.endsOn),
  )

type Axes = Pick<PriceMatrix, 'rows' | 'columns'>
type MatrixRow = Axes['rows'][number]

/** Buyers that no rule names pay as their group does, and share one row. */
function buildMatrixRows({ members, groupOf, groups }: Market, rules: readonly TariffRule[], day: string): MatrixRow[] {
  const buyers = new Map(listMembersOn(members, 'consumption', day).map(({ holderId, holder }) => [holderId, holder]))
  const namedBuyerIds = new Set(rules.flatMap(({ buyer }) => buyer ?? []))
  const unnamedByGroup = Map.groupBy(
    [...buyers.keys()].filter((id) => !namedBuyerIds.has(id)),
    (id) => groupOf.get(id) ?? null,
  )
  const namedGroupIds = new Set(rules.flatMap(({ group }) => group ?? []))
  const own = [...buyers].filter(([id]) => namedBuyerIds.has(id))
  const groupRows = [...groups].filter(([id]) => namedGroupIds.has(id) || unnamedByGroup.has(id))
  const others = unnamedByGroup.get(null)?.length ?? 0
  const first = own.length + groupRows.length === 0
  return [
    ...(others || first
      ? [
          {
            kind: 'others' as const,
            id: null,
            name: first ? 'Tous les acheteurs' : 'Tous les autres acheteurs',
            buyers: others,
          },
        ]
      : []),
    ...groupRows.map(
      ([id, name]): MatrixRow => ({ kind: 'group', id, name, buyers: unnamedByGroup.get(id)?.length ?? 0 }),
    ),
    ...own
      .map(([id, name]): MatrixRow => ({ kind: 'buyer', id, name, buyers: 1 }))
      .sort((a, b) => a.name.localeCompare(b.name, 'fr')),
  ]
}

function buildMatrixAxes(market: Market, rules: readonly TariffRule[], day: string): Axes {
  const producers = new Map(
    listMembersOn(market.members, 'production', day).map(({ pointId, label, holder }) => [
      pointId,
      formatDwellingName(label, holder),
    ]),
  )
  return {
    rows: buildMatrixRows(market, rules, day),
    columns: [...producers].flatMap(([producerId, producer]) =>
      market.classes.map((name) => ({ producerId, producer, class: name })),
    ),
  }
}

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

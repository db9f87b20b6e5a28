import type { PriceMatrix } from '@voisol/contract/tariff-terms'
import { formatFrenchDay } from '@voisol/file-formats/french'
import { addDays, type Period } from '@voisol/money/days'
import type { Db } from '../../../db/client.ts'
import { loadOperationTerms } from '../parties/index.ts'
import { loadIndexTable, loadVersions } from './operation-prices.ts'
import { buildPriceMatrix, type EffectiveTariff, loadMarket, type Market } from './price-matrix.ts'
import { findPriceDoubts } from './tariff-problems.ts'
import { toEffectiveTariffs } from './tariff-versions.ts'

/** An item of a month's checklist. */
export type PriceIssue = {
  code: 'noTariff' | 'noRule' | 'indexMissing' | 'priceDoubt'
  level: 'blocking' | 'warning'
  sentence: string
  href: string
}
type PricedPeriod = Period & { matrix: PriceMatrix }

/** Splits the period wherever a version, an index value or a participation begins or ends. */
function cutPeriod(period: Period, days: (string | null)[]): Period[] {
  const inside = (day: string | null): day is string => day !== null && day > period.from && day < period.to
  const starts = [period.from, ...[...new Set(days.filter(inside))].sort()]
  return starts.map((from, at) => ({ from, to: starts[at + 1] ?? period.to }))
}

async function loadPricedPeriods(db: Db, companyId: number, operationId: string, period: Period) {
  const effectiveTariffs = toEffectiveTariffs(await loadVersions(db, companyId, operationId))
  const indexes = await loadIndexTable(db, companyId)
  const market: Market = await loadMarket(db, companyId, operationId, period)
  const cuts = [
    ...effectiveTariffs.map(({ from }) => from),
    ...[...indexes.values()].flatMap(({ values }) => values.map(({ from }) => from)),
    ...market.members.flatMap(({ startsOn, endsOn }) => [startsOn, endsOn]),
  ]
  const pricedPeriods = cutPeriod(period, cuts).map((days) => ({
    ...days,
    matrix: buildPriceMatrix(effectiveTariffs, market, indexes, days.from),
  }))
  // Days without sellers or without buyers need no price.
  const periodsWithSales = pricedPeriods.filter(
    ({ matrix }) => matrix.columns.length && matrix.rows.some(({ buyers }) => buyers > 0),
  )
  return { held: effectiveTariffs, stretches: periodsWithSales }
}

/** Joins adjacent periods. */
function joinAdjacentPeriods(periods: readonly Period[]): Period[] {
  const all: { from: string; to: string }[] = []
  for (const { from, to } of periods) {
    const last = all.at(-1)
    if (last?.to === from) last.to = to
    else all.push({ from, to })
  }
  return all
}
const formatDayRange = ({ from, to }: Period) => {
  const last = addDays(to, -1)
  return from === last ? `le ${formatFrenchDay(from)}` : `du ${formatFrenchDay(from)} au ${formatFrenchDay(last)}`
}

const listCellsWithBuyers = ({ rows, columns, cells }: PriceMatrix) =>
  rows.flatMap((row, at) =>
    row.buyers === 0
      ? []
      : columns.flatMap((column, place) => {
          const cell = cells[at]?.[place]
          return cell ? [{ row, column, cell }] : []
        }),
  )

/** Groups periods by message: one sentence for all its days. */
function groupPeriodsByMessage(
  periods: readonly PricedPeriod[],
  describe: (period: PricedPeriod) => string[],
): [string, Period[]][] {
  const periodsByMessage = new Map<string, Period[]>()
  for (const period of periods)
    for (const text of new Set(describe(period)))
      periodsByMessage.set(text, [...(periodsByMessage.get(text) ?? []), period])
  return [...periodsByMessage].map(([text, days]) => [text, joinAdjacentPeriods(days)])
}

const buildDoubtFinder =
  (effectiveTariffs: readonly EffectiveTariff[], bounds: Parameters<typeof findPriceDoubts>[2]) =>
  (period: PricedPeriod) =>
    listCellsWithBuyers(period.matrix).flatMap(({ cell }) => {
      const version = effectiveTariffs.find(({ id }) => id === period.matrix.tariffId)
      const rule = version?.rules.find(({ id }) => id === cell.rule)
      return rule && cell.price !== null ? findPriceDoubts(rule, cell.price, bounds) : []
    })

const formatRowName = ({ kind, name }: PriceMatrix['rows'][number]) => (kind === 'others' ? name.toLowerCase() : name)

const describeUnpricedCells = ({ matrix }: PricedPeriod) =>
  matrix.tariffId === null
    ? []
    : listCellsWithBuyers(matrix)
        .filter(({ cell }) => cell.rule === null)
        .map(
          ({ row, column }) =>
            `Aucune règle ne donne de prix à ${formatRowName(row)} pour l’énergie de ${column.producer}`,
        )

const describeMissingIndexes = ({ matrix }: PricedPeriod) =>
  listCellsWithBuyers(matrix)
    .filter(({ cell }) => cell.rule !== null && cell.price === null)
    .map(({ cell }) => cell.missing)

/** Price issues that block a month, and those to check before closing it. */
export async function loadPriceIssues(
  db: Db,
  companyId: number,
  operationId: string,
  period: Period,
): Promise<PriceIssue[]> {
  const { held: effectiveTariffs, stretches: pricedPeriods } = await loadPricedPeriods(
    db,
    companyId,
    operationId,
    period,
  )
  const bounds = await loadOperationTerms(db, companyId, operationId)
  const href = (tab: string) => `/advanced-billing?tab=${tab}&operation=${operationId}`
  const blocking = (code: PriceIssue['code'], sentence: string, tab = 'tarifs'): PriceIssue => ({
    code,
    level: 'blocking',
    sentence,
    href: href(tab),
  })
  const withDays = (text: string, days: Period[]) =>
    `${text.replace(/\.$/, '')}, ${days.map(formatDayRange).join(', ')}.`
  return [
    ...joinAdjacentPeriods(pricedPeriods.filter(({ matrix }) => matrix.tariffId === null)).map((days) =>
      blocking('noTariff', `Aucun tarif adopté ${formatDayRange(days)}.`),
    ),
    ...groupPeriodsByMessage(pricedPeriods, describeUnpricedCells).map(([text, days]) =>
      blocking('noRule', withDays(text, days)),
    ),
    ...groupPeriodsByMessage(pricedPeriods, describeMissingIndexes).map(([text, days]) =>
      blocking('indexMissing', withDays(text, days), 'indices'),
    ),
    ...groupPeriodsByMessage(pricedPeriods, buildDoubtFinder(effectiveTariffs, bounds)).map(
      ([text, days]): PriceIssue => ({
        code: 'priceDoubt',
        level: 'warning',
        sentence: withDays(text, days),
        href: href('tarifs'),
      }),
    ),
  ]
}

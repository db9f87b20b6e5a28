import type { PriceMatrix } from '@voisol/contract/price-matrix'
import { addDays, type Period } from '@voisol/money/days'
import type { Db } from '../../../db/client.ts'
import { frenchDay } from '../../../french.ts'
import { termsOf } from '../parties/parties.ts'
import { indexTable } from './index-table.ts'
import { type Market, marketOf } from './market.ts'
import { type Held, matrixOf } from './matrix.ts'
import { loadVersions } from './prices.ts'
import { priceDoubts } from './problems.ts'
import { heldOf } from './view.ts'

/** A line of the checklist of a month. */
export type PriceIssue = {
  code: 'noTariff' | 'noRule' | 'indexMissing' | 'priceDoubt'
  level: 'blocking' | 'warning'
  sentence: string
  href: string
}
type Stretch = Period & { matrix: PriceMatrix }

/** The period cut wherever a version, a value of an index or a stay begins or ends. */
function boundsOf(period: Period, days: (string | null)[]): Period[] {
  const inside = (day: string | null): day is string => day !== null && day > period.from && day < period.to
  const starts = [period.from, ...[...new Set(days.filter(inside))].sort()]
  return starts.map((from, at) => ({ from, to: starts[at + 1] ?? period.to }))
}

async function stretchesOf(db: Db, companyId: number, operationId: string, period: Period) {
  const held = heldOf(await loadVersions(db, companyId, operationId))
  const indexes = await indexTable(db, companyId)
  const market: Market = await marketOf(db, companyId, operationId, period)
  const cuts = [
    ...held.map(({ from }) => from),
    ...[...indexes.values()].flatMap(({ values }) => values.map(({ from }) => from)),
    ...market.members.flatMap(({ startsOn, endsOn }) => [startsOn, endsOn]),
  ]
  const stretches = boundsOf(period, cuts).map((days) => ({
    ...days,
    matrix: matrixOf(held, market, indexes, days.from),
  }))
  // Days on which nobody sells or nobody buys ask for no price.
  const busy = stretches.filter(({ matrix }) => matrix.columns.length && matrix.rows.some(({ buyers }) => buyers > 0))
  return { held, stretches: busy }
}

/** Stretches that follow one another are told as one. */
function joined(stretches: readonly Period[]): Period[] {
  const all: { from: string; to: string }[] = []
  for (const { from, to } of stretches) {
    const last = all.at(-1)
    if (last?.to === from) last.to = to
    else all.push({ from, to })
  }
  return all
}
const daysWords = ({ from, to }: Period) => {
  const last = addDays(to, -1)
  return from === last ? `le ${frenchDay(from)}` : `du ${frenchDay(from)} au ${frenchDay(last)}`
}

const cellsOf = ({ rows, columns, cells }: PriceMatrix) =>
  rows.flatMap((row, at) =>
    row.buyers === 0
      ? []
      : columns.flatMap((column, place) => {
          const cell = cells[at]?.[place]
          return cell ? [{ row, column, cell }] : []
        }),
  )

/** By what is said, when: one sentence for all the days on which it is so. */
function byWords(stretches: readonly Stretch[], words: (stretch: Stretch) => string[]): [string, Period[]][] {
  const found = new Map<string, Period[]>()
  for (const stretch of stretches)
    for (const text of new Set(words(stretch))) found.set(text, [...(found.get(text) ?? []), stretch])
  return [...found].map(([text, days]) => [text, joined(days)])
}

const doubtsOf = (held: readonly Held[], bounds: Parameters<typeof priceDoubts>[2]) => (stretch: Stretch) =>
  cellsOf(stretch.matrix).flatMap(({ cell }) => {
    const version = held.find(({ id }) => id === stretch.matrix.tariffId)
    const rule = version?.rules.find(({ id }) => id === cell.rule)
    return rule && cell.price !== null ? priceDoubts(rule, cell.price, bounds) : []
  })

const nameOf = ({ kind, name }: PriceMatrix['rows'][number]) => (kind === 'others' ? name.toLowerCase() : name)

const bareOf = ({ matrix }: Stretch) =>
  matrix.tariffId === null
    ? []
    : cellsOf(matrix)
        .filter(({ cell }) => cell.rule === null)
        .map(({ row, column }) => `Aucune règle ne donne de prix à ${nameOf(row)} pour l’énergie de ${column.producer}`)

const unpublished = ({ matrix }: Stretch) =>
  cellsOf(matrix)
    .filter(({ cell }) => cell.rule !== null && cell.price === null)
    .map(({ cell }) => cell.missing)

/** What of its prices stands in the way of a month, and what deserves a look before it is closed. */
export async function priceIssues(
  db: Db,
  companyId: number,
  operationId: string,
  period: Period,
): Promise<PriceIssue[]> {
  const { held, stretches } = await stretchesOf(db, companyId, operationId, period)
  const bounds = await termsOf(db, companyId, operationId)
  const href = (tab: string) => `/advanced-billing?tab=${tab}&operation=${operationId}`
  const blocking = (code: PriceIssue['code'], sentence: string, tab = 'tarifs'): PriceIssue => ({
    code,
    level: 'blocking',
    sentence,
    href: href(tab),
  })
  const when = (text: string, days: Period[]) => `${text.replace(/\.$/, '')}, ${days.map(daysWords).join(', ')}.`
  return [
    ...joined(stretches.filter(({ matrix }) => matrix.tariffId === null)).map((days) =>
      blocking('noTariff', `Aucun tarif adopté ${daysWords(days)}.`),
    ),
    ...byWords(stretches, bareOf).map(([text, days]) => blocking('noRule', when(text, days))),
    ...byWords(stretches, unpublished).map(([text, days]) => blocking('indexMissing', when(text, days), 'indices')),
    ...byWords(stretches, doubtsOf(held, bounds)).map(
      ([text, days]): PriceIssue => ({
        code: 'priceDoubt',
        level: 'warning',
        sentence: when(text, days),
        href: href('tarifs'),
      }),
    ),
  ]
}

import type { MonthDifference, MonthSums, MonthTotals } from '@voisol/contract/billing-documents'
import { daysBetween, getMonthPeriod, intersectPeriods, type Period, type ValidityPeriod } from '@voisol/money/days'
import { type AmountDifference, type DocumentFacts, explainDifference } from '@voisol/money/difference'
import { type BillingDocument, getDocumentKey } from '@voisol/money/document'
import type { MonthResult } from './stored-months.ts'

const sum = (figures: number[]) => figures.reduce((all, figure) => all + figure, 0)
const sumKnownDays = (drawn: (number | null)[]) => sum(drawn.map((day) => day ?? 0))

/** Days of the month on which a member takes part. */
function countDaysPresent(stay: ValidityPeriod, period: Period): number {
  const own = intersectPeriods(period, stay)
  return own ? daysBetween(own.from, own.to) : 0
}

export const sumEnergyWh = ({ lines }: BillingDocument) =>
  sum(lines.map((line) => (line.kind === 'energy' ? line.wh : 0)))

export type Amount = { wh: number; net: number; gross: number }

/** What each buyer owes over all its documents; a buyer with several meters has one line, as on its invoices. */
export function sumAmountsByBuyer(documents: readonly BillingDocument[]): Map<string, Amount> {
  const sums = new Map<string, Amount>()
  for (const document of documents) {
    const { buyer, totals } = document
    const old = sums.get(buyer) ?? { wh: 0, net: 0, gross: 0 }
    sums.set(buyer, { wh: old.wh + sumEnergyWh(document), net: old.net + totals.net, gross: old.gross + totals.gross })
  }
  return sums
}

/** The facts behind each document, by its key: days, sunshine, consumption, energy and cents. */
export function collectDocumentFacts({ input, frame, outcome }: MonthResult): Map<string, DocumentFacts> {
  const period = getMonthPeriod(input.month)
  const allUsed = sum(frame.members.map(({ drawn }) => sumKnownDays(drawn)))
  const buyers = Map.groupBy(frame.members, ({ buyer }) => buyer)
  const sellers = Map.groupBy(frame.producers, ({ seller }) => seller)
  return new Map(
    outcome.documents.map((document) => {
      const own = buyers.get(document.buyer) ?? []
      const energy = document.lines.filter(({ kind }) => kind === 'energy')
      const energyNet = sum(energy.map(({ net }) => net))
      const facts = {
        days: sum(own.map((stay) => countDaysPresent(stay, period))),
        monthDays: frame.days,
        shared: sum((sellers.get(document.seller) ?? []).map(({ shared }) => shared)),
        used: sum(own.map(({ drawn }) => sumKnownDays(drawn))),
        allUsed,
        wh: sumEnergyWh(document),
        energyNet,
        otherNet: document.totals.net - energyNet,
      }
      return [getDocumentKey(document), facts]
    }),
  )
}

const NO_DIFFERENCE: MonthDifference = { days: 0, sun: 0, use: 0, key: 0, price: 0, other: 0 }
const addDifferences = (a: MonthDifference, b: AmountDifference): MonthDifference => ({
  days: a.days + b.days,
  sun: a.sun + b.sun,
  use: a.use + b.use,
  key: a.key + b.key,
  price: a.price + b.price,
  other: a.other + b.other,
})

/**
 * Explains the difference by document and in total, including documents that disappeared; the causes add up to the
 * change in the net amount.
 */
export function compareMonths(before: Map<string, DocumentFacts>, now: Map<string, DocumentFacts>) {
  const names = [...new Set([...before.keys(), ...now.keys()])]
  const byDocument = new Map(names.map((name) => [name, explainDifference(before.get(name), now.get(name))]))
  return { byDocument, whole: [...byDocument.values()].reduce(addDifferences, NO_DIFFERENCE) }
}

export const computeMonthTotals = ({ outcome, input }: Pick<MonthResult, 'outcome' | 'input'>): MonthTotals => ({
  documents: outcome.documents.length,
  members: outcome.units.filter(([, units]) => units > 0).length,
  wh: outcome.totalUnits * input.resolutionWh,
  net: sum(outcome.documents.map(({ totals }) => totals.net)),
  tax: sum(outcome.documents.map(({ totals }) => totals.tax)),
  gross: sum(outcome.documents.map(({ totals }) => totals.gross)),
})

/**
 * Totals that must agree, each counted independently, and the distributor's quantities beside ours for the same meters.
 */
export function computeControlTotals({ input, outcome }: Pick<MonthResult, 'input' | 'outcome'>): MonthSums {
  const theirs = new Set(outcome.sources.filter(([, source]) => source === 'distributor').map(([prm]) => prm))
  const prms = new Map(input.members.map(({ id, prm }) => [id, prm]))
  const cells = input.cells.map(({ member, wattMinutes }) => ({
    billed: theirs.has(prms.get(member) ?? ''),
    energy: sum(Array.from(wattMinutes)),
  }))
  const ours = (billed: boolean) =>
    Math.round(sum(cells.filter((cell) => cell.billed === billed).map(({ energy }) => energy)) / 60)
  return {
    linesWh: sum(outcome.documents.map(sumEnergyWh)),
    membersWh: sum(outcome.units.map(([, units]) => units)) * input.resolutionWh,
    operationWh: outcome.totalUnits * input.resolutionWh,
    distributorWh: sum(input.distributor.filter(({ prm }) => theirs.has(prm)).map(({ wh }) => wh)),
    oursForThemWh: ours(true),
    oursWh: ours(false),
  }
}

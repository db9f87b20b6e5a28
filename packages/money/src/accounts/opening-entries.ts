import type { Day } from '../calendar/days.ts'
import { compareText } from '../numbers/exact-numbers.ts'
import { type BookEntry, type BookRow, getFiscalYear, toCreditRow, toDebitRow } from './book-entries.ts'
import type { ChartOfAccounts } from './chart-of-accounts.ts'

/** Debits less credits of an account, by auxiliary and year. */
export type YearBalance = { account: string; aux: string; auxLabel: string; yearFrom: Day; cents: number }

const isResultAccount = ({ account }: YearBalance) => account >= '6'
const toOpeningRow = (account: string, aux: string, auxLabel: string, cents: number): BookRow => ({
  ...(cents > 0 ? toDebitRow(account, cents, aux) : toCreditRow(account, -cents, aux)),
  auxLabel,
  item: '',
})
const sumCents = (sums: readonly YearBalance[]) => sums.reduce((all, { cents }) => all + cents, 0)

/** A profit is credited, a loss is debited; no row where the result is zero. */
const buildResultRows = (cents: number, { earned, lost }: { earned: string; lost: string }): BookRow[] =>
  cents === 0 ? [] : [toOpeningRow(cents > 0 ? lost : earned, '', '', cents)]

/** One row for each account and auxiliary with a balance, sorted. */
function buildCarriedRows(sums: readonly YearBalance[]): BookRow[] {
  const held = new Map<string, YearBalance>()
  for (const sum of sums) {
    const key = `${sum.account} ${sum.aux}`
    const known = held.get(key)
    held.set(key, { ...sum, cents: sum.cents + (known?.cents ?? 0) })
  }
  return [...held]
    .filter(([, { cents }]) => cents !== 0)
    .sort(([a], [b]) => compareText(a, b))
    .map(([, { account, aux, auxLabel, cents }]) => toOpeningRow(account, aux, auxLabel, cents))
}

/**
 * The opening entry of a year: every account of the balance sheet as the years before left it, the result of the last
 * year on its own account and older results carried forward. The sums cover all earlier entries except openings.
 */
export function buildOpeningEntry(from: Day, sums: readonly YearBalance[], chart: ChartOfAccounts): BookEntry | null {
  const before = sums.filter(({ yearFrom }) => yearFrom < from)
  const last = getFiscalYear(`${Number(from.slice(0, 4)) - 1}${from.slice(4)}`, Number(from.slice(5, 7))).from
  const results = before.filter(isResultAccount)
  const rows = [
    ...buildCarriedRows(before.filter((sum) => !isResultAccount(sum))),
    ...buildResultRows(sumCents(results.filter(({ yearFrom }) => yearFrom < last)), {
      earned: chart.keptProfit,
      lost: chart.keptLoss,
    }),
    ...buildResultRows(sumCents(results.filter(({ yearFrom }) => yearFrom === last)), {
      earned: chart.profit,
      lost: chart.loss,
    }),
  ]
  if (!rows.length) return null
  const piece = { ref: `AN-${from.replaceAll('-', '')}`, day: from }
  return {
    source: `opening:${from}`,
    journal: 'opening',
    day: from,
    piece,
    label: 'Reprise des soldes à l’ouverture',
    rows,
  }
}

/** The first days of the accounting years that start after the first entry, up to a day. */
export function listYearOpenings(first: Day, until: Day, yearStart: number): Day[] {
  const found: Day[] = []
  for (let { to } = getFiscalYear(first, yearStart); to <= until; to = getFiscalYear(to, yearStart).to) found.push(to)
  return found
}

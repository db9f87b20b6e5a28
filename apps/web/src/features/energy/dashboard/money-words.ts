import type { ToBill } from '@voisol/contract/billing'
import { formatCount, formatMonth } from '../../../lib/format.ts'

const shiftMonths = (day: string, months: number) => {
  const date = new Date(`${day}T12:00:00Z`)
  date.setUTCMonth(date.getUTCMonth() + months)
  return date.toISOString().slice(0, 10)
}

/** « septembre 2026 », « 2026 », « mars à mai 2026 »: the whole months that a period touches, or those of other years. */
export function formatMonthRange({ from, to }: { from: string; to: string }, years = 0): string {
  const [first, last] = [shiftMonths(from, 12 * years), shiftMonths(to, 12 * years - 1)]
  if (first.slice(0, 7) === last.slice(0, 7)) return formatMonth(first)
  if (first.endsWith('-01-01') && last.slice(0, 7) === `${first.slice(0, 4)}-12`) return first.slice(0, 4)
  const name = formatMonth(first)
  return `${first.slice(0, 4) === last.slice(0, 4) ? name.replace(/ \d+$/, '') : name} à ${formatMonth(last)}`
}

/** How many months it is made of, and how many are not counted in it. */
export function describeMonthsToBill({ months, more }: Pick<ToBill, 'months' | 'more'>): string {
  const count = (state: string) => months.filter((one) => one.state === state).length
  const [closed, ready] = [count('closed'), count('ready')]
  const parts = [
    ...(closed ? [formatCount(closed, 'mois clos à émettre', 'mois clos à émettre')] : []),
    ...(ready ? [formatCount(ready, 'mois à clôturer', 'mois à clôturer')] : []),
  ]
  const summary = parts.length ? parts.join(', ') : 'Tout ce qui peut l’être est facturé'
  return more > 0
    ? `${summary}\u00a0; ${formatCount(more, 'autre mois n’est pas compté', 'autres mois ne sont pas comptés')}`
    : summary
}

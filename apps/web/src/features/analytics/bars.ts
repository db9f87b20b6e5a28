import type { CompareBy, CompareRow } from '@voisol/contract/analytics'
import { formatCount, formatEnergy } from '../../lib/format.ts'
import type { Bar, BarSeries } from '../../ui/bar-chart.tsx'
import { formatMonthYear, formatShortMonth } from '../../ui/period/label.ts'
import type { EnergySide } from './use-look.ts'

/** As many as can still be told apart: months beside one another, names below one another. */
const MAX_MONTH_BARS = 24
const MAX_NAME_BARS = 12
const isMonth = ({ id }: CompareRow) => /^\d{4}-\d{2}-\d{2}$/.test(id)
const getMaxBars = (rows: CompareRow[]) => (rows.every(isMonth) ? MAX_MONTH_BARS : MAX_NAME_BARS)
const PENDING_SERIES = { label: 'Pas encore réparti', color: 'var(--data-pending)', pattern: 'dotted' } as const

export const COMPARE_SERIES: Record<EnergySide, BarSeries[]> = {
  consumption: [
    { label: 'Énergie locale', color: 'var(--data-local)' },
    { label: 'Complément du réseau', color: 'var(--data-grid)' },
    PENDING_SERIES,
  ],
  production: [
    { label: 'Partagée', color: 'var(--data-local)' },
    { label: 'Surplus', color: 'var(--data-surplus)', pattern: 'barred' },
    PENDING_SERIES,
  ],
}

export const getCompareRowLabel = ({ name }: CompareRow, by: CompareBy) =>
  by === 'months' ? formatMonthYear(name) : name

const getParts = (row: CompareRow, side: EnergySide) =>
  side === 'production' ? [row.produced, row.shared, row.surplus] : [row.consumed, row.allocated, row.complement]

const toKwh = (wh: number | null | undefined) => (wh === null || wh === undefined ? null : wh / 1000)

/** Those that have such a side, from the largest; months as they come. */
export function buildCompareBars(rows: CompareRow[], side: EnergySide): Bar[] {
  return rows
    .filter((row) => getParts(row, side)[0] !== null)
    .slice(0, getMaxBars(rows))
    .map((row) => {
      const [whole = null, local = null, rest = null] = getParts(row, side)
      const left = Math.max(0, (whole ?? 0) - (local ?? 0) - (rest ?? 0))
      return {
        label: row.name,
        ...(isMonth(row) && { short: formatShortMonth(row.id) }),
        values: [toKwh(local), toKwh(rest), left > 0.5 ? toKwh(left) : 0],
      }
    })
}

export function summarizeComparison(rows: CompareRow[], side: EnergySide): string {
  const known = rows.filter((row) => getParts(row, side)[0] !== null)
  const [first] = known.toSorted((a, b) => (getParts(b, side)[0] ?? 0) - (getParts(a, side)[0] ?? 0))
  if (!first) return 'Rien n’est connu de ce côté sur la période.'
  const most = getMaxBars(rows)
  const shown = known.length > most ? ` Les ${most} premières sont dessinées, toutes sont dans le tableau.` : ''
  return `${formatCount(known.length, 'ligne')}. La plus grande\u00a0: ${first.name}, ${formatEnergy(getParts(first, side)[0] ?? 0)}.${shown}`
}

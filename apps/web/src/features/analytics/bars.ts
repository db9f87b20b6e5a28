import type { CompareBy, CompareRow } from '@voisol/contract/analytics'
import { energy, plural } from '../../lib/format.ts'
import type { Bar, BarSeries } from '../../ui/bar-chart.tsx'
import { monthLabel, shortMonth } from '../../ui/period/label.ts'
import type { Side } from './use-look.ts'

/** As many as can still be told apart: months beside one another, names below one another. */
const MONTHS = 24
const NAMES = 12
const isMonth = ({ id }: CompareRow) => /^\d{4}-\d{2}-\d{2}$/.test(id)
const drawn = (rows: CompareRow[]) => (rows.every(isMonth) ? MONTHS : NAMES)
const PENDING = { label: 'Pas encore réparti', color: 'var(--data-pending)', pattern: 'dotted' } as const

export const SERIES: Record<Side, BarSeries[]> = {
  consumption: [
    { label: 'Énergie locale', color: 'var(--data-local)' },
    { label: 'Complément du réseau', color: 'var(--data-grid)' },
    PENDING,
  ],
  production: [
    { label: 'Partagée', color: 'var(--data-local)' },
    { label: 'Surplus', color: 'var(--data-surplus)', pattern: 'barred' },
    PENDING,
  ],
}

export const nameOf = ({ name }: CompareRow, by: CompareBy) => (by === 'months' ? monthLabel(name) : name)

const parts = (row: CompareRow, side: Side) =>
  side === 'production' ? [row.produced, row.shared, row.surplus] : [row.consumed, row.allocated, row.complement]

const inKwh = (wh: number | null | undefined) => (wh === null || wh === undefined ? null : wh / 1000)

/** Those that have such a side, from the largest; months as they come. */
export function barsOf(rows: CompareRow[], side: Side): Bar[] {
  return rows
    .filter((row) => parts(row, side)[0] !== null)
    .slice(0, drawn(rows))
    .map((row) => {
      const [whole = null, local = null, rest = null] = parts(row, side)
      const left = Math.max(0, (whole ?? 0) - (local ?? 0) - (rest ?? 0))
      return {
        label: row.name,
        ...(isMonth(row) && { short: shortMonth(row.id) }),
        values: [inKwh(local), inKwh(rest), left > 0.5 ? inKwh(left) : 0],
      }
    })
}

export function summaryOf(rows: CompareRow[], side: Side): string {
  const known = rows.filter((row) => parts(row, side)[0] !== null)
  const [first] = known.toSorted((a, b) => (parts(b, side)[0] ?? 0) - (parts(a, side)[0] ?? 0))
  if (!first) return 'Rien n’est connu de ce côté sur la période.'
  const most = drawn(rows)
  const shown = known.length > most ? ` Les ${most} premières sont dessinées, toutes sont dans le tableau.` : ''
  return `${plural(known.length, 'ligne')}. La plus grande\u00a0: ${first.name}, ${energy(parts(first, side)[0] ?? 0)}.${shown}`
}

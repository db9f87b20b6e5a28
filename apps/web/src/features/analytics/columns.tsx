import type { CompareBy, CompareRow } from '@voisol/contract/analytics'
import type { ReactNode } from 'react'
import { energy, money, number, percent } from '../../lib/format.ts'
import { Button } from '../../ui/button.tsx'
import { Link } from '../../ui/link.tsx'
import type { Column } from '../../ui/table.tsx'
import type { Side } from './use-look.ts'

const whole = (text: string) => <span className="whitespace-nowrap">{text}</span>
const known = <T,>(value: T | null, say: (value: T) => string) => (value === null ? '–' : whole(say(value)))
const grams = (value: number) => `${number(value / 1000, value < 10_000 ? 1 : 0)}\u00a0kg`

/** Where the rows behind a line are. */
function doorOf(row: CompareRow, by: CompareBy): string {
  if (by === 'operations') return `/acc-operations/${row.id}`
  if (by === 'groups') return row.members === null ? '/participants' : `/participants?tag=${encodeURIComponent(row.id)}`
  return `/participants/${row.id.split(' ')[1] ?? ''}`
}

const Name = ({ row, by, onMonth }: { row: CompareRow; by: CompareBy; onMonth: (month: string) => void }) =>
  by === 'months' ? (
    <Button variant="quiet" size="small" onClick={() => onMonth(row.id)}>
      {row.name}
    </Button>
  ) : (
    <Link to={doorOf(row, by)} className="font-medium text-link">
      {row.name}
    </Link>
  )

/** What a figure is the sum of: the members of an operation, the days of a member's meter, the people of a group. */
export function rowsBehind(row: CompareRow, by: CompareBy, { companyId, here, side }: Doors): string | null {
  if (by === 'operations') return `${here}?by=members&side=${side}&operation=${row.id}`
  if (by === 'groups') return doorOf(row, by)
  const [operationId, , pointId] = row.id.split(' ')
  return by === 'members' ? `/companies/${companyId}/operations/${operationId}/load-curves/${pointId}` : null
}

export type Doors = { companyId: number; here: string; side: Side }
type Open = (row: CompareRow, value: number | null) => ReactNode

/** Of one side alone: with both, lines would be wider than a screen. */
const ofSide = (open: Open): Record<Side, Column<CompareRow>[]> => ({
  production: [
    { header: 'Production', align: 'end', card: 'primary', cell: (row) => open(row, row.produced) },
    { header: 'Partagée', align: 'end', cell: (row) => open(row, row.shared) },
    { header: 'Surplus', align: 'end', cell: ({ surplus }) => known(surplus, energy) },
    { header: 'Autoconsommation', align: 'end', cell: ({ selfConsumption }) => known(selfConsumption, percent) },
  ],
  consumption: [
    { header: 'Consommation', align: 'end', card: 'primary', cell: (row) => open(row, row.consumed) },
    { header: 'Énergie locale', align: 'end', cell: (row) => open(row, row.allocated) },
    { header: 'Complément', align: 'end', cell: ({ complement }) => known(complement, energy) },
    {
      header: 'Couverture',
      align: 'end',
      card: 'primary',
      cell: ({ selfProduction }) => known(selfProduction, percent),
    },
  ],
})

/** Each figure of energy opens to what it is made of. */
const opening =
  (by: CompareBy, doors: Doors): Open =>
  (row, value) => {
    const to = rowsBehind(row, by, doors)
    if (value === null || to === null) return known(value, energy)
    return (
      <Link to={to} className="whitespace-nowrap text-link" preventScrollReset>
        {energy(value)}
      </Link>
    )
  }

export const columnsFor = (by: CompareBy, doors: Doors, onMonth: (month: string) => void): Column<CompareRow>[] => [
  { header: 'Nom', card: 'title', cell: (row) => <Name row={row} by={by} onMonth={onMonth} /> },
  ...(by === 'groups'
    ? [{ header: 'Membres', align: 'end', cell: ({ members }) => known(members, String) } satisfies Column<CompareRow>]
    : []),
  ...ofSide(opening(by, doors))[doors.side],
  {
    header: 'Pas encore réparti',
    align: 'end',
    // Of a line of which nothing is known, nothing is waiting either: that is no zero.
    cell: ({ pending, consumed, produced }) => known(consumed === null && produced === null ? null : pending, energy),
  },
  { header: 'Valeur', align: 'end', cell: ({ valueCents }) => known(valueCents, money) },
  { header: 'CO₂ évité', align: 'end', cell: ({ co2Grams }) => known(co2Grams, grams) },
]

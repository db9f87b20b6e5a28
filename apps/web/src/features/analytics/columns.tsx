import type { CompareBy, CompareRow } from '@voisol/contract/analytics'
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

/** Of one side alone: with both, lines would be wider than a screen. */
const OF_SIDE: Record<Side, Column<CompareRow>[]> = {
  production: [
    { header: 'Production', align: 'end', card: 'primary', cell: ({ produced }) => known(produced, energy) },
    { header: 'Partagée', align: 'end', cell: ({ shared }) => known(shared, energy) },
    { header: 'Surplus', align: 'end', cell: ({ surplus }) => known(surplus, energy) },
    { header: 'Autoconsommation', align: 'end', cell: ({ selfConsumption }) => known(selfConsumption, percent) },
  ],
  consumption: [
    { header: 'Consommation', align: 'end', card: 'primary', cell: ({ consumed }) => known(consumed, energy) },
    { header: 'Énergie locale', align: 'end', cell: ({ allocated }) => known(allocated, energy) },
    { header: 'Complément', align: 'end', cell: ({ complement }) => known(complement, energy) },
    {
      header: 'Couverture',
      align: 'end',
      card: 'primary',
      cell: ({ selfProduction }) => known(selfProduction, percent),
    },
  ],
}

export const columnsFor = (by: CompareBy, side: Side, onMonth: (month: string) => void): Column<CompareRow>[] => [
  { header: 'Nom', card: 'title', cell: (row) => <Name row={row} by={by} onMonth={onMonth} /> },
  ...(by === 'groups'
    ? [{ header: 'Membres', align: 'end', cell: ({ members }) => known(members, String) } satisfies Column<CompareRow>]
    : []),
  ...OF_SIDE[side],
  { header: 'Pas encore réparti', align: 'end', cell: ({ pending }) => whole(energy(pending)) },
  { header: 'Valeur', align: 'end', cell: ({ valueCents }) => known(valueCents, money) },
  { header: 'CO₂ évité', align: 'end', cell: ({ co2Grams }) => known(co2Grams, grams) },
]

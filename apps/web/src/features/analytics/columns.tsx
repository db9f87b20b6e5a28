import type { CompareBy, CompareRow } from '@voisol/contract/analytics'
import type { ReactNode } from 'react'
import { formatEnergy, formatMoney, formatNumber, formatPercent } from '../../lib/format.ts'
import { Button } from '../../ui/button.tsx'
import { Link } from '../../ui/link.tsx'
import type { Column } from '../../ui/table.tsx'
import type { EnergySide } from './use-look.ts'

const renderNoWrap = (text: string) => <span className="whitespace-nowrap">{text}</span>
const renderKnown = <T,>(value: T | null, say: (value: T) => string) =>
  value === null ? '–' : renderNoWrap(say(value))
const formatKg = (value: number) => `${formatNumber(value / 1000, value < 10_000 ? 1 : 0)}\u00a0kg`

/** Where the rows behind a line are. */
function getRowLink(row: CompareRow, by: CompareBy): string {
  if (by === 'operations') return `/acc-operations/${row.id}`
  if (by === 'groups') return row.members === null ? '/participants' : `/participants?tag=${encodeURIComponent(row.id)}`
  return `/participants/${row.id.split(' ')[1] ?? ''}`
}

const RowName = ({ row, by, onMonth }: { row: CompareRow; by: CompareBy; onMonth: (month: string) => void }) =>
  by === 'months' ? (
    <Button variant="quiet" size="small" onClick={() => onMonth(row.id)}>
      {row.name}
    </Button>
  ) : (
    <Link to={getRowLink(row, by)} className="font-medium text-link">
      {row.name}
    </Link>
  )

/** What a figure is the sum of: the members of an operation, the days of a member's meter, the people of a group. */
export function getDetailLink(
  row: CompareRow,
  by: CompareBy,
  { companyId, here, side }: CompareLinkContext,
): string | null {
  if (by === 'operations') return `${here}?by=members&side=${side}&operation=${row.id}`
  if (by === 'groups') return getRowLink(row, by)
  const [operationId, , pointId] = row.id.split(' ')
  return by === 'members' ? `/companies/${companyId}/operations/${operationId}/load-curves/${pointId}` : null
}

export type CompareLinkContext = { companyId: number; here: string; side: EnergySide }
type RenderFigure = (row: CompareRow, value: number | null) => ReactNode

/** Of one side alone: with both, lines would be wider than a screen. */
const buildSideColumns = (open: RenderFigure): Record<EnergySide, Column<CompareRow>[]> => ({
  production: [
    { header: 'Production', align: 'end', card: 'primary', cell: (row) => open(row, row.produced) },
    { header: 'Partagée', align: 'end', cell: (row) => open(row, row.shared) },
    { header: 'Surplus', align: 'end', cell: ({ surplus }) => renderKnown(surplus, formatEnergy) },
    {
      header: 'Autoconsommation',
      align: 'end',
      cell: ({ selfConsumption }) => renderKnown(selfConsumption, formatPercent),
    },
  ],
  consumption: [
    { header: 'Consommation', align: 'end', card: 'primary', cell: (row) => open(row, row.consumed) },
    { header: 'Énergie locale', align: 'end', cell: (row) => open(row, row.allocated) },
    { header: 'Complément', align: 'end', cell: ({ complement }) => renderKnown(complement, formatEnergy) },
    {
      header: 'Couverture',
      align: 'end',
      card: 'primary',
      cell: ({ selfProduction }) => renderKnown(selfProduction, formatPercent),
    },
  ],
})

/** Each figure of energy opens to what it is made of. */
const renderLinkedFigure =
  (by: CompareBy, doors: CompareLinkContext): RenderFigure =>
  (row, value) => {
    const to = getDetailLink(row, by, doors)
    if (value === null || to === null) return renderKnown(value, formatEnergy)
    return (
      <Link to={to} className="whitespace-nowrap text-link" preventScrollReset>
        {formatEnergy(value)}
      </Link>
    )
  }

export const buildCompareColumns = (
  by: CompareBy,
  doors: CompareLinkContext,
  onMonth: (month: string) => void,
): Column<CompareRow>[] => [
  { header: 'Nom', card: 'title', cell: (row) => <RowName row={row} by={by} onMonth={onMonth} /> },
  ...(by === 'groups'
    ? [
        {
          header: 'Membres',
          align: 'end',
          cell: ({ members }) => renderKnown(members, String),
        } satisfies Column<CompareRow>,
      ]
    : []),
  ...buildSideColumns(renderLinkedFigure(by, doors))[doors.side],
  {
    header: 'Pas encore réparti',
    align: 'end',
    // Of a line of which nothing is known, nothing is waiting either: that is no zero.
    cell: ({ pending, consumed, produced }) =>
      renderKnown(consumed === null && produced === null ? null : pending, formatEnergy),
  },
  { header: 'Valeur', align: 'end', cell: ({ valueCents }) => renderKnown(valueCents, formatMoney) },
  { header: 'CO₂ évité', align: 'end', cell: ({ co2Grams }) => renderKnown(co2Grams, formatKg) },
]

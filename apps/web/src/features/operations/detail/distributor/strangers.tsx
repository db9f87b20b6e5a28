import { DIRECTION_LABELS, formatPrm } from '../../../../lib/energy-labels.ts'
import { formatCount } from '../../../../lib/format.ts'
import { ButtonLink } from '../../../../ui/button.tsx'
import { type Column, Table } from '../../../../ui/table.tsx'
import type { DistributorStatus } from './connection.tsx'
import { formatParticipationDates } from './words.ts'

type UnknownPoint = DistributorStatus['strangers'][number]

const columns: Column<UnknownPoint & { id: string }>[] = [
  { header: 'PRM', cell: (row) => <span className="tabular font-medium whitespace-nowrap">{formatPrm(row.prm)}</span> },
  { header: 'Sens', cell: ({ direction }) => DIRECTION_LABELS[direction] },
  {
    header: 'Dates chez Enedis',
    cell: (row) => <span className="block min-w-48">{formatParticipationDates(row)}</span>,
  },
]

/** Points the distributor counts in and we do not: energy goes to them that nobody sees here. */
export const UnknownPoints = ({ operationId, strangers }: { operationId: string; strangers: UnknownPoint[] }) => (
  <div className="grid gap-3 [&>*]:min-w-0">
    <header className="flex flex-wrap items-start justify-between gap-3">
      <div>
        <h2 className="text-base font-semibold tracking-[-0.01em]">Points inconnus ici</h2>
        <p className="text-body text-ink-soft">
          {formatCount(strangers.length, 'point figure', 'points figurent')} dans la convention chez Enedis mais pas
          dans cette opération.
        </p>
      </div>
      <ButtonLink variant="secondary" to={`/acc-operations/${operationId}/participants`}>
        Gérer les participants
      </ButtonLink>
    </header>
    <Table
      label="Points inconnus ici"
      rows={strangers.map((row) => ({ ...row, id: `${row.prm}-${row.direction}` }))}
      columns={columns}
    />
  </div>
)

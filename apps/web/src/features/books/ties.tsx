import { useQuery } from '@tanstack/react-query'
import type { ControlTotal } from '@voisol/contract/book-views'
import { books } from '@voisol/contract/books'
import CircleCheck from 'lucide-react/icons/circle-check'
import TriangleAlert from 'lucide-react/icons/triangle-alert'
import { formatMoney } from '../../lib/format.ts'
import { query } from '../../lib/queries.ts'
import { Card } from '../../ui/card.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { type Column, Table } from '../../ui/table.tsx'

type ControlRow = ControlTotal['rows'][number] & { id: string }
const buildColumns = ({ left, right }: ControlTotal): Column<ControlRow>[] => [
  { header: 'Ligne', card: 'title', cell: ({ label }) => label },
  { header: left.label, card: 'primary', align: 'end', cell: (row) => formatMoney(row.left) },
  { header: right.label, card: 'primary', align: 'end', cell: (row) => formatMoney(row.right) },
  {
    header: 'Écart',
    card: 'primary',
    align: 'end',
    cell: ({ difference }) =>
      difference === 0 ? formatMoney(0) : <span className="font-medium text-danger">{formatMoney(difference)}</span>,
  },
]

function ControlVerdict({ difference }: ControlTotal) {
  const isEqual = difference === 0
  const Icon = isEqual ? CircleCheck : TriangleAlert
  return (
    <p className={`flex items-center gap-2 font-medium ${isEqual ? 'text-success' : 'text-danger'}`}>
      <Icon aria-hidden="true" className="size-4" />
      Écart {formatMoney(difference)}
    </p>
  )
}

const ControlSides = ({ left, right, note }: ControlTotal) => (
  <div className="grid content-start gap-1 text-body">
    <dl className="grid gap-1">
      {[left, right].map(({ label, cents }) => (
        <div key={label} className="flex flex-wrap justify-between gap-x-4">
          <dt className="text-ink-soft">{label}</dt>
          <dd className="tabular ml-auto">{formatMoney(cents)}</dd>
        </div>
      ))}
    </dl>
    {note && <p className="text-[0.8125rem] text-ink-soft">{note}</p>}
  </div>
)

function ControlItem({ tie }: { tie: ControlTotal }) {
  const rows = tie.rows.map((row, at) => ({ ...row, id: `${at}` }))
  return (
    <li className="grid content-start gap-2 py-4 first:pt-0 last:pb-0">
      <div className="grid gap-x-8 gap-y-1 md:grid-cols-[9rem_minmax(0,1fr)_9rem] lg:grid-cols-[14rem_minmax(0,1fr)_12rem]">
        <h3 className="font-medium">{tie.label}</h3>
        <ControlSides {...tie} />
        <div className="md:justify-self-end">
          <ControlVerdict {...tie} />
        </div>
      </div>
      {rows.length > 0 && (
        <details>
          <summary className="inline-flex min-h-6 cursor-pointer text-[0.8125rem] text-link">
            Voir {rows.length === 1 ? 'la ligne' : `les ${rows.length} lignes`}
          </summary>
          <div className="pt-3">
            <Table label={`Contrôle\u00a0: ${tie.label}`} rows={rows} columns={buildColumns(tie)} />
          </div>
        </details>
      )}
    </li>
  )
}

/** Two figures that must be the same, each opening to what it is made of. */
export function BookControls({ sellerId, year }: { sellerId: string; year: number }) {
  const { data, error, refetch } = useQuery(query(books.ties, { params: { sellerId }, query: { year } }))
  return (
    <Card
      title="Contrôles"
      description="Ce que disent les comptes, à côté de ce que disent les documents et les paiements."
    >
      {error ? (
        <ErrorState error={error} onRetry={refetch} />
      ) : !data ? (
        <Skeleton className="h-40 w-full" />
      ) : (
        <ul className="divide-y divide-line">
          {data.items.map((tie) => (
            <ControlItem key={tie.name} tie={tie} />
          ))}
        </ul>
      )}
    </Card>
  )
}

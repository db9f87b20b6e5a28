import { useQuery } from '@tanstack/react-query'
import { type Key, keys } from '@voisol/contract/keys'
import type { Operation } from '@voisol/contract/operations'
import { Badge } from '../../../../components/badge.tsx'
import { ButtonLink } from '../../../../components/button.tsx'
import { EmptyState } from '../../../../components/empty-state.tsx'
import { ErrorState } from '../../../../components/error-state.tsx'
import { TableSkeleton } from '../../../../components/loading.tsx'
import { type Column, Table } from '../../../../components/table.tsx'
import { ALLOCATION_METHOD_LABELS } from '../../../../lib/energy-labels.ts'
import { formatDate, formatPercent } from '../../../../lib/format.ts'
import { query } from '../../../../lib/queries.ts'

const formatDay = (day: string) => formatDate(`${day}T12:00:00Z`)

const KeyStateBadge = ({ inForce, status }: Key) =>
  inForce ? (
    <Badge tone="success">En vigueur</Badge>
  ) : status === 'draft' ? (
    <Badge tone="neutral">Brouillon</Badge>
  ) : (
    <Badge tone="info">Adoptée</Badge>
  )

const columns: Column<Key>[] = [
  { header: 'Version', align: 'end', cell: ({ number }) => number },
  {
    header: 'Méthode',
    cell: ({ method, label }) => (
      <span className="block min-w-40">
        <span className="font-medium">{ALLOCATION_METHOD_LABELS[method].label}</span>
        {label && <span className="block text-[0.8125rem] text-ink-soft">{label}</span>}
      </span>
    ),
  },
  { header: 'État', cell: (key) => <KeyStateBadge {...key} /> },
  { header: 'À partir du', cell: ({ startsOn }) => formatDay(startsOn) },
  { header: 'Jusqu’au (exclu)', cell: ({ endsOn }) => (endsOn ? formatDay(endsOn) : 'Sans fin') },
  { header: 'Somme des parts', align: 'end', cell: ({ sum }) => (sum === null ? '–' : formatPercent(sum / 1_000_000)) },
  { header: 'Verrouillée', cell: ({ locked }) => (locked ? 'Oui, un calcul définitif s’y réfère' : 'Non') },
]

/** Which key held when; they are written and compared in the distribution screen. */
export default function KeysTab({ operation }: { operation: Operation }) {
  const { data, error, refetch } = useQuery(query(keys.list, { params: { id: operation.id } }))
  const distribution = `/acc-operations/${operation.id}/energy-distribution`
  if (error) return <ErrorState error={error} onRetry={refetch} />
  if (!data) return <TableSkeleton label="Clés de répartition" />
  return (
    <div className="grid gap-4 [&>*]:min-w-0">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p className="text-body text-ink-soft">Les versions de la clé, chacune avec les jours où elle s’applique.</p>
        <ButtonLink to={distribution}>Ouvrir la répartition</ButtonLink>
      </div>
      {data.items.length > 0 ? (
        <Table label="Clés de répartition" rows={data.items} columns={columns} />
      ) : (
        <EmptyState
          title="Aucune clé"
          why="Préparez une première version dans l’écran de répartition."
          action={
            <ButtonLink variant="secondary" to={distribution}>
              Préparer une clé
            </ButtonLink>
          }
        />
      )}
    </div>
  )
}

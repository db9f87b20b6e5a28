import { useQuery } from '@tanstack/react-query'
import { BLOCK_REASONS, gateway, type KeyCall } from '@voisol/contract/gateway'
import { Badge } from '../../../components/badge.tsx'
import { Dialog } from '../../../components/dialog.tsx'
import { ErrorState } from '../../../components/error-state.tsx'
import { Skeleton } from '../../../components/loading.tsx'
import { type Column, Table } from '../../../components/table.tsx'
import { formatDateTime } from '../../../lib/format.ts'
import { query } from '../../../lib/queries.ts'
import { formatBytes, formatMilliseconds } from './labels.ts'

const columns: Column<KeyCall>[] = [
  {
    header: 'Quand',
    card: 'primary',
    cell: ({ at }) => <span className="whitespace-nowrap">{formatDateTime(at)}</span>,
  },
  {
    header: 'Appel',
    card: 'title',
    cell: ({ route, reason }) => (
      <span className="block min-w-52">
        <code className="text-[0.8125rem] break-all">{route}</code>
        {reason && <span className="block text-[0.8125rem] text-danger">{BLOCK_REASONS[reason]}</span>}
      </span>
    ),
  },
  {
    header: 'Réponse',
    card: 'primary',
    cell: ({ status }) => (
      <Badge tone={status >= 500 ? 'danger' : status >= 400 ? 'warning' : 'success'}>{status}</Badge>
    ),
  },
  { header: 'Durée', align: 'end', cell: ({ milliseconds }) => formatMilliseconds(milliseconds) },
  { header: 'Envoyé', align: 'end', cell: ({ bytes: size }) => formatBytes(size) },
  { header: 'Adresse', card: 'primary', cell: ({ ip }) => <code className="text-[0.8125rem]">{ip}</code> },
]

/** The last calls of a key, without what they carried. */
export default function CallsDialog({ id, label, onClose }: { id: string; label: string; onClose: () => void }) {
  const { data, error, refetch } = useQuery({ ...query(gateway.calls, { params: { id } }), staleTime: 0 })
  return (
    <Dialog
      title={`Derniers appels\u00a0: ${label}`}
      description="Les deux cents derniers, gardés trente jours, sans leur contenu."
      width="full"
      open
      onOpenChange={onClose}
    >
      {error && <ErrorState error={error} onRetry={refetch} />}
      {!data && !error && <Skeleton className="h-64 w-full" />}
      {data?.items.length === 0 && <p className="text-body text-ink-soft">Cette clé n’a encore rien appelé.</p>}
      {data && data.items.length > 0 && <Table label="Derniers appels" rows={data.items} columns={columns} />}
    </Dialog>
  )
}

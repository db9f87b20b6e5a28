import { audit, type ListedEntry } from '@voisol/contract/audit'
import type { Operation } from '@voisol/contract/operations'
import { Badge } from '../../../../components/badge.tsx'
import { EmptyState } from '../../../../components/empty-state.tsx'
import { ListScreen } from '../../../../components/list-screen.tsx'
import type { Column } from '../../../../components/table.tsx'
import { formatDateTime } from '../../../../lib/format.ts'
import { useList } from '../../../../lib/queries.ts'

const columns: Column<ListedEntry>[] = [
  {
    header: 'Quand',
    card: 'primary',
    sort: 'at',
    cell: ({ at }) => <span className="whitespace-nowrap">{formatDateTime(at)}</span>,
  },
  {
    header: 'Action',
    card: 'title',
    sort: 'label',
    cell: ({ label }) => <span className="block min-w-48 font-medium">{label}</span>,
  },
  { header: 'Objet', card: 'secondary', sort: 'target', cell: ({ target, object }) => object?.name ?? target },
  { header: 'Qui', card: 'primary', sort: 'actor', cell: ({ actorName }) => actorName },
  {
    header: 'Résultat',
    card: 'primary',
    cell: ({ outcome }) =>
      outcome === 'done' ? <Badge tone="success">Fait</Badge> : <Badge tone="danger">Refusé</Badge>,
  },
]

/** Everything done to the operation and to what belongs to it, as the audit log keeps it. */
export default function JournalTab({ operation }: { operation: Operation }) {
  const list = useList(audit.list, { operationId: operation.id })
  return (
    <ListScreen
      list={list}
      label="Journal de l’opération"
      search="Rechercher une action, une personne"
      columns={columns}
      empty={
        <EmptyState
          title="Journal vide"
          why="Les actions sur cette opération apparaîtront ici."
          because="comes-by-itself"
        />
      }
    />
  )
}

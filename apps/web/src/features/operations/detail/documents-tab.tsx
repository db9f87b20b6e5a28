import { useQuery } from '@tanstack/react-query'
import { type Document, documents } from '@voisol/contract/documents'
import type { Operation } from '@voisol/contract/operations'
import Download from 'lucide-react/icons/download'
import Trash2 from 'lucide-react/icons/trash-2'
import { download } from '../../../lib/call.ts'
import { explain } from '../../../lib/explain.ts'
import { dateTime, number } from '../../../lib/format.ts'
import { query, useAction } from '../../../lib/queries.ts'
import { toast } from '../../../lib/toast.ts'
import { Button } from '../../../ui/button.tsx'
import { Confirm } from '../../../ui/confirm.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { ErrorState } from '../../../ui/error-state.tsx'
import { type Column, Table } from '../../../ui/table.tsx'
import { TableSkeleton } from '../../../ui/table-skeleton.tsx'
import { AddDocument } from './add-document.tsx'

const sizeText = (bytes: number) =>
  bytes < 1_000_000
    ? `${number(Math.max(1, Math.round(bytes / 1000)))}\u00a0ko`
    : `${number(bytes / 1_000_000, 1)}\u00a0Mo`

const columns: Column<Document>[] = [
  {
    header: 'Document',
    cell: ({ label, name }) => (
      <span className="block min-w-48">
        <span className="font-medium">{label || name}</span>
        {label && <span className="block text-[0.8125rem] break-all text-ink-soft">{name}</span>}
      </span>
    ),
  },
  { header: 'Taille', align: 'end', cell: ({ size }) => <span className="whitespace-nowrap">{sizeText(size)}</span> },
  { header: 'Déposé par', cell: ({ addedBy }) => addedBy },
  { header: 'Déposé le', cell: ({ createdAt }) => dateTime(createdAt) },
]

function DocumentActions({ document }: { document: Document }) {
  const remove = useAction(documents.remove, [documents.list])
  const params = { id: document.id }
  const take = () =>
    download(documents.content, { params }).catch((error: unknown) =>
      toast({ title: 'Téléchargement impossible', description: explain(error), variant: 'destructive' }),
    )
  const name = document.label || document.name
  return (
    <>
      <Button
        variant="quiet"
        size="small"
        icon={<Download aria-hidden="true" />}
        aria-label={`Télécharger ${name}`}
        onClick={take}
      >
        Télécharger
      </Button>
      <Confirm
        title="Retirer ce document"
        description={`«\u00a0${name}\u00a0» sera supprimé. Cela ne peut pas être annulé.`}
        action="Retirer le document"
        onConfirm={() => remove.run({ params })}
        trigger={
          <Button variant="quiet" size="small" icon={<Trash2 aria-hidden="true" />} aria-label={`Retirer ${name}`}>
            Retirer
          </Button>
        }
      />
    </>
  )
}

/** Conventions, agreements, minutes: what belongs with the operation. */
export default function DocumentsTab({ operation }: { operation: Operation }) {
  const owner = { ownerKind: 'operation' as const, ownerId: operation.id }
  const { data, error, refetch } = useQuery(query(documents.list, { query: owner }))
  return (
    <div className="grid gap-5 [&>*]:min-w-0">
      <AddDocument ownerId={operation.id} />
      {error && <ErrorState error={error} onRetry={refetch} />}
      {!data && !error && <TableSkeleton label="Documents" />}
      {data &&
        (data.items.length > 0 ? (
          <Table
            label="Documents"
            rows={data.items}
            columns={columns}
            rowActions={(document) => <DocumentActions document={document} />}
          />
        ) : (
          <EmptyState
            title="Aucun document"
            why="Déposez la convention, les accords de participation ou le procès-verbal : ils restent avec l’opération."
          />
        ))}
    </div>
  )
}

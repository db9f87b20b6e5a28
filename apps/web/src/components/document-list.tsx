import { useQuery } from '@tanstack/react-query'
import { type Document, documents } from '@voisol/contract/documents'
import Download from 'lucide-react/icons/download'
import Trash from 'lucide-react/icons/trash-2'
import { useId, useState } from 'react'
import { download } from '../lib/call.ts'
import { withAccess } from '../lib/can.tsx'
import { explainError } from '../lib/error-text.ts'
import { formatDate, formatNumber } from '../lib/format.ts'
import { query, useAction } from '../lib/queries.ts'
import { toast } from '../lib/toast.ts'
import { Card } from './card.tsx'
import { Confirm } from './dialog.tsx'
import { ErrorState } from './error-state.tsx'
import { FileDrop } from './file-drop.tsx'
import { IconButton } from './icon-button.tsx'
import { FieldFrame, Input } from './input.tsx'
import { TableSkeleton } from './loading.tsx'
import { type Column, Table } from './table.tsx'

type DocumentOwner = { ownerKind: 'project' | 'operation'; ownerId: string }

/** « 1,4 Mo ». */
export function formatFileSize(bytes: number) {
  if (bytes < 1000) return `${formatNumber(bytes)}\u00a0octet${bytes < 2 ? '' : 's'}`
  return bytes < 1e6 ? `${formatNumber(bytes / 1e3, 0)}\u00a0ko` : `${formatNumber(bytes / 1e6, 1)}\u00a0Mo`
}

const notifyFailure = (title: string) => (error: unknown) =>
  toast({ title, description: explainError(error), variant: 'destructive' })

const columns: Column<Document>[] = [
  {
    header: 'Document',
    cell: ({ label, name }) => (
      <span className="block min-w-40 break-words">
        <span className="block font-medium">{label}</span>
        {label !== name && <span className="block text-[0.8125rem] text-ink-soft">{name}</span>}
      </span>
    ),
  },
  {
    header: 'Taille',
    align: 'end',
    cell: ({ size }) => <span className="whitespace-nowrap">{formatFileSize(size)}</span>,
  },
  { header: 'Déposé par', cell: ({ addedBy }) => addedBy },
  { header: 'Le', cell: ({ createdAt }) => <span className="tabular">{formatDate(createdAt)}</span> },
]

const RemoveButton = withAccess(documents.remove, ({ document: { id, label } }: { document: Document }) => {
  const remove = useAction(documents.remove, [documents.list])
  return (
    <Confirm
      title="Retirer ce document&nbsp;?"
      description={`«\u00a0${label}\u00a0» sera effacé. Cette action est définitive.`}
      action="Retirer le document"
      onConfirm={() => remove.run({ params: { id } })}
      trigger={<IconButton label={`Retirer ${label}`} icon={<Trash aria-hidden="true" />} />}
    />
  )
})

function DocumentActions({ document }: { document: Document }) {
  const { id, label } = document
  const take = () => download(documents.content, { params: { id } }).catch(notifyFailure('Téléchargement impossible'))
  return (
    <>
      <IconButton label={`Télécharger ${label}`} icon={<Download aria-hidden="true" />} onClick={take} />
      <RemoveButton document={document} />
    </>
  )
}

function DocumentTable({ owner }: { owner: DocumentOwner }) {
  const { data, error, refetch } = useQuery(query(documents.list, { query: owner }))
  if (error) return <ErrorState error={error} onRetry={refetch} />
  if (!data) return <TableSkeleton label="Documents" />
  if (!data.items.length) return <p className="text-body text-ink-soft">Aucun document pour l’instant.</p>
  return (
    <Table
      label="Documents"
      rows={data.items}
      columns={columns}
      rowActions={(document) => <DocumentActions document={document} />}
    />
  )
}

const DocumentUpload = withAccess(documents.add, ({ owner }: { owner: DocumentOwner }) => {
  const id = useId()
  const [label, setLabel] = useState('')
  const add = useAction(documents.add, [documents.list])
  const keep = (file: File) =>
    add.run({ query: { ...owner, name: file.name, label }, upload: file }).then(() => {
      setLabel('')
      toast({ title: 'Document déposé', variant: 'success' })
    }, notifyFailure('Dépôt impossible'))
  return (
    <>
      <FieldFrame id={id} label="Intitulé" hint="Sans intitulé, le nom du fichier est affiché." optional>
        <Input
          id={id}
          aria-describedby={`${id}-hint`}
          value={label}
          maxLength={200}
          onChange={(event) => setLabel(event.target.value)}
          className="max-w-md"
        />
      </FieldFrame>
      <FileDrop
        label={add.isPending ? 'Dépôt en cours…' : 'Choisir un document'}
        hint="ou déposez-le ici. Vingt mégaoctets au plus."
        disabled={add.isPending}
        onFile={keep}
      />
    </>
  )
})

/** Files kept with a project or an operation: dropped under a title, taken back, taken away. */
export const DocumentList = ({ owner, description }: { owner: DocumentOwner; description: string }) => (
  <Card title="Documents" description={description}>
    <div className="grid gap-4 [&>*]:min-w-0">
      <DocumentUpload owner={owner} />
      <DocumentTable owner={owner} />
    </div>
  </Card>
)

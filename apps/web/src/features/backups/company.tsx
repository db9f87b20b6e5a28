import { useQuery, useQueryClient } from '@tanstack/react-query'
import { backups, type CompanyCopy } from '@voisol/contract/backups'
import Archive from 'lucide-react/icons/archive'
import Download from 'lucide-react/icons/download'
import { type ComponentProps, useEffect, useRef } from 'react'
import { download } from '../../lib/call.ts'
import { Can, withAccess } from '../../lib/can.tsx'
import { formatCount, formatDate, formatDateTime, formatNumber } from '../../lib/format.ts'
import { query, useAction } from '../../lib/queries.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Confirm } from '../../ui/confirm.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import { TableSkeleton } from '../../ui/table-skeleton.tsx'
import { notifyStarted, showFailure } from './act.ts'
import { ImportCopy } from './import-copy.tsx'
import { ReviewImport } from './import-preview.tsx'
import { formatFileSize, getCopyState } from './words.ts'

const POLL_MS = 2000
const small = 'block text-[0.8125rem] text-ink-soft'

const CreateCopyButton = withAccess(backups.make, ({ variant }: Pick<ComponentProps<typeof Button>, 'variant'>) => {
  const make = useAction(backups.make, [backups.list])
  return (
    <Button
      variant={variant}
      icon={<Archive aria-hidden="true" />}
      loading={make.isPending}
      onClick={() => void make.run({}).then(notifyStarted('La copie est en préparation'), showFailure)}
    >
      Copier mes données
    </Button>
  )
})

const RemoveCopyButton = withAccess(backups.remove, ({ copy }: { copy: CompanyCopy }) => {
  const remove = useAction(backups.remove, [backups.list])
  return (
    <Confirm
      title={`Supprimer ${copy.name}\u00a0?`}
      description={
        copy.kind === 'import' && copy.state === 'done'
          ? 'Elle disparaît de cette liste. Les données reprises, elles, restent.'
          : 'L’archive est effacée du serveur. Vos données, elles, restent.'
      }
      action="Supprimer la copie"
      onConfirm={() => remove.run({ params: { id: copy.id } })}
      trigger={
        <Button variant="quiet" size="small">
          Supprimer
        </Button>
      }
    />
  )
})

const CopyRowActions = ({ copy }: { copy: CompanyCopy }) => (
  <>
    {copy.kind === 'export' && copy.state === 'done' && (
      <Can call={backups.file}>
        <Button
          variant="secondary"
          size="small"
          icon={<Download aria-hidden="true" />}
          aria-label={`Télécharger ${copy.name}`}
          onClick={() => void download(backups.file, { params: { id: copy.id } }).catch(showFailure)}
        >
          Télécharger
        </Button>
      </Can>
    )}
    {copy.state !== 'waiting' && <RemoveCopyButton copy={copy} />}
  </>
)

/** One archive at a time is read or waits to be confirmed. */
const isUnfinishedImport = ({ kind, state }: CompanyCopy) =>
  kind === 'import' && (state === 'waiting' || state === 'read')

function Content({ copy: { rows, files, size } }: { copy: CompanyCopy }) {
  if (size === null) return '—'
  return (
    <span className="block">
      <span className="tabular block">{formatFileSize(size)}</span>
      {rows !== null && (
        <span className={small}>
          <span className="whitespace-nowrap">{`${formatNumber(rows)} ${rows > 1 ? 'lignes' : 'ligne'}`}</span>
          {files !== null && `, ${formatCount(files, 'fichier')}`}
        </span>
      )}
    </span>
  )
}

function State({ copy }: { copy: CompanyCopy }) {
  const { kind, state, failure, expiresAt } = copy
  const { label, tone } = getCopyState(copy)
  return (
    <span className="block max-w-80">
      <Badge tone={tone}>{label}</Badge>
      {failure && <span className="mt-1 block text-[0.8125rem] text-danger">{failure}</span>}
      {(state === 'done' || state === 'read') && expiresAt && (
        <span className={`mt-1 ${small}`}>{`jusqu’au ${formatDate(expiresAt)}`}</span>
      )}
      {state === 'read' && (
        <span className="mt-2 block">
          <ReviewImport copy={copy} />
        </span>
      )}
      {kind === 'import' && state === 'done' && (
        <span className={`mt-1 ${small}`}>
          Il reste à inviter les utilisateurs, et à saisir de nouveau les clés et les secrets.
        </span>
      )}
    </span>
  )
}

const columns: Column<CompanyCopy>[] = [
  {
    header: 'Copie',
    card: 'title',
    cell: ({ kind, name, createdAt, askedBy }) => (
      <span className="block min-w-52">
        <span className="block font-medium">{kind === 'import' ? `Reprise de ${name}` : name}</span>
        <span className={small}>{`${formatDateTime(createdAt)}, ${askedBy}`}</span>
      </span>
    ),
  },
  { header: 'État', card: 'primary', cell: (copy) => <State copy={copy} /> },
  { header: 'Contenu', card: 'primary', cell: (copy) => <Content copy={copy} /> },
]

/** The list, followed while something of it is at work. An import that ends brings every other figure of the company anew. */
function useCompanyCopies() {
  const client = useQueryClient()
  const result = useQuery({
    ...query(backups.list, {}),
    refetchInterval: ({ state }) => (state.data?.items.some((copy) => copy.state === 'waiting') ? POLL_MS : false),
  })
  const imported = result.data?.items.filter(({ kind, state }) => kind === 'import' && state === 'done').length
  const before = useRef(imported)
  useEffect(() => {
    const hasGrown = before.current !== undefined && imported !== undefined && imported > before.current
    before.current = imported
    if (hasGrown) void client.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== backups.list.path })
  }, [imported, client])
  return result
}

export function CompanyCopies() {
  const { data, error, refetch } = useCompanyCopies()
  return (
    <>
      {data?.empty && !data.items.some(isUnfinishedImport) && <ImportCopy />}
      <Card
        title="Copie de l’organisation"
        description="Une archive ZIP&nbsp;: chaque table en JSON et en CSV, vos fichiers, et un mode d’emploi. Ni mot de passe, ni clé, ni secret. Elle reste sept jours."
        actions={data?.items.length !== 0 && <CreateCopyButton variant={data?.empty ? 'secondary' : 'primary'} />}
      >
        {error ? (
          <ErrorState error={error} onRetry={refetch} />
        ) : !data ? (
          <TableSkeleton label="Copies de l’organisation" />
        ) : data.items.length === 0 ? (
          <EmptyState
            title="Aucune copie pour l’instant"
            why="Une copie se prépare en arrière-plan, puis se télécharge ici."
            action={<CreateCopyButton variant={data.empty ? 'secondary' : 'primary'} />}
          />
        ) : (
          <Table
            label="Copies de l’organisation"
            rows={data.items}
            columns={columns}
            rowActions={(copy) => <CopyRowActions copy={copy} />}
          />
        )}
      </Card>
    </>
  )
}

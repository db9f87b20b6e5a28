import { useQuery } from '@tanstack/react-query'
import { backups, type CompanyCopy } from '@voisol/contract/backups'
import Archive from 'lucide-react/icons/archive'
import Download from 'lucide-react/icons/download'
import { download } from '../../lib/call.ts'
import { Can, only } from '../../lib/can.tsx'
import { date, dateTime, number, plural } from '../../lib/format.ts'
import { query, useAction } from '../../lib/queries.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Confirm } from '../../ui/confirm.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import { TableSkeleton } from '../../ui/table-skeleton.tsx'
import { begun, failed } from './act.ts'
import { ImportCopy } from './import-copy.tsx'
import { ReviewImport } from './import-preview.tsx'
import { COPY_STATES, fileSize } from './words.ts'

const POLL_MS = 2000

const MakeButton = only(backups.make, () => {
  const make = useAction(backups.make, [backups.list])
  return (
    <Button
      icon={<Archive aria-hidden="true" />}
      loading={make.isPending}
      onClick={() => void make.run({}).then(begun('La copie est en préparation'), failed)}
    >
      Copier mes données
    </Button>
  )
})

const Remove = only(backups.remove, ({ copy }: { copy: CompanyCopy }) => {
  const remove = useAction(backups.remove, [backups.list])
  return (
    <Confirm
      title={`Supprimer ${copy.name}\u00a0?`}
      description="L’archive est effacée du serveur. Vos données, elles, restent."
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

const Actions = ({ copy }: { copy: CompanyCopy }) => (
  <>
    {copy.kind === 'export' && copy.state === 'done' && (
      <Can call={backups.file}>
        <Button
          variant="secondary"
          size="small"
          icon={<Download aria-hidden="true" />}
          aria-label={`Télécharger ${copy.name}`}
          onClick={() => void download(backups.file, { params: { id: copy.id } }).catch(failed)}
        >
          Télécharger
        </Button>
      </Can>
    )}
    {copy.state === 'read' && <ReviewImport copy={copy} />}
    {copy.state !== 'waiting' && <Remove copy={copy} />}
  </>
)

/** One archive at a time is read or waits to be confirmed. */
const isUnfinishedImport = ({ kind, state }: CompanyCopy) =>
  kind === 'import' && (state === 'waiting' || state === 'read')

const held = ({ rows, files, size }: CompanyCopy) =>
  [
    rows !== null && `${number(rows)} ${rows > 1 ? 'lignes' : 'ligne'}`,
    files !== null && plural(files, 'fichier'),
    size !== null && fileSize(size),
  ]
    .filter(Boolean)
    .join(', ')

const columns: Column<CompanyCopy>[] = [
  {
    header: 'Copie',
    card: 'title',
    cell: ({ kind, name, createdAt, askedBy }) => (
      <span className="block min-w-52">
        <span className="block font-medium">{kind === 'import' ? `Reprise de ${name}` : name}</span>
        <span className="block text-[0.8125rem] text-ink-soft">{`${dateTime(createdAt)}, ${askedBy}`}</span>
      </span>
    ),
  },
  {
    header: 'État',
    card: 'primary',
    cell: ({ state, failure, expiresAt }) => (
      <span className="block max-w-80">
        <Badge tone={COPY_STATES[state].tone}>{COPY_STATES[state].label}</Badge>
        {failure && <span className="mt-1 block text-[0.8125rem] text-danger">{failure}</span>}
        {(state === 'done' || state === 'read') && expiresAt && (
          <span className="mt-1 block text-[0.8125rem] text-ink-soft">{`jusqu’au ${date(expiresAt)}`}</span>
        )}
      </span>
    ),
  },
  { header: 'Contenu', card: 'primary', cell: (copy) => held(copy) || '—' },
]

export function CompanyCopies() {
  const { data, error, refetch } = useQuery({
    ...query(backups.list, {}),
    refetchInterval: ({ state }) => (state.data?.items.some((copy) => copy.state === 'waiting') ? POLL_MS : false),
  })
  return (
    <Card
      title="Copie de l’organisation"
      description="Une archive ZIP&nbsp;: chaque table en JSON et en CSV, vos fichiers, et un mode d’emploi. Ni mot de passe, ni clé, ni secret. Elle reste sept jours."
      actions={data?.items.length !== 0 && <MakeButton />}
    >
      {error ? (
        <ErrorState error={error} onRetry={refetch} />
      ) : !data ? (
        <TableSkeleton label="Copies de l’organisation" />
      ) : data.items.length === 0 ? (
        <EmptyState
          title="Aucune copie pour l’instant"
          why="Une copie se prépare en arrière-plan, puis se télécharge ici."
          action={<MakeButton />}
        />
      ) : (
        <Table
          label="Copies de l’organisation"
          rows={data.items}
          columns={columns}
          rowActions={(copy) => <Actions copy={copy} />}
        />
      )}
      {data?.empty && !data.items.some(isUnfinishedImport) && <ImportCopy />}
    </Card>
  )
}

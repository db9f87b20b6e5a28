import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type ArchivePreview, backups, type CompanyCopy, MAX_ARCHIVE_BYTES } from '@voisol/contract/backups'
import Archive from 'lucide-react/icons/archive'
import Download from 'lucide-react/icons/download'
import { type ComponentProps, useEffect, useRef, useState } from 'react'
import { z } from 'zod'
import { Badge } from '../../../components/badge.tsx'
import { Button } from '../../../components/button.tsx'
import { Card } from '../../../components/card.tsx'
import { SummaryStrip } from '../../../components/detail-screen.tsx'
import { Confirm, Dialog } from '../../../components/dialog.tsx'
import { EmptyState } from '../../../components/empty-state.tsx'
import { ErrorState } from '../../../components/error-state.tsx'
import { FormErrors } from '../../../components/field.tsx'
import { FileDrop } from '../../../components/file-drop.tsx'
import { TableSkeleton } from '../../../components/loading.tsx'
import {
  Reauthentication,
  reauthenticationFields,
  useReauthenticationForm,
} from '../../../components/reauthentication.tsx'
import { type Column, Table } from '../../../components/table.tsx'
import { download } from '../../../lib/call.ts'
import { Can, withAccess } from '../../../lib/can.tsx'
import { formatCount, formatDate, formatDateTime, formatNumber } from '../../../lib/format.ts'
import { query, useAction } from '../../../lib/queries.ts'
import { toast } from '../../../lib/toast.ts'
import { formatFileSize, getCopyState, notifyStarted, showFailure } from './copy-labels.tsx'

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

const LIMIT = `${formatNumber(MAX_ARCHIVE_BYTES / 2 ** 20)}\u00a0Mo`

/** Uploads the copy of another company; only an empty company may, so that the data of two are never mixed. */
const ImportCopy = withAccess(backups.take, () => {
  const upload = useAction(backups.take, [backups.list])
  const send = (file: File) => {
    if (file.size > MAX_ARCHIVE_BYTES)
      return void toast({
        title: 'Copie trop grande',
        description: `Au-delà de ${LIMIT}, demandez la reprise à l’exploitant de l’installation.`,
        variant: 'destructive',
      })
    void upload
      .run({ query: { name: file.name }, upload: file })
      .then(notifyStarted('La copie est en cours de lecture'), showFailure)
  }
  return (
    <Card
      title="Reprendre une copie"
      description="Votre organisation est vide&nbsp;: elle peut recevoir la copie d’une autre. Voisol la lit d’abord et vous montre ce qu’elle apporterait&nbsp;; rien n’est enregistré avant votre confirmation."
    >
      <FileDrop
        accept=".zip"
        label="Choisir une copie"
        hint={upload.isPending ? 'Envoi en cours…' : `ou déposez ici l’archive ZIP, jusqu’à ${LIMIT}.`}
        disabled={upload.isPending}
        onFile={send}
      />
    </Card>
  )
})

const ProofForm = z.object(reauthenticationFields)
const capitalize = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

function Origin({ preview }: { preview: ArchivePreview }) {
  const { company, madeOn, version, signedBy, files, fileBytes } = preview
  return (
    <>
      <SummaryStrip
        facts={[
          { label: 'Organisation', value: company || '—' },
          {
            label: 'Faite',
            value: [madeOn && `le ${formatDate(madeOn)}`, `avec Voisol ${version}`].filter(Boolean).join(', '),
          },
          { label: 'Signée par', value: signedBy ? capitalize(signedBy) : 'Aucune installation de confiance' },
          ...(files ? [{ label: 'Fichiers', value: `${formatNumber(files)} (${formatFileSize(fileBytes)})` }] : []),
        ]}
      />
      {!signedBy && (
        <p role="note" className="rounded-card border border-warning bg-warning-soft p-4 text-body">
          Cette archive ne porte pas la signature d’une installation de confiance. Seuls les participants, les points de
          livraison et leurs courbes sont repris, comme par un import de fichier. Pour reprendre aussi le reste,
          demandez à l’exploitant d’ajouter la clé de l’installation d’origine, puis déposez-la de nouveau.
        </p>
      )}
    </>
  )
}

const Remarks = ({ remarks }: Pick<ArchivePreview, 'remarks'>) =>
  remarks.length > 0 && (
    <section className="grid gap-2">
      <h3 className="font-semibold">À savoir</h3>
      <ul className="grid list-disc gap-1 pl-5 text-body">
        {remarks.map((remark) => (
          <li key={remark}>{remark}</li>
        ))}
      </ul>
    </section>
  )

const Counts = ({ tables }: { tables: ArchivePreview['taken'] }) => (
  <dl className="grid gap-x-8 text-body sm:grid-cols-2">
    {tables.map(({ label, rows }) => (
      <div key={label} className="flex justify-between gap-4 border-b border-line py-1.5">
        <dt>{label}</dt>
        <dd className="tabular font-medium">{formatNumber(rows)}</dd>
      </div>
    ))}
  </dl>
)

/** The server names first what people look for; a list not much longer than that is shown whole. */
const MAIN_TABLES = 6
const MAX_SHOWN_WHOLE = 8

function ImportedTables({ taken }: Pick<ArchivePreview, 'taken'>) {
  const shown = taken.length > MAX_SHOWN_WHOLE ? MAIN_TABLES : taken.length
  const rest = taken.slice(shown)
  return (
    <section className="grid gap-2">
      <h3 className="font-semibold">Ce qui sera repris</h3>
      {taken.length === 0 ? (
        <p className="text-body text-ink-soft">Rien de cette archive ne peut être repris ici.</p>
      ) : (
        <Counts tables={taken.slice(0, shown)} />
      )}
      {rest.length > 0 && (
        <details className="text-body">
          <summary className="min-h-6 cursor-pointer py-1 font-medium text-link">
            {`Et ${formatNumber(rest.length)} autres sortes de données`}
          </summary>
          <Counts tables={rest} />
        </details>
      )}
    </section>
  )
}

type SkippedTable = ArchivePreview['left'][number]
/** More kinds of data than that for one reason are a list under it, and not a title. */
const MAX_TITLE_LABELS = 3

function SkippedGroup({ reason, tables }: { reason: string; tables: SkippedTable[] }) {
  const labels = tables.map(({ label }) => label).join(', ')
  const isLong = tables.length > MAX_TITLE_LABELS
  const rows = tables.every((table) => table.rows !== null)
    ? tables.reduce((sum, table) => sum + (table.rows ?? 0), 0)
    : 0
  return (
    <li className="grid grid-cols-[minmax(0,1fr)_auto] gap-x-4 border-b border-line py-2">
      <span className="font-medium">{isLong ? reason : labels}</span>
      {rows > 0 && (
        <span className="tabular text-ink-soft">{`${formatNumber(rows)} ${rows > 1 ? 'lignes' : 'ligne'}`}</span>
      )}
      <span className="col-span-full text-[0.8125rem] text-ink-soft">{isLong ? labels : reason}</span>
    </li>
  )
}

const SkippedTables = ({ left }: Pick<ArchivePreview, 'left'>) =>
  left.length > 0 && (
    <section className="grid gap-2">
      <h3 className="font-semibold">Ce qui reste dans l’archive</h3>
      <ul className="text-body">
        {[...Map.groupBy(left, ({ why }) => why)].map(([reason, tables]) => (
          <SkippedGroup key={reason} reason={reason} tables={tables} />
        ))}
      </ul>
    </section>
  )

/** What was uploaded, shown whole before anything of it is written; who confirms proves again who they are. */
function ConfirmForm({ copy, onDone }: { copy: CompanyCopy; onDone: () => void }) {
  const confirm = useAction(backups.confirm, [backups.list])
  const form = useReauthenticationForm(ProofForm, {
    defaults: { password: '' },
    save: async (_, body) => {
      await confirm.run({ params: { id: copy.id }, body })
      notifyStarted('La reprise est en cours')()
      onDone()
    },
  })
  return (
    <form onSubmit={form.submit} noValidate className="grid gap-4">
      <FormErrors form={form} />
      <Reauthentication form={form} action="Reprendre cette copie" />
    </form>
  )
}

const ReviewImport = withAccess(backups.confirm, ({ copy }: { copy: CompanyCopy }) => {
  const [open, setOpen] = useState(false)
  const { preview } = copy
  if (!preview) return null
  return (
    <>
      <Button
        size="small"
        className="whitespace-nowrap"
        aria-label={`Voir ce que ${copy.name} apporterait`}
        onClick={() => setOpen(true)}
      >
        Voir et confirmer
      </Button>
      <Dialog
        title={`Reprendre ${copy.name}`}
        description="Rien n’est encore enregistré. À votre confirmation, tout ce qui est annoncé ici est repris, ou rien."
        width="wide"
        open={open}
        onOpenChange={setOpen}
      >
        <div className="grid gap-6 [&>*]:min-w-0">
          <section
            aria-label="Ce que l’archive apporterait"
            // biome-ignore lint/a11y/noNoninteractiveTabindex: the dialog opens at what is to be read, and scrolls with the keyboard
            tabIndex={0}
            className="grid gap-6 rounded-card outline-offset-4 [&>*]:min-w-0"
          >
            <Origin preview={preview} />
            <Remarks remarks={preview.remarks} />
            <ImportedTables taken={preview.taken} />
            <SkippedTables left={preview.left} />
          </section>
          {preview.taken.length > 0 && <ConfirmForm copy={copy} onDone={() => setOpen(false)} />}
        </div>
      </Dialog>
    </>
  )
})

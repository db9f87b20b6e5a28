import { type CurveImport, curves } from '@voisol/contract/curves'
import type { Operation } from '@voisol/contract/operations'
import { useRef } from 'react'
import { useSearchParams } from 'react-router'
import { Badge } from '../../../../components/badge.tsx'
import { Button } from '../../../../components/button.tsx'
import { Card } from '../../../../components/card.tsx'
import { FilterChips } from '../../../../components/filter-bar.tsx'
import { ListScreen } from '../../../../components/list-screen.tsx'
import type { Column } from '../../../../components/table.tsx'
import { toChoices } from '../../../../lib/energy-labels.ts'
import { formatDateTime } from '../../../../lib/format.ts'
import { useList } from '../../../../lib/queries.ts'
import { UploadDrop, useFileUpload } from '../file-upload.tsx'
import { formatShortDayRange, IMPORT_STATUS_BADGES } from '../labels.ts'
import { AbandonButton } from './curve-import.tsx'
import { ImportQueue } from './import-queue.tsx'
import { ImportView } from './import-view.tsx'

const OPEN_PARAM = 'import'
const BATCH_PARAM = 'lot'

/** The files dropped together, and the one that is open, are in the address: they can be left, and found again. */
function useOpenImports() {
  const [search, setSearch] = useSearchParams()
  const write = (key: string, next: string | null) =>
    setSearch(
      (old) => {
        if (next === null) old.delete(key)
        else old.set(key, next)
        return old
      },
      { preventScrollReset: true, replace: key === BATCH_PARAM },
    )
  const batchIds = search.get(BATCH_PARAM)?.split(',').filter(Boolean) ?? []
  // Files of one drop follow each other faster than the address: each finds here those before it.
  const batchRef = useRef(batchIds)
  return {
    id: search.get(OPEN_PARAM),
    lot: batchIds,
    open: (next: string | null) => write(OPEN_PARAM, next),
    add: (id: string) => {
      batchRef.current = [...new Set([...batchRef.current, id])]
      write(BATCH_PARAM, batchRef.current.join(','))
    },
    leave: () => {
      batchRef.current = []
      write(BATCH_PARAM, null)
    },
  }
}

export default function ImportsTab({ operation }: { operation?: Operation }) {
  const { id, lot, open, add, leave } = useOpenImports()
  return (
    <div className="grid gap-6 [&>*]:min-w-0">
      {lot.length > 0 && <ImportQueue ids={lot} openId={id} onOpen={open} onLeave={leave} />}
      {id === null ? (
        <ImportDrop onStarted={open} onAdded={add} />
      ) : (
        <ImportView key={id} id={id} operation={operation} onClose={() => open(null)} />
      )}
      <ImportHistory onOpen={open} openId={id} />
    </div>
  )
}

type Props = {
  /** A file alone opens at once. */
  onStarted: (id: string) => void
  /** One of several joins the others. */
  onAdded: (id: string) => void
}

/** Any files of load curves; what each is will be found out. */
function ImportDrop({ onStarted, onAdded }: Props) {
  const several = useRef(false)
  const { send, ...state } = useFileUpload(curves.upload, ({ id }) => (several.current ? onAdded(id) : onStarted(id)))
  return (
    <Card
      title="Importer des courbes"
      description="Fichiers d’Enedis (R63, historique de mesures, flux R50 et R4x), exports de l’espace client ou d’un fournisseur (EDF…), ou tout tableau CSV ou Excel de dates et de valeurs. Rien n’est enregistré avant votre accord."
    >
      <UploadDrop
        {...state}
        several
        accept=".csv,.txt,.xml,.json,.xlsx"
        most={curves.upload.upload}
        kinds="CSV, Excel, XML ou JSON"
        onFiles={(files) => {
          several.current = files.length > 1
          void send(files, ({ name }) => ({ query: { name } }))
        }}
      />
    </Card>
  )
}

type ImportRow = Omit<CurveImport, 'problems' | 'series' | 'asked'>

const buildColumns = (onOpen: (id: string) => void, openId: string | null): Column<ImportRow>[] => [
  {
    header: 'Fichier',
    card: 'title',
    sort: 'name',
    cell: ({ id, name, detected }) => (
      <span className="block min-w-64 py-1">
        <button
          type="button"
          aria-current={id === openId ? 'true' : undefined}
          onClick={() => onOpen(id)}
          className="min-h-6 text-left font-medium break-words text-link hover:underline"
        >
          {name}
        </button>
        {detected && <span className="block text-[0.8125rem] text-ink-soft">{detected.formatLabel}</span>}
      </span>
    ),
  },
  {
    header: 'État',
    card: 'primary',
    sort: 'status',
    cell: ({ status }) => <Badge tone={IMPORT_STATUS_BADGES[status].tone}>{IMPORT_STATUS_BADGES[status].label}</Badge>,
  },
  {
    header: 'Période',
    card: 'primary',
    cell: ({ detected }) => (
      <span className="tabular whitespace-nowrap">
        {detected ? formatShortDayRange(detected.from, detected.to) : '–'}
      </span>
    ),
  },
  {
    header: 'Résultat',
    card: 'secondary',
    cell: ({ message }) => (
      <span title={message} className="line-clamp-2 min-w-64">
        {message || '–'}
      </span>
    ),
  },
  {
    header: 'Déposé',
    card: 'primary',
    sort: 'createdAt',
    cell: ({ createdAt, createdBy }) => (
      <span className="block whitespace-nowrap">
        <span className="tabular block">{formatDateTime(createdAt)}</span>
        <span className="block text-[0.8125rem] text-ink-soft">{createdBy || 'Reçu sans dépôt'}</span>
      </span>
    ),
  },
]

const canAbandon = ({ status }: ImportRow) => status === 'reading' || status === 'ready' || status === 'refused'

/** Every file that was ever dropped, by anybody of the organisation. */
function ImportHistory({ onOpen, openId }: { onOpen: (id: string) => void; openId: string | null }) {
  const list = useList(curves.imports)
  return (
    <section aria-labelledby="imports-history" className="grid gap-4 [&>*]:min-w-0">
      <h2 id="imports-history" className="text-base font-semibold tracking-[-0.01em]">
        Historique des imports
      </h2>
      <ListScreen
        list={list}
        label="Imports de courbes"
        search="Rechercher un fichier"
        columns={buildColumns(onOpen, openId)}
        filters={
          <FilterChips
            label="État"
            options={toChoices(IMPORT_STATUS_BADGES)}
            value={list.filters.status}
            onChange={(status) => list.setFilters({ status })}
          />
        }
        rowActions={(row) => (
          <>
            <Button variant="secondary" size="small" onClick={() => onOpen(row.id)}>
              Ouvrir
            </Button>
            {canAbandon(row) && <AbandonButton id={row.id} name={row.name} small />}
          </>
        )}
        empty={<p className="py-4 text-body text-ink-soft">Aucun fichier n’a encore été déposé.</p>}
      />
    </section>
  )
}

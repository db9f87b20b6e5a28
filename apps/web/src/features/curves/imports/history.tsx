import { type CurveImport, curves } from '@voisol/contract/curves'
import { toChoices } from '../../../lib/energy-labels.ts'
import { formatDateTime } from '../../../lib/format.ts'
import { useList } from '../../../lib/queries.ts'
import { Badge } from '../../../ui/badge.tsx'
import { Button } from '../../../ui/button.tsx'
import { FilterChips } from '../../../ui/filter-chips.tsx'
import { ListScreen } from '../../../ui/list-screen.tsx'
import type { Column } from '../../../ui/table.tsx'
import { formatShortDayRange, IMPORT_STATUS_BADGES } from '../labels.ts'
import { AbandonButton } from './abandon.tsx'

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
export function ImportHistory({ onOpen, openId }: { onOpen: (id: string) => void; openId: string | null }) {
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

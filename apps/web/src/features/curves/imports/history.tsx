import { type CurveImport, curves } from '@voisol/contract/curves'
import { choices } from '../../../lib/energy-labels.ts'
import { dateTime } from '../../../lib/format.ts'
import { useList } from '../../../lib/queries.ts'
import { Badge } from '../../../ui/badge.tsx'
import { Button } from '../../../ui/button.tsx'
import { FilterChips } from '../../../ui/filter-chips.tsx'
import { ListScreen } from '../../../ui/list-screen.tsx'
import type { Column } from '../../../ui/table.tsx'
import { IMPORT_STATUSES, shortDays } from '../labels.ts'
import { AbandonButton } from './abandon.tsx'

type Row = Omit<CurveImport, 'problems' | 'series' | 'asked'>

const columnsFor = (onOpen: (id: string) => void, openId: string | null): Column<Row>[] => [
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
    cell: ({ status }) => <Badge tone={IMPORT_STATUSES[status].tone}>{IMPORT_STATUSES[status].label}</Badge>,
  },
  {
    header: 'Période',
    card: 'primary',
    cell: ({ detected }) => (
      <span className="tabular whitespace-nowrap">{detected ? shortDays(detected.from, detected.to) : '–'}</span>
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
        <span className="tabular block">{dateTime(createdAt)}</span>
        <span className="block text-[0.8125rem] text-ink-soft">{createdBy || 'Reçu sans dépôt'}</span>
      </span>
    ),
  },
]

const canLeave = ({ status }: Row) => status === 'reading' || status === 'ready' || status === 'refused'

/** Every file that was ever dropped, by anybody of the organisation. */
export function History({ onOpen, openId }: { onOpen: (id: string) => void; openId: string | null }) {
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
        columns={columnsFor(onOpen, openId)}
        filters={
          <FilterChips
            label="État"
            options={choices(IMPORT_STATUSES)}
            value={list.filters.status}
            onChange={(status) => list.setFilters({ status })}
          />
        }
        rowActions={(row) => (
          <>
            <Button variant="secondary" size="small" onClick={() => onOpen(row.id)}>
              Ouvrir
            </Button>
            {canLeave(row) && <AbandonButton id={row.id} name={row.name} small />}
          </>
        )}
        empty={<p className="py-4 text-body text-ink-soft">Aucun fichier n’a encore été déposé.</p>}
      />
    </section>
  )
}

import { type SeoRecord, seo } from '@voisol/contract/seo'
import TriangleAlert from 'lucide-react/icons/triangle-alert'
import { useSearchParams } from 'react-router'
import { useCan } from '../../lib/can.tsx'
import { useList } from '../../lib/queries.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { FilterChips } from '../../ui/filter-chips.tsx'
import { ListScreen } from '../../ui/list-screen.tsx'
import type { Column } from '../../ui/table.tsx'
import { SeoPageDialog } from './page-sheet.tsx'

type Row = SeoRecord & { id: string }

const STATE_OPTIONS = [
  { value: 'warning', label: 'À revoir' },
  { value: 'record', label: 'Personnalisées' },
  { value: 'own', label: 'D’origine' },
]

const WarningList = ({ warnings }: { warnings: string[] }) =>
  warnings.length === 0 ? (
    <span className="text-ink-soft">–</span>
  ) : (
    <ul className="grid min-w-52 gap-1 text-[0.8125rem]">
      {warnings.map((warning) => (
        <li key={warning} className="flex items-start gap-1.5">
          <TriangleAlert aria-hidden="true" className="mt-0.5 size-3.5 shrink-0 text-warning" />
          {warning}
        </li>
      ))}
    </ul>
  )

const columns: Column<Row>[] = [
  {
    header: 'Adresse',
    card: 'title',
    sort: 'path',
    cell: ({ path }) => <span className="block min-w-44 font-medium break-words">{path}</span>,
  },
  {
    header: 'Titre et description servis',
    card: 'secondary',
    sort: 'title',
    cell: ({ served }) => (
      <span className="block min-w-64 max-w-xl">
        <span className="block">{served.title}</span>
        <span className="line-clamp-2 text-[0.8125rem] text-ink-soft">{served.description}</span>
      </span>
    ),
  },
  {
    header: 'Origine',
    card: 'primary',
    cell: ({ hasRecord }) =>
      hasRecord ? <Badge tone="info">Personnalisée</Badge> : <Badge tone="neutral">D’origine</Badge>,
  },
  {
    header: 'À revoir',
    card: 'secondary',
    sort: 'warnings',
    cell: ({ warnings }) => <WarningList warnings={warnings} />,
  },
]

export function SeoPageList() {
  const list = useList(seo.list)
  const verb = useCan()(seo.save) ? 'Modifier' : 'Voir'
  const [search, setSearch] = useSearchParams()
  const open = (path: string | null) =>
    setSearch(
      (old) => {
        if (path) old.set('adresse', path)
        else old.delete('adresse')
        return old
      },
      { preventScrollReset: true },
    )
  const openPath = search.get('adresse')
  return (
    <>
      <ListScreen
        list={{ ...list, items: list.items.map((record) => ({ ...record, id: record.path })) }}
        label="Pages du site"
        search="Rechercher une adresse, un titre, un mot"
        columns={columns}
        filters={
          <FilterChips
            label="État"
            options={STATE_OPTIONS}
            value={list.filters.state}
            onChange={(state) => list.setFilters({ state })}
          />
        }
        rowActions={({ path }) => (
          <Button variant="quiet" size="small" aria-label={`${verb} ${path}`} onClick={() => open(path)}>
            {verb}
          </Button>
        )}
        empty={
          <EmptyState
            title="Aucune page"
            why="Les pages du site apparaîtront ici, avec le titre et la description que lisent les moteurs de recherche."
            because="comes-by-itself"
          />
        }
      />
      {openPath && <SeoPageDialog path={openPath} onClose={() => open(null)} />}
    </>
  )
}

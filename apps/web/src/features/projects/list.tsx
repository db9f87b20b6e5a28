import { TableFormat } from '@voisol/contract/primitives'
import { projects } from '@voisol/contract/projects'
import Plus from 'lucide-react/icons/plus'
import { useSearchParams } from 'react-router'
import { choices } from '../../lib/energy-labels.ts'
import { useList } from '../../lib/queries.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ExportMenu } from '../../ui/export-menu.tsx'
import { FilterChips } from '../../ui/filter-chips.tsx'
import { ListScreen } from '../../ui/list-screen.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { Select } from '../../ui/select.tsx'
import { Board } from './board.tsx'
import { columns } from './columns.tsx'
import { Gallery } from './gallery.tsx'
import { KINDS, STATUSES } from './labels.ts'
import { ProjectsMap } from './projects-map.tsx'
import { type View, ViewSwitch, viewOf } from './view-switch.tsx'

const EVERYTHING = { size: 500 }
const create = (
  <ButtonLink to="/projects/new" icon={<Plus aria-hidden="true" />}>
    Nouveau projet
  </ButtonLink>
)
const nothing = (
  <EmptyState
    title="Aucun projet"
    why="Un projet est une opération avant qu’elle existe&nbsp;: des toitures, des candidats, une étude."
    action={<ButtonLink to="/projects/new">Créer un projet</ButtonLink>}
  />
)

type List = ReturnType<typeof useList<typeof projects.list>>

const Filters = ({ list, view }: { list: List; view: View }) => (
  <>
    <Select
      aria-label="Type de projet"
      value={list.filters.kind ?? ''}
      onChange={(event) => list.setFilters({ kind: event.target.value || undefined })}
      options={[{ value: '', label: 'Tous les types' }, ...choices(KINDS)]}
      className="sm:w-44"
    />
    {view !== 'kanban' && (
      <FilterChips
        label="État"
        options={choices(STATUSES)}
        value={list.filters.status}
        onChange={(status) => list.setFilters({ status })}
      />
    )}
  </>
)

/** The columns of the board are the states: a filter on one of them would only empty the others. */
const fixedOf = (view: View) =>
  view === 'liste' ? {} : { ...EVERYTHING, ...(view === 'kanban' && { status: undefined }) }

export default function ProjectList() {
  const [search] = useSearchParams()
  const view = viewOf(search.get('vue'))
  const list = useList(projects.list, fixedOf(view))
  const shared = {
    list,
    label: 'Projets',
    search: 'Rechercher un projet ou une ville',
    filters: <Filters list={list} view={view} />,
    exports: (
      <ExportMenu
        endpoint={projects.export}
        input={(format) => ({ query: { ...list.filters, format: TableFormat.parse(format) } })}
      />
    ),
    empty: nothing,
  }
  return (
    <>
      <PageHeader
        title="Projets"
        description="Les opérations en préparation, du premier contact à la mise en service."
        actions={create}
      />
      <div className="grid gap-4 [&>*]:min-w-0">
        <ViewSwitch view={view} />
        {view === 'liste' ? (
          <ListScreen {...shared} columns={columns} />
        ) : (
          <Gallery {...shared}>
            {view === 'kanban' ? <Board projects={list.items} /> : <ProjectsMap projects={list.items} />}
          </Gallery>
        )}
      </div>
    </>
  )
}

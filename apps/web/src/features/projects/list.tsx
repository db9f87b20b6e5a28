import { TableFormat } from '@voisol/contract/primitives'
import { projects } from '@voisol/contract/projects'
import Plus from 'lucide-react/icons/plus'
import { useSearchParams } from 'react-router'
import { toChoices } from '../../lib/energy-labels.ts'
import { useList } from '../../lib/queries.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ExportMenu } from '../../ui/export-menu.tsx'
import { FilterChips } from '../../ui/filter-chips.tsx'
import { ListScreen } from '../../ui/list-screen.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { Select } from '../../ui/select.tsx'
import { ProjectBoard } from './board.tsx'
import { projectColumns } from './columns.tsx'
import { Gallery } from './gallery.tsx'
import { PROJECT_KIND_LABELS, PROJECT_STATUS_LABELS } from './labels.ts'
import { ProjectsMap } from './projects-map.tsx'
import { type ProjectListView, toProjectListView, ViewSwitch } from './view-switch.tsx'

const ALL_PROJECTS = { size: 500 }
const createButton = (
  <ButtonLink to="/projects/new" icon={<Plus aria-hidden="true" />}>
    Nouveau projet
  </ButtonLink>
)
const emptyState = (
  <EmptyState
    title="Aucun projet"
    why="Un projet est une opération avant qu’elle existe&nbsp;: des toitures, des candidats, une étude."
    action={<ButtonLink to="/projects/new">Créer un projet</ButtonLink>}
  />
)

type ProjectListState = ReturnType<typeof useList<typeof projects.list>>

const ProjectFilters = ({ list, view }: { list: ProjectListState; view: ProjectListView }) => (
  <>
    <Select
      aria-label="Type de projet"
      value={list.filters.kind ?? ''}
      onChange={(event) => list.setFilters({ kind: event.target.value || undefined })}
      options={[{ value: '', label: 'Tous les types' }, ...toChoices(PROJECT_KIND_LABELS)]}
      className="sm:w-44"
    />
    {view !== 'kanban' && (
      <FilterChips
        label="État"
        options={toChoices(PROJECT_STATUS_LABELS)}
        value={list.filters.status}
        onChange={(status) => list.setFilters({ status })}
      />
    )}
  </>
)

/** The columns of the board are the states: a filter on one of them would only empty the others. */
const getFixedFilters = (view: ProjectListView) =>
  view === 'liste' ? {} : { ...ALL_PROJECTS, ...(view === 'kanban' && { status: undefined }) }

export default function ProjectList() {
  const [search] = useSearchParams()
  const view = toProjectListView(search.get('vue'))
  const list = useList(projects.list, getFixedFilters(view))
  const shared = {
    list,
    label: 'Projets',
    search: 'Rechercher un projet ou une ville',
    filters: <ProjectFilters list={list} view={view} />,
    exports: (
      <ExportMenu
        endpoint={projects.export}
        input={(format) => ({ query: { ...list.filters, format: TableFormat.parse(format) } })}
      />
    ),
    empty: emptyState,
  }
  return (
    <>
      <PageHeader
        title="Projets"
        description="Les opérations en préparation, du premier contact à la mise en service."
        actions={createButton}
      />
      <div className="grid gap-4 [&>*]:min-w-0">
        <ViewSwitch view={view} />
        {view === 'liste' ? (
          <ListScreen {...shared} columns={projectColumns} />
        ) : (
          <Gallery {...shared}>
            {view === 'kanban' ? <ProjectBoard projects={list.items} /> : <ProjectsMap projects={list.items} />}
          </Gallery>
        )}
      </div>
    </>
  )
}

import { TableFormat } from '@voisol/contract/primitives'
import { projects as api, type Project, projects } from '@voisol/contract/projects'
import Ellipsis from 'lucide-react/icons/ellipsis'
import Kanban from 'lucide-react/icons/kanban'
import List from 'lucide-react/icons/list'
import MapIcon from 'lucide-react/icons/map'
import Plus from 'lucide-react/icons/plus'
import { type DragEvent, type ReactNode, useState } from 'react'
import { useSearchParams } from 'react-router'
import { Button, ButtonLink } from '../../../components/button.tsx'
import { Card } from '../../../components/card.tsx'
import { cx } from '../../../components/cx.ts'
import { EmptyState } from '../../../components/empty-state.tsx'
import { ErrorState } from '../../../components/error-state.tsx'
import { ExportMenu } from '../../../components/export-menu.tsx'
import { FilterChips, SearchBox } from '../../../components/filter-bar.tsx'
import { IconButton } from '../../../components/icon-button.tsx'
import { Select } from '../../../components/input.tsx'
import { Link } from '../../../components/link.tsx'
import { ListScreen, type ListState } from '../../../components/list-screen.tsx'
import { Skeleton } from '../../../components/loading.tsx'
import { FranceMap, type ProjectPin } from '../../../components/map/france-map.tsx'
import { Menu, MenuItem, MenuLabel, MenuLink, MenuSeparator } from '../../../components/menu.tsx'
import { PageHeader } from '../../../components/page-header.tsx'
import { Can, useCan, withAccess } from '../../../lib/can.tsx'
import { toChoices } from '../../../lib/energy-labels.ts'
import { formatCount } from '../../../lib/format.ts'
import { useList } from '../../../lib/queries.ts'
import { toast } from '../../../lib/toast.ts'
import { formatKwc, PROJECT_KIND_LABELS, PROJECT_STATUS_LABELS, type ProjectStatus } from './labels.ts'
import { NextStep, projectColumns } from './project-columns.tsx'
import { formatMove, getAllowedMoves, type ProjectMove, ProjectMoveDialog } from './project-moves.tsx'
import { createFailureHandler, useMoveProjectAction } from './use-project.tsx'

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

const toPin = ({ id, name, status, city, peakWatts, candidates, latitude, longitude }: Project): ProjectPin => ({
  id,
  label: name,
  detail: [
    PROJECT_STATUS_LABELS[status].label,
    city,
    peakWatts ? formatKwc(peakWatts) : '',
    formatCount(candidates, 'candidat'),
  ]
    .filter(Boolean)
    .join(' · '),
  color: PROJECT_STATUS_LABELS[status].color,
  link: (
    <Link to={`/projects/${id}`} className="inline-flex min-h-6 items-center text-link">
      {name}
    </Link>
  ),
  ...(latitude !== null && longitude !== null && { lat: latitude, lon: longitude }),
})

const PROJECT_STATUS_ORDER: ProjectStatus[] = ['prospect', 'study', 'agreement', 'running', 'abandoned']

function ProjectsMap({ projects }: { projects: Project[] }) {
  const present = PROJECT_STATUS_ORDER.filter((status) => projects.some((project) => project.status === status))
  return (
    <Card>
      <ul className="mb-4 flex flex-wrap gap-x-5 gap-y-1 text-[0.8125rem] text-ink-soft">
        {present.map((status) => (
          <li key={status} className="inline-flex items-center gap-1.5">
            <span
              aria-hidden="true"
              className="size-2.5 rounded-full"
              style={{ background: PROJECT_STATUS_LABELS[status].color }}
            />
            {PROJECT_STATUS_LABELS[status].label}
          </li>
        ))}
      </ul>
      <FranceMap title="Carte des projets" pins={projects.map(toPin)} />
    </Card>
  )
}

const VIEW_OPTIONS = [
  { value: 'liste', label: 'Liste', Icon: List },
  { value: 'kanban', label: 'Kanban', Icon: Kanban },
  { value: 'carte', label: 'Carte', Icon: MapIcon },
] as const
type ProjectListView = (typeof VIEW_OPTIONS)[number]['value']

const toProjectListView = (asked: string | null): ProjectListView =>
  VIEW_OPTIONS.find(({ value }) => value === asked)?.value ?? 'liste'

/** Three ways to see the same projects; the one in use is in the address. */
function ViewSwitch({ view }: { view: ProjectListView }) {
  const [, setSearch] = useSearchParams()
  const open = (next: ProjectListView) =>
    setSearch((old) => {
      old.delete('page')
      if (next === 'liste') old.delete('vue')
      else old.set('vue', next)
      return old
    })
  return (
    <fieldset data-print="hide" className="inline-flex w-fit rounded-control border border-line-strong bg-card p-0.5">
      <legend className="sr-only">Présentation</legend>
      {VIEW_OPTIONS.map(({ value, label, Icon }) => (
        <button
          key={value}
          type="button"
          aria-pressed={value === view}
          onClick={() => open(value)}
          className={cx(
            'inline-flex min-h-8 items-center gap-2 rounded-[calc(var(--radius-control)-3px)] px-3 text-[0.8125rem] font-medium transition-colors duration-150',
            value === view ? 'bg-primary-soft text-primary-ink' : 'text-ink-soft hover:text-ink',
          )}
        >
          <Icon aria-hidden="true" className="size-4" />
          {label}
        </button>
      ))}
    </fieldset>
  )
}

type GalleryProps = {
  list: ListState<Project>
  search: string
  filters: ReactNode
  exports: ReactNode
  empty: ReactNode
  children: ReactNode
}

const toText = (value: unknown) => (typeof value === 'string' ? value : '')

function GalleryContent({ list, empty, children }: Pick<GalleryProps, 'list' | 'empty' | 'children'>) {
  if (list.error) return <ErrorState error={list.error} onRetry={list.refetch} />
  if (list.isPending) return <Skeleton className="h-96 w-full rounded-card" />
  const { q, kind, status } = list.filters
  if (list.total > 0)
    return (
      <>
        {children}
        {list.total > list.items.length && (
          <p className="text-body text-ink-soft">
            Les {formatCount(list.items.length, 'premier projet', 'premiers projets')} sur {list.total}&nbsp;: affinez
            la recherche pour voir les autres.
          </p>
        )}
      </>
    )
  if (!(q || kind || status)) return empty
  return (
    <EmptyState
      title="Aucun résultat"
      why="Aucun projet ne correspond à la recherche et aux filtres choisis."
      action={
        <Button
          variant="secondary"
          onClick={() => list.setFilters({ q: undefined, kind: undefined, status: undefined })}
        >
          Effacer les filtres
        </Button>
      }
    />
  )
}

/** The tools of the list around another picture of the same rows. */
const Gallery = ({ list, search, filters, exports, empty, children }: GalleryProps) => (
  <div className="grid gap-4 [&>*]:min-w-0">
    <div data-print="hide" className="flex flex-wrap items-center gap-3">
      <SearchBox
        label={search}
        value={toText(list.filters.q)}
        onSearch={(q) => list.setFilters({ q: q || undefined })}
        className="w-full sm:w-80"
      />
      {filters}
      <div className="flex flex-wrap gap-2 sm:ml-auto">{exports}</div>
    </div>
    <GalleryContent list={list} empty={empty}>
      {children}
    </GalleryContent>
  </div>
)

type BoardColumnProps = {
  status: ProjectStatus
  projects: Project[]
  dragged: Project | null
  onDrag: (project: Project | null) => void
  onMove: (project: Project, to: ProjectStatus) => void
}

function BoardColumn({ status, projects, dragged, onDrag, onMove }: BoardColumnProps) {
  const { label, color } = PROJECT_STATUS_LABELS[status]
  const acceptsDrop = dragged !== null && getAllowedMoves(dragged).includes(status)
  const allowDrop = (event: DragEvent) => {
    if (acceptsDrop) event.preventDefault()
  }
  const dropCard = (event: DragEvent) => {
    event.preventDefault()
    if (acceptsDrop) onMove(dragged, status)
  }
  return (
    <section
      aria-label={label}
      onDragOver={allowDrop}
      onDrop={dropCard}
      className={cx(
        'flex min-h-40 w-72 shrink-0 snap-start flex-col gap-2 rounded-card border p-2 transition-colors duration-150 xl:w-auto xl:min-w-0 xl:flex-1',
        acceptsDrop ? 'border-primary-ink border-dashed bg-primary-soft' : 'border-line bg-slate-100/60',
        dragged && !acceptsDrop && dragged.status !== status && 'opacity-60',
      )}
    >
      <h2 className="flex items-center gap-2 px-2 pt-1 text-body font-semibold">
        <span aria-hidden="true" className="size-2 rounded-full" style={{ background: color }} />
        {label}
        <span className="tabular font-normal text-ink-soft">
          <span aria-hidden="true">{projects.length}</span>
          <span className="sr-only">{formatCount(projects.length, 'projet')}</span>
        </span>
      </h2>
      {projects.length === 0 && <p className="px-2 py-3 text-[0.8125rem] text-ink-soft">Aucun projet.</p>}
      <ul className="grid grid-cols-[minmax(0,1fr)] gap-2">
        {projects.map((project) => (
          <BoardCard key={project.id} project={project} onDrag={onDrag} onMove={onMove} />
        ))}
      </ul>
    </section>
  )
}

type BoardHandlers = Pick<BoardColumnProps, 'dragged' | 'onDrag' | 'onMove'>

const BoardColumns = ({ projects, ...handlers }: { projects: Project[] } & BoardHandlers) => (
  /* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable with the keyboard */
  <section aria-label="Projets par état" tabIndex={0} className="relative flex snap-x gap-3 overflow-x-auto pb-2">
    {PROJECT_STATUS_ORDER.map((status) => (
      <BoardColumn
        key={status}
        status={status}
        projects={projects.filter((project) => project.status === status)}
        {...handlers}
      />
    ))}
  </section>
)

function EditableBoard({ projects }: { projects: Project[] }) {
  const [dragged, setDragged] = useState<Project | null>(null)
  const [moving, setMoving] = useState<ProjectMove | null>(null)
  const move = useMoveProjectAction()
  const startMove = (project: Project, to: ProjectStatus) => {
    setDragged(null)
    if (to === 'running' || to === 'abandoned') return setMoving({ project, to })
    void move
      .run({ params: { id: project.id }, body: { status: to, version: project.version } })
      .then(() => toast({ title: `${project.name}\u00a0: ${PROJECT_STATUS_LABELS[to].label}`, variant: 'success' }))
      .catch(createFailureHandler('Déplacement impossible'))
  }
  return (
    <>
      <BoardColumns projects={projects} dragged={dragged} onDrag={setDragged} onMove={startMove} />
      {moving && <ProjectMoveDialog {...moving} onClose={() => setMoving(null)} />}
    </>
  )
}

const ignoreMove = () => {}

/** Projects by state. A card is dragged to another column, or moved from its menu, by those who may. */
const ProjectBoard = ({ projects }: { projects: Project[] }) => (
  <Can
    call={api.move}
    otherwise={<BoardColumns projects={projects} dragged={null} onDrag={ignoreMove} onMove={ignoreMove} />}
  >
    <EditableBoard projects={projects} />
  </Can>
)

type CardProps = {
  project: Project
  onDrag: (project: Project | null) => void
  onMove: (project: Project, to: ProjectStatus) => void
}

/** Without a right to change it, its name alone leads to the project. */
const CardMenu = withAccess(projects.move, ({ project, onMove }: Omit<CardProps, 'onDrag'>) => (
  <Menu
    trigger={
      <IconButton
        label={`Déplacer ou ouvrir ${project.name}`}
        icon={<Ellipsis aria-hidden="true" />}
        className="-mt-1.5 -mr-1.5"
      />
    }
  >
    {getAllowedMoves(project).length > 0 && <MenuLabel>Déplacer</MenuLabel>}
    {getAllowedMoves(project).map((to) => (
      <MenuItem key={to} tone={to === 'abandoned' ? 'danger' : 'neutral'} onSelect={() => onMove(project, to)}>
        {formatMove(project.status, to)}
      </MenuItem>
    ))}
    {getAllowedMoves(project).length > 0 && <MenuSeparator />}
    <MenuLink to={`/projects/${project.id}`}>Ouvrir le projet</MenuLink>
    <MenuLink to={`/projects/${project.id}/edit`}>Modifier</MenuLink>
  </Menu>
))

const formatSize = ({ peakWatts, candidates }: Project) =>
  [peakWatts ? formatKwc(peakWatts) : '', formatCount(candidates, 'candidat')].filter(Boolean).join(' · ')

function BoardCard({ project, onDrag, onMove }: CardProps) {
  const { id, name, kind, city, nextStep } = project
  const isFixed = !useCan()(projects.move) || getAllowedMoves(project).length === 0
  return (
    <li
      draggable={!isFixed}
      onDragStart={(event) => {
        event.dataTransfer.effectAllowed = 'move'
        event.dataTransfer.setData('text/plain', name)
        onDrag(project)
      }}
      onDragEnd={() => onDrag(null)}
      className={`rounded-control border border-line bg-card p-3 shadow-card ${isFixed ? '' : 'cursor-grab active:cursor-grabbing'}`}
    >
      <div className="flex items-start justify-between gap-2">
        <Link to={`/projects/${id}`} draggable={false} className="min-h-6 min-w-0 break-words font-medium text-link">
          {name}
        </Link>
        <CardMenu project={project} onMove={onMove} />
      </div>
      <p className="text-[0.8125rem] text-ink-soft">{[PROJECT_KIND_LABELS[kind], city].filter(Boolean).join(' · ')}</p>
      <p className="tabular mt-2 text-[0.8125rem]">{formatSize(project)}</p>
      {nextStep && (
        <div className="mt-2 border-t border-line pt-2 text-[0.8125rem]">
          <NextStep step={nextStep} />
        </div>
      )}
    </li>
  )
}

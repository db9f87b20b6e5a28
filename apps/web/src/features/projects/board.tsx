import { projects as api, type Project } from '@voisol/contract/projects'
import { type DragEvent, useState } from 'react'
import { Can } from '../../lib/can.tsx'
import { formatCount } from '../../lib/format.ts'
import { toast } from '../../lib/toast.ts'
import { cx } from '../../ui/cx.ts'
import { BoardCard } from './board-card.tsx'
import { PROJECT_STATUS_LABELS, PROJECT_STATUS_ORDER, type ProjectStatus } from './labels.ts'
import { type ProjectMove, ProjectMoveDialog } from './move-dialog.tsx'
import { getAllowedMoves } from './moves.ts'
import { createFailureHandler, useMoveProjectAction } from './use-project.ts'

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
export const ProjectBoard = ({ projects }: { projects: Project[] }) => (
  <Can
    call={api.move}
    otherwise={<BoardColumns projects={projects} dragged={null} onDrag={ignoreMove} onMove={ignoreMove} />}
  >
    <EditableBoard projects={projects} />
  </Can>
)

import { projects as api, type Project } from '@voisol/contract/projects'
import { type DragEvent, useState } from 'react'
import { Can } from '../../lib/can.tsx'
import { plural } from '../../lib/format.ts'
import { toast } from '../../lib/toast.ts'
import { cx } from '../../ui/cx.ts'
import { BoardCard } from './board-card.tsx'
import { STATUS_ORDER, STATUSES, type Status } from './labels.ts'
import { MoveDialog, type Moving } from './move-dialog.tsx'
import { movesOf } from './moves.ts'
import { failed, useMove } from './use-project.ts'

type ColumnProps = {
  status: Status
  projects: Project[]
  dragged: Project | null
  onDrag: (project: Project | null) => void
  onMove: (project: Project, to: Status) => void
}

function BoardColumn({ status, projects, dragged, onDrag, onMove }: ColumnProps) {
  const { label, color } = STATUSES[status]
  const open = dragged !== null && movesOf(dragged).includes(status)
  const over = (event: DragEvent) => {
    if (open) event.preventDefault()
  }
  const drop = (event: DragEvent) => {
    event.preventDefault()
    if (open) onMove(dragged, status)
  }
  return (
    <section
      aria-label={label}
      onDragOver={over}
      onDrop={drop}
      className={cx(
        'flex min-h-40 w-72 shrink-0 snap-start flex-col gap-2 rounded-card border p-2 transition-colors duration-150 xl:w-auto xl:min-w-0 xl:flex-1',
        open ? 'border-primary-ink border-dashed bg-primary-soft' : 'border-line bg-slate-100/60',
        dragged && !open && dragged.status !== status && 'opacity-60',
      )}
    >
      <h2 className="flex items-center gap-2 px-2 pt-1 text-body font-semibold">
        <span aria-hidden="true" className="size-2 rounded-full" style={{ background: color }} />
        {label}
        <span className="tabular font-normal text-ink-soft">
          <span aria-hidden="true">{projects.length}</span>
          <span className="sr-only">{plural(projects.length, 'projet')}</span>
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

type Handlers = Pick<ColumnProps, 'dragged' | 'onDrag' | 'onMove'>

const Columns = ({ projects, ...handlers }: { projects: Project[] } & Handlers) => (
  /* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable with the keyboard */
  <section aria-label="Projets par état" tabIndex={0} className="relative flex snap-x gap-3 overflow-x-auto pb-2">
    {STATUS_ORDER.map((status) => (
      <BoardColumn
        key={status}
        status={status}
        projects={projects.filter((project) => project.status === status)}
        {...handlers}
      />
    ))}
  </section>
)

function MovingBoard({ projects }: { projects: Project[] }) {
  const [dragged, setDragged] = useState<Project | null>(null)
  const [moving, setMoving] = useState<Moving | null>(null)
  const move = useMove()
  const start = (project: Project, to: Status) => {
    setDragged(null)
    if (to === 'running' || to === 'abandoned') return setMoving({ project, to })
    void move
      .run({ params: { id: project.id }, body: { status: to, version: project.version } })
      .then(() => toast({ title: `${project.name}\u00a0: ${STATUSES[to].label}`, variant: 'success' }))
      .catch(failed('Déplacement impossible'))
  }
  return (
    <>
      <Columns projects={projects} dragged={dragged} onDrag={setDragged} onMove={start} />
      {moving && <MoveDialog {...moving} onClose={() => setMoving(null)} />}
    </>
  )
}

const still = () => {}

/** Projects by state. A card is dragged to another column, or moved from its menu, by those who may. */
export const Board = ({ projects }: { projects: Project[] }) => (
  <Can call={api.move} otherwise={<Columns projects={projects} dragged={null} onDrag={still} onMove={still} />}>
    <MovingBoard projects={projects} />
  </Can>
)

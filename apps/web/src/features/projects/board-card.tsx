import { type Project, projects } from '@voisol/contract/projects'
import Ellipsis from 'lucide-react/icons/ellipsis'
import { useCan, withAccess } from '../../lib/can.tsx'
import { formatCount } from '../../lib/format.ts'
import { IconButton } from '../../ui/icon-button.tsx'
import { Link } from '../../ui/link.tsx'
import { Menu, MenuItem, MenuLabel, MenuLink, MenuSeparator } from '../../ui/menu.tsx'
import { NextStep } from './columns.tsx'
import { formatKwc, PROJECT_KIND_LABELS, type ProjectStatus } from './labels.ts'
import { formatMove, getAllowedMoves } from './moves.ts'

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

export function BoardCard({ project, onDrag, onMove }: CardProps) {
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

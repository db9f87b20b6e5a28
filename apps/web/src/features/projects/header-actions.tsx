import { type ProjectDetail, projects } from '@voisol/contract/projects'
import Ellipsis from 'lucide-react/icons/ellipsis'
import Pencil from 'lucide-react/icons/pencil'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { withAccess } from '../../lib/can.tsx'
import { toast } from '../../lib/toast.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { Confirm } from '../../ui/confirm.tsx'
import { Menu, MenuItem, MenuSeparator } from '../../ui/menu.tsx'
import { PROJECT_STATUS_LABELS, type ProjectStatus } from './labels.ts'
import { ProjectMoveDialog } from './move-dialog.tsx'
import { formatMove, getAllowedMoves, getNextStatus } from './moves.ts'
import { createFailureHandler, useMoveProjectAction, useRemoveProject } from './use-project.ts'

function useMoveProject(project: ProjectDetail) {
  const [pendingStatus, setPendingStatus] = useState<ProjectStatus | null>(null)
  const move = useMoveProjectAction()
  const moveTo = (to: ProjectStatus) => {
    if (to === 'running' || to === 'abandoned') return setPendingStatus(to)
    void move
      .run({ params: { id: project.id }, body: { status: to, version: project.version } })
      .then(() =>
        toast({ title: `Projet à l’état «\u00a0${PROJECT_STATUS_LABELS[to].label}\u00a0»`, variant: 'success' }),
      )
      .catch(createFailureHandler('Changement d’état impossible'))
  }
  return { go: moveTo, asking: pendingStatus, close: () => setPendingStatus(null), moving: move.isPending }
}

function RemoveDialog({ project: { id, name }, onClose }: { project: ProjectDetail; onClose: () => void }) {
  const navigate = useNavigate()
  const remove = useRemoveProject()
  return (
    <Confirm
      open
      onOpenChange={(open) => !open && onClose()}
      title="Supprimer ce projet&nbsp;?"
      description={`«\u00a0${name}\u00a0», ses toitures, ses candidats, son étude et ses notes seront effacés. Cette action est définitive.`}
      action="Supprimer le projet"
      onConfirm={async () => {
        await remove.run({ params: { id } })
        toast({ title: 'Projet supprimé', variant: 'success' })
        await navigate('/projects')
      }}
    />
  )
}

/** The next step as the one strong button; the rest in a menu. */
const ProjectActions = withAccess(projects.update, ({ project }: { project: ProjectDetail }) => {
  const { go: moveTo, asking: pendingStatus, close, moving } = useMoveProject(project)
  const [removing, setRemoving] = useState(false)
  const nextStatus = getNextStatus(project)
  const others = getAllowedMoves(project).filter((status) => status !== nextStatus)
  return (
    <>
      <Menu
        trigger={
          <Button variant="secondary" icon={<Ellipsis aria-hidden="true" />}>
            Actions
          </Button>
        }
      >
        {others.map((to) => (
          <MenuItem key={to} onSelect={() => moveTo(to)}>
            {formatMove(project.status, to)}
          </MenuItem>
        ))}
        {others.length > 0 && <MenuSeparator />}
        <MenuItem tone="danger" disabled={project.operationId !== null} onSelect={() => setRemoving(true)}>
          Supprimer…
        </MenuItem>
      </Menu>
      <ButtonLink variant="secondary" to={`/projects/${project.id}/edit`} icon={<Pencil aria-hidden="true" />}>
        Modifier
      </ButtonLink>
      {nextStatus && (
        <Button loading={moving} onClick={() => moveTo(nextStatus)}>
          {formatMove(project.status, nextStatus).replace('…', '')}
        </Button>
      )}
      {pendingStatus && <ProjectMoveDialog project={project} to={pendingStatus} onClose={close} />}
      {removing && <RemoveDialog project={project} onClose={() => setRemoving(false)} />}
    </>
  )
})

export const ProjectHeaderActions = ({ project }: { project: ProjectDetail }) => (
  <>
    <ProjectActions project={project} />
    {project.operationId && <ButtonLink to={`/acc-operations/${project.operationId}`}>Ouvrir l’opération</ButtonLink>}
  </>
)

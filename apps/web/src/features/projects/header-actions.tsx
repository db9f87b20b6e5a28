import { type ProjectDetail, projects } from '@voisol/contract/projects'
import Ellipsis from 'lucide-react/icons/ellipsis'
import Pencil from 'lucide-react/icons/pencil'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { only } from '../../lib/can.tsx'
import { toast } from '../../lib/toast.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { Confirm } from '../../ui/confirm.tsx'
import { Menu, MenuItem, MenuSeparator } from '../../ui/menu.tsx'
import { STATUSES, type Status } from './labels.ts'
import { MoveDialog } from './move-dialog.tsx'
import { forwardOf, movesOf, moveWords } from './moves.ts'
import { failed, useMove, useRemove } from './use-project.ts'

function useGo(project: ProjectDetail) {
  const [asking, setAsking] = useState<Status | null>(null)
  const move = useMove()
  const go = (to: Status) => {
    if (to === 'running' || to === 'abandoned') return setAsking(to)
    void move
      .run({ params: { id: project.id }, body: { status: to, version: project.version } })
      .then(() => toast({ title: `Projet à l’état «\u00a0${STATUSES[to].label}\u00a0»`, variant: 'success' }))
      .catch(failed('Changement d’état impossible'))
  }
  return { go, asking, close: () => setAsking(null), moving: move.isPending }
}

function RemoveDialog({ project: { id, name }, onClose }: { project: ProjectDetail; onClose: () => void }) {
  const navigate = useNavigate()
  const remove = useRemove()
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
const Changes = only(projects.update, ({ project }: { project: ProjectDetail }) => {
  const { go, asking, close, moving } = useGo(project)
  const [removing, setRemoving] = useState(false)
  const forward = forwardOf(project)
  const others = movesOf(project).filter((status) => status !== forward)
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
          <MenuItem key={to} onSelect={() => go(to)}>
            {moveWords(project.status, to)}
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
      {forward && (
        <Button loading={moving} onClick={() => go(forward)}>
          {moveWords(project.status, forward).replace('…', '')}
        </Button>
      )}
      {asking && <MoveDialog project={project} to={asking} onClose={close} />}
      {removing && <RemoveDialog project={project} onClose={() => setRemoving(false)} />}
    </>
  )
})

export const HeaderActions = ({ project }: { project: ProjectDetail }) => (
  <>
    <Changes project={project} />
    {project.operationId && <ButtonLink to={`/acc-operations/${project.operationId}`}>Ouvrir l’opération</ButtonLink>}
  </>
)

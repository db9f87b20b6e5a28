import type { Project, ProjectDetail } from '@voisol/contract/projects'
import { toast } from '../../lib/toast.ts'
import { Confirm } from '../../ui/confirm.tsx'
import { CreateOperationDialog } from './create-operation.tsx'
import type { ProjectStatus } from './labels.ts'
import { useMoveProjectAction } from './use-project.ts'

export type ProjectMove = { project: Project | ProjectDetail; to: ProjectStatus }

/** The moves that ask first: what gives up a project, and what makes an operation of it. */
export function ProjectMoveDialog({ project, to, onClose }: ProjectMove & { onClose: () => void }) {
  const move = useMoveProjectAction()
  if (to === 'running') return <CreateOperationDialog id={project.id} onClose={onClose} />
  const abandon = async () => {
    await move.run({ params: { id: project.id }, body: { status: to, version: project.version } })
    toast({ title: 'Projet abandonné', variant: 'success' })
  }
  return (
    <Confirm
      open
      onOpenChange={(open) => !open && onClose()}
      title="Abandonner ce projet&nbsp;?"
      description={`«\u00a0${project.name}\u00a0» est conservé avec son étude et ses notes\u00a0; il pourra être repris.`}
      action="Abandonner le projet"
      onConfirm={abandon}
    />
  )
}

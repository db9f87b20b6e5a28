import { type ProjectDetail, projects } from '@voisol/contract/projects'
import Pencil from 'lucide-react/icons/pencil'
import Trash from 'lucide-react/icons/trash-2'
import { withAccess } from '../../lib/can.tsx'
import { Confirm } from '../../ui/confirm.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import type { ProjectUpdateBody } from './body.ts'
import { useSaveProject } from './use-project.ts'

type LineActionsProps = {
  project: ProjectDetail
  /** What is left of the project without the line. */
  without: Partial<ProjectUpdateBody>
  name: string
  /** « cette toiture ». */
  what: string
  onEdit: () => void
}

export const LineActions = withAccess(projects.update, ({ project, without, name, what, onEdit }: LineActionsProps) => {
  const { save } = useSaveProject(project)
  return (
    <>
      <IconButton label={`Modifier ${name}`} icon={<Pencil aria-hidden="true" />} onClick={onEdit} />
      <Confirm
        title={`Retirer ${what}\u00a0?`}
        description={`«\u00a0${name}\u00a0» ne fera plus partie du projet.`}
        action="Retirer"
        onConfirm={() => save(without)}
        trigger={<IconButton label={`Retirer ${name}`} icon={<Trash aria-hidden="true" />} />}
      />
    </>
  )
})

import Pencil from 'lucide-react/icons/pencil'
import Trash from 'lucide-react/icons/trash-2'
import { Confirm } from '../../ui/confirm.tsx'
import { IconButton } from '../../ui/icon-button.tsx'

type LineActionsProps = {
  name: string
  /** « cette toiture ». */
  what: string
  onEdit: () => void
  onRemove: () => Promise<unknown>
}

export const LineActions = ({ name, what, onEdit, onRemove }: LineActionsProps) => (
  <>
    <IconButton label={`Modifier ${name}`} icon={<Pencil aria-hidden="true" />} onClick={onEdit} />
    <Confirm
      title={`Retirer ${what}\u00a0?`}
      description={`«\u00a0${name}\u00a0» ne fera plus partie du projet.`}
      action="Retirer"
      onConfirm={onRemove}
      trigger={<IconButton label={`Retirer ${name}`} icon={<Trash aria-hidden="true" />} />}
    />
  </>
)

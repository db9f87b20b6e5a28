import type { ContentRow } from '@voisol/contract/content'
import { Confirm } from '../../ui/confirm.tsx'

type UnpublishConfirmProps = {
  row: Pick<ContentRow, 'title' | 'status' | 'path'>
  open: boolean
  onClose: () => void
  onConfirm: () => Promise<unknown>
}

export const UnpublishConfirm = ({ row, open, onClose, onConfirm }: UnpublishConfirmProps) => (
  <Confirm
    open={open}
    onOpenChange={onClose}
    title={row.status === 'scheduled' ? 'Annuler la publication\u00a0?' : 'Retirer ce contenu du site\u00a0?'}
    description={
      row.status === 'scheduled'
        ? `«\u00a0${row.title}\u00a0» redeviendra un brouillon.`
        : `«\u00a0${row.title}\u00a0» ne sera plus lisible, et ${row.path} ne mènera plus nulle part. Le texte est gardé\u00a0: vous pourrez le publier à nouveau.`
    }
    action={row.status === 'scheduled' ? 'Annuler la publication' : 'Retirer du site'}
    onConfirm={onConfirm}
  />
)

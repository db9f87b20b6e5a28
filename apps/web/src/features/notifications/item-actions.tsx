import type { Notification } from '@voisol/contract/notifications'
import Archive from 'lucide-react/icons/archive'
import Check from 'lucide-react/icons/check'
import Trash2 from 'lucide-react/icons/trash-2'
import { Confirm } from '../../ui/confirm.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import type { useNotificationActions } from './queries.ts'
import { canArchive, canDelete, canMarkAsRead } from './rules.ts'

export type NotificationActions = ReturnType<typeof useNotificationActions>

type Props = { item: Notification; actions: NotificationActions }

export const ReadButton = ({ item, actions }: Props) =>
  canMarkAsRead(item) && (
    <IconButton
      label="Marquer comme lue"
      icon={<Check aria-hidden="true" />}
      onClick={() => void actions.read(item.id)}
    />
  )

export const ArchiveButton = ({ item, actions }: Props) =>
  canArchive(item) && (
    <IconButton label="Archiver" icon={<Archive aria-hidden="true" />} onClick={() => void actions.archive(item.id)} />
  )

export const DeleteButton = ({ item, actions }: Props) =>
  canDelete(item) && (
    <Confirm
      title={'Supprimer cette notification\u00a0?'}
      description={`«\u00a0${item.title}\u00a0» sera effacée définitivement. Pour la garder hors de la liste, archivez-la plutôt.`}
      action="Supprimer la notification"
      onConfirm={() => actions.remove(item.id)}
      trigger={<IconButton label="Supprimer" icon={<Trash2 aria-hidden="true" />} />}
    />
  )

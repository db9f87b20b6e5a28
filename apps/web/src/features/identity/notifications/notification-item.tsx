import type { Notification, NotificationChannel } from '@voisol/contract/notifications'
import Archive from 'lucide-react/icons/archive'
import Check from 'lucide-react/icons/check'
import CircleAlert from 'lucide-react/icons/circle-alert'
import CircleCheck from 'lucide-react/icons/circle-check'
import Info from 'lucide-react/icons/info'
import Trash2 from 'lucide-react/icons/trash-2'
import TriangleAlert from 'lucide-react/icons/triangle-alert'
import type { z } from 'zod'
import { Badge, type Tone } from '../../../components/badge.tsx'
import { ButtonLink } from '../../../components/button.tsx'
import { cx } from '../../../components/cx.ts'
import { Confirm } from '../../../components/dialog.tsx'
import { IconButton } from '../../../components/icon-button.tsx'
import { formatDateTime, formatRelativeTime } from '../../../lib/format.ts'
import { canDelete, canMarkAsRead, getNotificationAction, type useNotificationActions } from './queries.ts'

export const RelativeTime = ({ at }: { at: string }) => (
  <time dateTime={at} title={formatDateTime(at)}>
    {formatRelativeTime(at)}
  </time>
)

type Props = { item: Notification; actions: NotificationActions }

/** Following an action settles the notification: it is read. */
export function ActionLink({ item, actions, onFollow }: Props & { onFollow?: () => void }) {
  const action = getNotificationAction(item)
  if (!action) return null
  const follow = () => {
    if (!item.isRead) void actions.read(item.id)
    onFollow?.()
  }
  return (
    <ButtonLink to={action.to} variant="secondary" size="small" onClick={follow}>
      {action.label}
    </ButtonLink>
  )
}

/** A notification in the list of a screen. */
export function NotificationItem({ item, actions }: Props) {
  const priority = NOTIFICATION_PRIORITY_LABELS[item.priority]
  return (
    <li
      className={cx('flex flex-wrap gap-x-4 gap-y-2 p-4 sm:flex-nowrap sm:px-5', !item.isRead && 'bg-primary-soft/50')}
    >
      <TypeIcon type={item.type} />
      <div className="min-w-0 flex-1 basis-52">
        <div className="flex gap-2">
          <h2 className={cx('min-w-0 text-base tracking-normal', item.isRead ? 'font-medium' : 'font-semibold')}>
            {item.title}
          </h2>
          {!item.isRead && <UnreadDot />}
        </div>
        <p className="prose-width mt-0.5 whitespace-pre-line text-body text-ink-soft">{item.message}</p>
        <p className="mt-2 flex flex-wrap items-center gap-x-3 gap-y-1 text-[0.8125rem] text-ink-muted">
          {priority && <Badge tone={priority.tone}>{priority.label}</Badge>}
          <span>{NOTIFICATION_CATEGORY_LABELS[item.category].label}</span>
          <RelativeTime at={item.createdAt} />
        </p>
        <div className="mt-3 empty:hidden">
          <ActionLink item={item} actions={actions} />
        </div>
      </div>
      <div className="-my-1 ml-auto flex items-start">
        <ReadButton item={item} actions={actions} />
        <ArchiveButton item={item} actions={actions} />
        <DeleteButton item={item} actions={actions} />
      </div>
    </li>
  )
}

export type NotificationActions = ReturnType<typeof useNotificationActions>

export const ReadButton = ({ item, actions }: Props) =>
  canMarkAsRead(item) && (
    <IconButton
      label="Marquer comme lue"
      icon={<Check aria-hidden="true" />}
      onClick={() => void actions.read(item.id)}
    />
  )

const canArchive = (item: Pick<Notification, 'isArchived'>) => !item.isArchived

const ArchiveButton = ({ item, actions }: Props) =>
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

const TYPE_ICONS = { error: CircleAlert, warning: TriangleAlert, success: CircleCheck, info: Info }
const TYPE_TONES = {
  error: 'bg-danger-soft text-danger',
  warning: 'bg-warning-soft text-warning',
  success: 'bg-success-soft text-success',
  info: 'bg-primary-soft text-primary-ink',
}

/** Its shape differs with its colour, and a screen reader hears the word. */
export function TypeIcon({ type, className = 'size-9' }: { type: Notification['type']; className?: string }) {
  const Icon = TYPE_ICONS[type]
  return (
    <span className={cx('grid shrink-0 place-items-center rounded-full', TYPE_TONES[type], className)}>
      <Icon aria-hidden="true" className="size-[1.125rem]" />
      <span className="sr-only">{NOTIFICATION_TYPE_LABELS[type].label}</span>
    </span>
  )
}

export const UnreadDot = () => (
  <span className="mt-2 size-2 shrink-0 rounded-full bg-primary">
    <span className="sr-only">Non lue</span>
  </span>
)

export const NOTIFICATION_CATEGORY_LABELS: Record<Notification['category'], { label: string; about: string }> = {
  security: { label: 'Sécurité', about: 'Connexions, mots de passe et accès à votre compte' },
  account: { label: 'Compte', about: 'Invitations, profil et organisation' },
  operations: { label: 'Opérations', about: 'Répartition de l’énergie et participants' },
  distributor: { label: 'Données Enedis', about: 'Synchronisations, consentements et courbes' },
  billing: { label: 'Facturation', about: 'Factures, paiements et relances' },
  support: { label: 'Assistance', about: 'Réponses à vos demandes' },
  system: { label: 'Système', about: 'Sauvegardes, maintenance et nouveautés' },
  hours: { label: 'Meilleures heures', about: 'La veille au soir, quand le soleil partagé de demain est assez sûr' },
  month: { label: 'Votre mois solaire', about: 'Une fois par mois, la part locale de votre électricité, en une image' },
}

export const NOTIFICATION_TYPE_LABELS: Record<Notification['type'], { label: string; tone: Tone }> = {
  error: { label: 'Erreur', tone: 'danger' },
  warning: { label: 'Avertissement', tone: 'warning' },
  success: { label: 'Réussite', tone: 'success' },
  info: { label: 'Information', tone: 'info' },
}

/** Only what stands out is said. */
const NOTIFICATION_PRIORITY_LABELS: Partial<Record<Notification['priority'], { label: string; tone: Tone }>> = {
  critical: { label: 'Critique', tone: 'danger' },
  high: { label: 'Importante', tone: 'warning' },
}

export const NOTIFICATION_CHANNEL_LABELS: Record<z.infer<typeof NotificationChannel>, string> = {
  app: 'Dans l’application',
  mail: 'Par e-mail',
}

import type { EndpointReply } from '@voisol/contract/endpoint'
import type { notifications } from '@voisol/contract/notifications'
import { formatCount } from '../../lib/format.ts'

export type NotificationArchivePreview = EndpointReply<typeof notifications.archivePreview>

/** « 12 notifications, du 01/02/2026 au 30/04/2026, dont 2 non lues, seront archivées. » */
export function describeArchivePreview(
  { count, unread, oldest, newest, days }: NotificationArchivePreview,
  date: (at: string) => string,
): string {
  if (count === 0) return `Aucune notification n’a plus de ${formatCount(days, 'jour')}.`
  const range =
    oldest && newest
      ? date(oldest) === date(newest)
        ? `, du ${date(oldest)}`
        : `, du ${date(oldest)} au ${date(newest)}`
      : ''
  const unreadNote = unread ? `, dont ${formatCount(unread, 'non lue', 'non lues')}` : ''
  return `${formatCount(count, 'notification')}${range}${unreadNote}${range || unreadNote ? ',' : ''} ${count < 2 ? 'sera archivée' : 'seront archivées'}.`
}

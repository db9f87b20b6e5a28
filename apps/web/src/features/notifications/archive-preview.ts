import type { Reply } from '@voisol/contract/endpoint'
import type { notifications } from '@voisol/contract/notifications'
import { plural } from '../../lib/format.ts'

export type Preview = Reply<typeof notifications.archivePreview>

/** « 12 notifications, du 01/02/2026 au 30/04/2026, dont 2 non lues, seront archivées. » */
export function previewText({ count, unread, oldest, newest, days }: Preview, date: (at: string) => string): string {
  if (count === 0) return `Aucune notification n’a plus de ${plural(days, 'jour')}.`
  const range =
    oldest && newest
      ? date(oldest) === date(newest)
        ? `, du ${date(oldest)}`
        : `, du ${date(oldest)} au ${date(newest)}`
      : ''
  const ofWhich = unread ? `, dont ${plural(unread, 'non lue', 'non lues')}` : ''
  return `${plural(count, 'notification')}${range}${ofWhich}${range || ofWhich ? ',' : ''} ${count < 2 ? 'sera archivée' : 'seront archivées'}.`
}

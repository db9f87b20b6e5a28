import { NotificationScreen } from './notification-screen.tsx'

const describeUnreadCount = (unread: number | undefined) =>
  unread === undefined
    ? 'Ce qui vous concerne, du plus récent au plus ancien.'
    : unread === 0
      ? 'Vous êtes à jour\u00a0: tout est lu.'
      : unread === 1
        ? 'Une notification vous attend.'
        : `${unread} notifications vous attendent.`

export default function PortalNotifications() {
  return <NotificationScreen title="Mes notifications" list="Messages" sentence={describeUnreadCount} />
}

import { formatCount } from '../../../lib/format.ts'
import { KindSelects, NotificationScreen } from './notification-screen.tsx'

const describeUnreadCount = (unread: number | undefined) =>
  unread === undefined
    ? 'Ce qui s’est passé et ce qui demande votre attention.'
    : unread === 0
      ? 'Vous avez tout lu.'
      : `${formatCount(unread, 'notification non lue', 'notifications non lues')}.`

export default function Notifications() {
  return (
    <NotificationScreen
      title="Notifications"
      list="Liste"
      sentence={describeUnreadCount}
      more={(screen) => <KindSelects {...screen} />}
    />
  )
}

import { useQuery } from '@tanstack/react-query'
import { withDe } from '@voisol/contract/elision'
import { type User, users } from '@voisol/contract/users'
import { formatDateTime, formatRelativeTime } from '../../lib/format.ts'
import { query } from '../../lib/queries.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { getUserName } from './labels.ts'

function UserSessionList({ user }: { user: User }) {
  const { data, error, refetch } = useQuery(query(users.sessions, { params: { id: user.id } }))
  if (error) return <ErrorState error={error} onRetry={refetch} />
  if (!data) return <Skeleton className="h-20 w-full" />
  if (!data.items.length) return <p className="text-body text-ink-soft">Aucune session ouverte.</p>
  return (
    <ul className="divide-y divide-line">
      {data.items.map((session) => (
        <li key={session.id} className="py-3 text-body">
          <span className="block font-medium">{session.device}</span>
          <span className="text-ink-soft">
            {session.ip} · ouverte le {formatDateTime(session.createdAt)} · active{' '}
            {formatRelativeTime(session.lastSeenAt)}
          </span>
        </li>
      ))}
    </ul>
  )
}

export const UserSessionsDialog = ({ user, onClose }: { user: User; onClose: () => void }) => (
  <Dialog title={`Sessions ${withDe(getUserName(user))}`} open onOpenChange={(open) => !open && onClose()}>
    <UserSessionList user={user} />
  </Dialog>
)

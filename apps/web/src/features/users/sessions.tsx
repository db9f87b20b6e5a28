import { useQuery } from '@tanstack/react-query'
import { of } from '@voisol/contract/elision'
import { type User, users } from '@voisol/contract/users'
import { dateTime, relative } from '../../lib/format.ts'
import { query } from '../../lib/queries.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { nameOf } from './labels.ts'

function SessionList({ user }: { user: User }) {
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
            {session.ip} · ouverte le {dateTime(session.createdAt)} · active {relative(session.lastSeenAt)}
          </span>
        </li>
      ))}
    </ul>
  )
}

export const SessionsDialog = ({ user, onClose }: { user: User; onClose: () => void }) => (
  <Dialog title={`Sessions ${of(nameOf(user))}`} open onOpenChange={(open) => !open && onClose()}>
    <SessionList user={user} />
  </Dialog>
)

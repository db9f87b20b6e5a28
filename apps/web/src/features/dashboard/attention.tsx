import { useQuery } from '@tanstack/react-query'
import { notifications } from '@voisol/contract/notifications'
import { users } from '@voisol/contract/users'
import ChevronRight from 'lucide-react/icons/chevron-right'
import CircleCheck from 'lucide-react/icons/circle-check'
import { Link } from 'react-router'
import { date, plural } from '../../lib/format.ts'
import { query } from '../../lib/queries.ts'
import { useSession } from '../../lib/session.ts'
import { Card } from '../../ui/card.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'

type Matter = { text: string; to: string }

/** What needs attention today; each line leads to the screen that settles it. */
function useMatters() {
  const { user } = useSession()
  const invited = useQuery(query(users.list, { query: { status: 'invited', size: 1 } }))
  const unread = useQuery(query(notifications.unreadCount, {}))
  const waiting = invited.data?.total ?? 0
  const unreadCount = unread.data?.unreadCount ?? 0
  const matters: (Matter | false | null | undefined)[] = [
    unreadCount > 0 && {
      text: plural(unreadCount, 'notification non lue', 'notifications non lues'),
      to: '/notifications?view=unread',
    },
    waiting > 0 && {
      text: plural(waiting, 'invitation en attente', 'invitations en attente'),
      to: '/users?status=invited',
    },
    user &&
      !user.secondFactor && { text: 'Votre compte n’est protégé que par un mot de passe', to: '/settings/profile' },
    user?.trialEndsAt != null && { text: `L’essai gratuit se termine le ${date(user.trialEndsAt)}`, to: '/settings' },
  ]
  return {
    matters: matters.filter((matter) => !!matter),
    isPending: invited.isPending || unread.isPending,
    error: invited.error ?? unread.error,
    retry: () => Promise.all([invited.refetch(), unread.refetch()]),
  }
}

export function Attention() {
  const { matters, isPending, error, retry } = useMatters()
  return (
    <Card title="À traiter">
      {error && <ErrorState error={error} onRetry={retry} />}
      {isPending && <Skeleton className="h-24 w-full" />}
      {!isPending && !error && matters.length === 0 && (
        <p className="flex items-center gap-2 text-body text-ink-soft">
          <CircleCheck aria-hidden="true" className="size-5 text-success" /> Rien n’attend votre attention.
        </p>
      )}
      <ul className="divide-y divide-line">
        {matters.map(({ text, to }) => (
          <li key={to}>
            <Link
              to={to}
              className="flex min-h-11 items-center justify-between gap-3 py-2 text-body text-ink no-underline hover:text-primary-ink"
            >
              {text}
              <ChevronRight aria-hidden="true" className="size-4 shrink-0 text-ink-soft" />
            </Link>
          </li>
        ))}
      </ul>
    </Card>
  )
}

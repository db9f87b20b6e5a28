import { useQuery } from '@tanstack/react-query'
import { notifications } from '@voisol/contract/notifications'
import { Link } from 'react-router'
import { plural, relative } from '../../lib/format.ts'
import { query } from '../../lib/queries.ts'
import { useSession } from '../../lib/session.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'

function Messages() {
  const { data, error, refetch } = useQuery(query(notifications.list, { query: { limit: 3 } }))
  if (error) return <ErrorState error={error} onRetry={refetch} />
  if (!data) return <Skeleton className="h-24 w-full" />
  if (!data.total) return <p className="text-ink-soft">Aucun message pour l’instant.</p>
  return (
    <ul className="divide-y divide-line">
      {data.notifications.map((item) => (
        <li key={item.id} className="py-3">
          <span className="block font-medium">{item.title}</span>
          <span className="block text-ink-soft">{item.message}</span>
          <span className="text-[0.8125rem] text-ink-soft">{relative(item.createdAt)}</span>
        </li>
      ))}
    </ul>
  )
}

export default function PortalHome() {
  const { user } = useSession()
  const { data } = useQuery(query(notifications.unreadCount, {}))
  const unread = data?.unreadCount ?? 0
  return (
    <div className="mx-auto grid max-w-3xl gap-6">
      <header>
        <h1 className="text-3xl font-semibold">Bonjour {user?.firstName}</h1>
        <p className="mt-2 text-lg text-ink-soft">
          Vous êtes chez {user?.companyName}.{' '}
          {unread > 0 ? (
            <Link to="/client-portal/notifications" className="text-link">
              {plural(unread, 'message non lu', 'messages non lus')}
            </Link>
          ) : (
            'Vous avez tout lu.'
          )}
        </p>
      </header>
      <Card title="Messages">
        <Messages />
      </Card>
      <Card
        title="Mon compte"
        description={
          user?.secondFactor
            ? 'Votre compte est protégé par la double authentification.'
            : 'Protégez votre compte avec la double authentification.'
        }
      >
        <ButtonLink to="/client-portal/profile" variant="secondary">
          Ouvrir mon profil
        </ButtonLink>
      </Card>
    </div>
  )
}

import { useQuery } from '@tanstack/react-query'
import { notifications } from '@voisol/contract/notifications'
import { relative } from '../../../lib/format.ts'
import { query } from '../../../lib/queries.ts'
import { ButtonLink } from '../../../ui/button.tsx'
import { Card } from '../../../ui/card.tsx'
import { ErrorState } from '../../../ui/error-state.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'

const SHOWN = 3

function Latest() {
  const { data, error, refetch } = useQuery(query(notifications.list, { query: { limit: SHOWN } }))
  if (error) return <ErrorState error={error} onRetry={refetch} />
  if (!data) return <Skeleton className="h-24 w-full" />
  if (!data.total) return <p className="text-ink-soft">Aucun message pour l’instant.</p>
  return (
    <>
      <ul className="-mt-1 divide-y divide-line">
        {data.notifications.map((item) => (
          <li key={item.id} className="py-3 first:pt-0">
            <span className="block font-medium">{item.title}</span>
            <span className="line-clamp-2 text-ink-soft">{item.message}</span>
            <span className="text-[0.8125rem] text-ink-soft">{relative(item.createdAt)}</span>
          </li>
        ))}
      </ul>
      {data.total > SHOWN && (
        <ButtonLink to="/client-portal/notifications" variant="secondary" className="mt-2">
          Tous les messages
        </ButtonLink>
      )}
    </>
  )
}

export const Messages = () => (
  <Card title="Messages">
    <Latest />
  </Card>
)

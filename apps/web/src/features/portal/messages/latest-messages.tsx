import { useQuery } from '@tanstack/react-query'
import { messages } from '@voisol/contract/messages'
import { ButtonLink } from '../../../components/button.tsx'
import { Card } from '../../../components/card.tsx'
import { ErrorState } from '../../../components/error-state.tsx'
import { Link } from '../../../components/link.tsx'
import { Skeleton } from '../../../components/loading.tsx'
import { formatRelativeTime } from '../../../lib/format.ts'
import { query } from '../../../lib/queries.ts'

const LATEST_COUNT = 3

function LatestRows() {
  const { data, error, refetch } = useQuery(query(messages.mine, { query: { size: LATEST_COUNT } }))
  if (error) return <ErrorState error={error} onRetry={refetch} />
  if (!data) return <Skeleton className="h-24 w-full" />
  if (!data.total) return <p className="text-ink-soft">Votre organisateur ne vous a pas encore écrit.</p>
  return (
    <>
      <ul className="-mt-1 divide-y divide-line">
        {data.items.map(({ id, subject, sentAt, openedAt }) => (
          <li key={id} className="py-3 first:pt-0">
            <Link to={`/client-portal/messages?message=${id}`} className="block font-medium text-link">
              {subject}
            </Link>
            <span className="text-[0.8125rem] text-ink-soft">
              {formatRelativeTime(sentAt)}
              {!openedAt && ' · non lu'}
            </span>
          </li>
        ))}
      </ul>
      {data.total > LATEST_COUNT && (
        <ButtonLink to="/client-portal/messages" variant="secondary" className="mt-2">
          Tous les messages
        </ButtonLink>
      )}
    </>
  )
}

/** What the organiser wrote last. */
export const LatestMessages = () => (
  <Card title="Messages">
    <LatestRows />
  </Card>
)

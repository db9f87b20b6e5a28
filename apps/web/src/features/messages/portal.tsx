import { useQuery } from '@tanstack/react-query'
import { messages, type OwnMessage } from '@voisol/contract/messages'
import { Suspense } from 'react'
import { useSearchParams } from 'react-router'
import { longDate } from '../../lib/format.ts'
import { query } from '../../lib/queries.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { lazy } from '../../ui/lazy.tsx'
import { Link } from '../../ui/link.tsx'
import { Pagination } from '../../ui/pagination.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'

const SIZE = 20
const Opened = lazy(() => import('./opened.tsx'))

const Line = ({ message }: { message: OwnMessage }) => (
  <li className="py-4 first:pt-0 last:pb-0">
    <Link to={`?message=${message.id}`} className="inline-flex min-h-11 items-center text-lg font-medium text-link">
      {message.subject}
    </Link>
    <p className="text-ink-soft">
      {message.author}, le {longDate(message.sentAt)}
      {!message.openedAt && <strong className="font-semibold text-ink"> · non lu</strong>}
      {message.ticketId && ' · vous avez répondu'}
    </p>
  </li>
)

/** What the organiser wrote: all of it, or the one that is open, by the address. */
export default function PortalMessages() {
  const [search, setSearch] = useSearchParams()
  const page = Math.max(1, Number(search.get('page')) || 1)
  const { data, error, refetch } = useQuery(query(messages.mine, { query: { page, size: SIZE } }))
  const opened = search.get('message')
  return (
    <div className="grid gap-6 [&>*]:min-w-0">
      <header>
        <h1 className="text-3xl font-semibold">Messages</h1>
        <p className="mt-2 text-lg text-ink-soft">
          Ce que votre organisateur vous a écrit. Vous pouvez lui répondre ici.
        </p>
      </header>
      {opened && (
        <Suspense fallback={<Skeleton className="h-64 w-full" />}>
          <Opened key={opened} id={opened} />
        </Suspense>
      )}
      {!opened && error && <ErrorState error={error} onRetry={refetch} />}
      {!opened && !data && !error && <Skeleton className="h-64 w-full" />}
      {!opened && data && (
        <Card>
          {data.total === 0 ? (
            <EmptyState
              title="Aucun message"
              why="Votre organisateur ne vous a pas encore écrit."
              action={
                <ButtonLink variant="secondary" to="/client-portal/support?nouvelle=1">
                  Écrire à l’organisateur
                </ButtonLink>
              }
            />
          ) : (
            <ul aria-label="Messages" className="divide-y divide-line">
              {data.items.map((message) => (
                <Line key={message.id} message={message} />
              ))}
            </ul>
          )}
        </Card>
      )}
      {!opened && data && data.total > SIZE && (
        <Pagination
          label="Messages"
          page={page}
          size={SIZE}
          total={data.total}
          onPage={(next) => setSearch({ page: String(next) })}
        />
      )}
    </div>
  )
}

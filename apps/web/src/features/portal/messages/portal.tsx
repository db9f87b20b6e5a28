import { useQuery } from '@tanstack/react-query'
import { messages, type OwnMessage } from '@voisol/contract/messages'
import { Suspense } from 'react'
import { useSearchParams } from 'react-router'
import { ButtonLink } from '../../../components/button.tsx'
import { Card } from '../../../components/card.tsx'
import { EmptyState } from '../../../components/empty-state.tsx'
import { ErrorState } from '../../../components/error-state.tsx'
import { lazy } from '../../../components/lazy.tsx'
import { Link } from '../../../components/link.tsx'
import { Skeleton } from '../../../components/loading.tsx'
import { Pagination } from '../../../components/pagination.tsx'
import { formatLongDate } from '../../../lib/format.ts'
import { query } from '../../../lib/queries.ts'

const PAGE_SIZE = 20
const OpenMessage = lazy(() => import('./message-reader.tsx'))

const MessageItem = ({ message }: { message: OwnMessage }) => (
  <li className="py-4 first:pt-0 last:pb-0">
    <Link to={`?message=${message.id}`} className="inline-flex min-h-11 items-center text-lg font-medium text-link">
      {message.subject}
    </Link>
    <p className="text-ink-soft">
      {message.author}, le {formatLongDate(message.sentAt)}
      {!message.openedAt && <strong className="font-semibold text-ink"> · non lu</strong>}
      {message.ticketId && ' · vous avez répondu'}
    </p>
  </li>
)

/** What the organiser wrote: all of it, or the one that is open, by the address. */
export default function PortalMessages() {
  const [search, setSearch] = useSearchParams()
  const page = Math.max(1, Number(search.get('page')) || 1)
  const { data, error, refetch } = useQuery(query(messages.mine, { query: { page, size: PAGE_SIZE } }))
  const openMessageId = search.get('message')
  return (
    <div className="grid gap-6 [&>*]:min-w-0">
      <header>
        <h1 className="text-3xl font-semibold">Messages</h1>
        <p className="mt-2 text-lg text-ink-soft">
          Ce que votre organisateur vous a écrit. Vous pouvez lui répondre ici.
        </p>
      </header>
      {openMessageId && (
        <Suspense fallback={<Skeleton className="h-64 w-full" />}>
          <OpenMessage key={openMessageId} id={openMessageId} />
        </Suspense>
      )}
      {!openMessageId && error && <ErrorState error={error} onRetry={refetch} />}
      {!openMessageId && !data && !error && <Skeleton className="h-64 w-full" />}
      {!openMessageId && data && (
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
                <MessageItem key={message.id} message={message} />
              ))}
            </ul>
          )}
        </Card>
      )}
      {!openMessageId && data && data.total > PAGE_SIZE && (
        <Pagination
          label="Messages"
          page={page}
          size={PAGE_SIZE}
          total={data.total}
          onPage={(next) => setSearch({ page: String(next) })}
        />
      )}
    </div>
  )
}

import { useQuery } from '@tanstack/react-query'
import { auth } from '@voisol/contract/auth'
import { explainError } from '../../lib/explain.ts'
import { formatCount, formatDateTime, formatRelativeTime } from '../../lib/format.ts'
import { query, useAction } from '../../lib/queries.ts'
import { toast } from '../../lib/toast.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'

export function SessionsCard() {
  const { data, error, refetch } = useQuery(query(auth.sessions, {}))
  const revoke = useAction(auth.revokeSession, [auth.sessions])
  const revokeOthers = useAction(auth.revokeOtherSessions, [auth.sessions])
  const showResult = (work: Promise<string>) =>
    work.then(
      (title) => toast({ title, variant: 'success' }),
      (failure: unknown) =>
        toast({ title: 'Action impossible', description: explainError(failure), variant: 'destructive' }),
    )
  const closeOthers = async () =>
    formatCount((await revokeOthers.run({})).revoked, 'session fermée', 'sessions fermées')
  const others = data?.items.some((session) => !session.current)
  return (
    <Card
      title="Sessions ouvertes"
      description="Une session se ferme d’elle-même après 24 heures sans activité."
      actions={
        others && (
          <Button
            variant="secondary"
            size="small"
            loading={revokeOthers.isPending}
            onClick={() => showResult(closeOthers())}
          >
            Fermer les autres sessions
          </Button>
        )
      }
    >
      {error && <ErrorState error={error} onRetry={refetch} />}
      {!data && !error && <Skeleton className="h-16 w-full" />}
      <ul className="divide-y divide-line">
        {data?.items.map((session) => (
          <li key={session.id} className="flex flex-wrap items-center justify-between gap-3 py-3 text-body">
            <span>
              <span className="flex flex-wrap items-center gap-2 font-medium">
                {session.device}
                {session.current && <Badge tone="info">Cet appareil</Badge>}
              </span>
              <span className="text-ink-soft">
                {session.ip} · ouverte le {formatDateTime(session.createdAt)} · active{' '}
                {formatRelativeTime(session.lastSeenAt)}
              </span>
            </span>
            {!session.current && (
              <Button
                variant="quiet"
                size="small"
                onClick={() => showResult(revoke.run({ params: { id: session.id } }).then(() => 'Session fermée'))}
              >
                Fermer
              </Button>
            )}
          </li>
        ))}
      </ul>
    </Card>
  )
}

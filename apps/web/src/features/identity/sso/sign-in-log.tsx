import { useQuery } from '@tanstack/react-query'
import { type SsoLogEntry, sso } from '@voisol/contract/sso'
import { Badge } from '../../../components/badge.tsx'
import { Card } from '../../../components/card.tsx'
import { ErrorState } from '../../../components/error-state.tsx'
import { Skeleton } from '../../../components/loading.tsx'
import { formatDateTime } from '../../../lib/format.ts'
import { query } from '../../../lib/queries.ts'

const SignInRow = ({ line }: { line: SsoLogEntry }) => (
  <li className="grid gap-1 py-3 text-body first:pt-0 last:pb-0">
    <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
      <span className="flex min-w-0 flex-wrap items-center gap-x-3 gap-y-1">
        <Badge tone={line.outcome === 'done' ? 'success' : 'danger'}>
          {line.outcome === 'done' ? 'Entrée' : 'Refus'}
        </Badge>
        <span className="font-medium break-all">{line.who}</span>
      </span>
      <span className="tabular text-[0.8125rem] text-ink-soft">{formatDateTime(line.at)}</span>
    </div>
    {line.reason && <p className="prose-width">{line.reason}</p>}
    <p className="text-[0.8125rem] text-ink-soft">
      {line.connection}, depuis {line.ip}
    </p>
  </li>
)

/** Who came in and who did not, with the reason that nobody else is told. */
export default function SignInLog() {
  const { data, error, refetch } = useQuery({ ...query(sso.journal, {}), staleTime: 0 })
  return (
    <Card title="Dernières connexions et derniers refus" description="La raison d’un refus n’est dite qu’ici.">
      {error && <ErrorState error={error} onRetry={refetch} />}
      {!error && !data && <Skeleton className="h-40 w-full" />}
      {data?.items.length === 0 && (
        <p className="text-body text-ink-soft">Personne n’est encore entré par une connexion d’entreprise.</p>
      )}
      {data && data.items.length > 0 && (
        <ul className="divide-y divide-line">
          {data.items.map((line) => (
            <SignInRow key={line.id} line={line} />
          ))}
        </ul>
      )}
    </Card>
  )
}

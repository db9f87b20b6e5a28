import { useQuery } from '@tanstack/react-query'
import { type Retention, retention } from '@voisol/contract/retention'
import { FIXED_RETENTION, formatMonths, RETENTION_RULES } from '@voisol/contract/retention-kinds'
import { useCan } from '../../lib/can.tsx'
import { formatDate, formatDateTime } from '../../lib/format.ts'
import { query } from '../../lib/queries.ts'
import { Card } from '../../ui/card.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { RetentionCountsTable } from './counts.tsx'
import { RetentionDecision } from './deciding.tsx'
import { DurationsEditor, DurationsFacts } from './durations.tsx'
import { RetentionDocuments } from './papers.tsx'

const FixedDurations = () => (
  <Card title="Ce que la loi ou le produit fixe" description="Ces durées ne se règlent pas.">
    <dl className="grid gap-3 text-body">
      {FIXED_RETENTION.map(({ label, time, law }) => (
        <div key={label} className="grid gap-x-8 gap-y-0.5 lg:grid-cols-[22rem_minmax(0,1fr)]">
          <dt className="font-medium">{label}</dt>
          <dd>
            {time}
            <span className="block text-[0.8125rem] text-ink-soft">{law}</span>
          </dd>
        </div>
      ))}
    </dl>
  </Card>
)

const RetentionRuns = ({ passes }: Pick<Retention, 'passes'>) =>
  passes.length > 0 && (
    <Card title="Comptes rendus" description="Ce que chaque passage a supprimé.">
      <ol className="grid gap-6">
        {passes.map(({ id, counts, createdAt, finishedAt }) => (
          <li key={id} className="grid gap-2">
            <h3 className="text-body font-semibold">
              {formatDateTime(createdAt)}
              {finishedAt === null && ' – en cours'}
            </h3>
            <RetentionCountsTable counts={counts} label={`Supprimé le ${formatDateTime(createdAt)}`} />
          </li>
        ))}
      </ol>
    </Card>
  )

const DecisionHistory = ({ said }: Pick<Retention, 'said'>) =>
  said.length > 0 && (
    <Card title="Ce qui a été décidé">
      <ul className="grid gap-2 text-body">
        {said.map(({ kind, months, from, by, reason }) => (
          <li key={`${kind} ${from} ${months} ${reason}`}>
            {formatDate(from)}&nbsp;: {RETENTION_RULES[kind].label}, {formatMonths(months)}
            <span className="text-ink-soft">
              {' '}
              – {by}, «&nbsp;{reason}&nbsp;»
            </span>
          </li>
        ))}
      </ul>
    </Card>
  )

export default function RetentionPanel() {
  const can = useCan()
  const { data, error, refetch } = useQuery(query(retention.get, {}))
  if (error) return <ErrorState error={error} onRetry={refetch} />
  if (!data) return <Skeleton className="h-96 w-full" />
  return (
    <div className="grid gap-6 [&>*]:min-w-0">
      <RetentionDecision data={data} />
      {can(retention.update) ? <DurationsEditor key={data.seal} data={data} /> : <DurationsFacts data={data} />}
      <DecisionHistory said={data.said} />
      <RetentionRuns passes={data.passes} />
      <FixedDurations />
      <RetentionDocuments />
    </div>
  )
}

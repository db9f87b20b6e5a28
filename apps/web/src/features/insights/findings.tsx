import { useQuery } from '@tanstack/react-query'
import { INSIGHT_STATES } from '@voisol/contract/insight-words'
import { type InsightState, insights } from '@voisol/contract/insights'
import { useSearchParams } from 'react-router'
import type { z } from 'zod'
import { formatCount, formatMoney, formatRelativeTime } from '../../lib/format.ts'
import { query } from '../../lib/queries.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { FilterChips } from '../../ui/filter-chips.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { InsightCard } from './finding.tsx'

type InsightsReply = z.infer<typeof insights.list.response>
const STATE_OPTIONS = Object.entries(INSIGHT_STATES).map(([value, label]) => ({ value, label }))
const isState = (value: string | null): value is InsightState => STATE_OPTIONS.some((state) => state.value === value)

const EMPTY_STATE_TEXTS: Record<InsightState, string> = {
  open: 'Aucune règle n’a rien trouvé à redire dans les dernières courbes connues.',
  accepted: 'Un constat que vous retenez vient ici, jusqu’à ce qu’il ne soit plus vrai.',
  dismissed: 'Un constat que vous écartez vient ici avec sa raison.',
  closed: 'Un constat qui n’est plus vrai se referme de lui-même et vient ici.',
}

/** When each operation was looked at, and what would let more rules speak. */
function WatchedOperations({ looks }: Pick<InsightsReply, 'looks'>) {
  if (!looks.length) return null
  return (
    <Card title="Ce qui est surveillé" description="Chaque nuit, une fois les relevés reçus et répartis.">
      <ul className="divide-y divide-line">
        {looks.map(({ operationId, operationName, lookedAt, missing }) => (
          <li key={operationId} className="grid gap-1 py-3 text-body first:pt-0 last:pb-0">
            <span className="flex flex-wrap justify-between gap-x-4">
              <strong className="font-medium">{operationName}</strong>
              <span className="text-ink-soft">
                {lookedAt ? `Regardée ${formatRelativeTime(lookedAt)}` : 'Pas encore regardée'}
              </span>
            </span>
            {missing.length > 0 && <span className="text-ink-soft">Il manque, pour en dire plus&nbsp;:</span>}
            {missing.length > 0 && (
              <ul className="list-disc pl-5 text-ink-soft">
                {missing.map((what) => (
                  <li key={what}>{what}</li>
                ))}
              </ul>
            )}
          </li>
        ))}
      </ul>
    </Card>
  )
}

function StakesSummary({ items }: Pick<InsightsReply, 'items'>) {
  const priced = items.flatMap(({ cents }) => cents ?? [])
  if (!items.length) return null
  return (
    <p className="text-body text-ink-soft">
      {`${formatCount(items.length, 'constat')}, du plus grand enjeu au plus petit (enjeu × confiance)`}
      {priced.length > 0 &&
        `\u00a0; ${formatMoney(priced.reduce((sum, cents) => sum + cents, 0))} en jeu, sur des périodes qui diffèrent`}
      .
    </p>
  )
}

/** Everything the rules found, the largest stake first. */
export function InsightsPanel() {
  const [search, setSearch] = useSearchParams()
  const stateParam = search.get('etat')
  const state = isState(stateParam) ? stateParam : 'open'
  const { data, error, refetch } = useQuery(query(insights.list, { query: { state } }))
  if (error) return <ErrorState error={error} onRetry={refetch} />
  return (
    <div className="grid gap-6 [&>*]:min-w-0">
      <FilterChips
        label="État des constats"
        options={STATE_OPTIONS}
        value={state}
        onChange={(value) => setSearch(value && value !== 'open' ? { etat: value } : {}, { preventScrollReset: true })}
      />
      {!data && <Skeleton className="h-96 w-full" />}
      {data && <StakesSummary items={data.items} />}
      {data && data.items.length === 0 && (
        <Card>
          {state === 'open' && data.looks.length === 0 ? (
            <EmptyState
              title="Rien n’est encore surveillé"
              why="Chaque nuit, des règles regardent les courbes des opérations en service."
              action={
                <ButtonLink variant="secondary" to="/acc-operations">
                  Voir les opérations
                </ButtonLink>
              }
            />
          ) : (
            <EmptyState title="Aucun constat" why={EMPTY_STATE_TEXTS[state]} because="all-well" />
          )}
        </Card>
      )}
      {data && data.items.length > 0 && (
        <ul className="grid gap-4">
          {data.items.map((insight) => (
            <InsightCard key={insight.id} insight={insight} />
          ))}
        </ul>
      )}
      {data && <WatchedOperations looks={data.looks} />}
    </div>
  )
}

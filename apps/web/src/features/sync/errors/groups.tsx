import { useQuery } from '@tanstack/react-query'
import type { EnedisFault } from '@voisol/contract/enedis'
import { sync } from '@voisol/contract/sync'
import CircleCheck from 'lucide-react/icons/circle-check'
import { useSearchParams } from 'react-router'
import { withAccess } from '../../../lib/can.tsx'
import { formatCount, formatDateTime, formatRelativeTime } from '../../../lib/format.ts'
import { query } from '../../../lib/queries.ts'
import { Button } from '../../../ui/button.tsx'
import { Card } from '../../../ui/card.tsx'
import { Confirm } from '../../../ui/confirm.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { ErrorState } from '../../../ui/error-state.tsx'
import { FaultNote } from '../../../ui/fault.tsx'
import { FilterChips } from '../../../ui/filter-chips.tsx'
import { Link } from '../../../ui/link.tsx'
import { ResumeAllButton } from '../../../ui/resume-all.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { HANDLED_OPTIONS, useMarkErrorsHandled } from './handled.ts'

type ErrorGroup = { fault: EnedisFault; errors: number; points: number; lastAt: string }

const HandleAllButton = withAccess(sync.handle, ({ fault }: Pick<ErrorGroup, 'fault'>) => {
  const { handle } = useMarkErrorsHandled()
  return (
    <Confirm
      tone="primary"
      title="Tout marquer comme traité&nbsp;?"
      description={`Les erreurs de cette cause (${fault.code}) ne seront plus à traiter. Si elle se reproduit, une nouvelle ligne apparaîtra ici.`}
      action="Tout marquer comme traité"
      onConfirm={() => handle({ code: fault.code })}
      trigger={
        <Button variant="secondary" size="small" icon={<CircleCheck aria-hidden="true" />}>
          Tout marquer comme traité
        </Button>
      }
    />
  )
})

function GroupCard({ group, handled }: { group: ErrorGroup; handled: string }) {
  const { fault, errors, points, lastAt } = group
  const list = `?${new URLSearchParams({ vue: 'liste', code: fault.code, handled })}`
  return (
    <li>
      <Card>
        <div className="grid gap-4 lg:grid-cols-[1fr_auto] lg:items-start [&>*]:min-w-0">
          <FaultNote fault={{ ...fault, message: '' }} className="prose-width" />
          <div className="grid gap-3 lg:justify-items-end">
            <p className="tabular text-body lg:text-right">
              <Link to={list} className="font-medium text-link">
                {points > 0 ? formatCount(points, 'point') : 'Voir les erreurs'}
              </Link>
              {`, ${formatCount(errors, 'erreur')}`}
              <time dateTime={lastAt} title={formatDateTime(lastAt)} className="block text-[0.8125rem] text-ink-soft">
                La dernière {formatRelativeTime(lastAt)}
              </time>
            </p>
            {handled === 'false' && (
              <div className="flex flex-wrap gap-2 lg:justify-end">
                {fault.nature === 'consent' && points > 1 && <ResumeAllButton />}
                <HandleAllButton fault={fault} />
              </div>
            )}
          </div>
        </div>
      </Card>
    </li>
  )
}

const NoErrors = ({ handled }: { handled: string }) =>
  handled === 'false' ? (
    <EmptyState
      title="Aucune erreur à traiter"
      why="Tout ce qui a été demandé au distributeur a été reçu, ou sera redemandé de lui-même."
      because="all-well"
    />
  ) : (
    <EmptyState
      title="Aucune erreur traitée"
      why="Les erreurs que vous marquez comme traitées restent ici."
      because="comes-by-itself"
    />
  )

function ErrorGroupList({ handled }: { handled: 'true' | 'false' }) {
  const { data, error, refetch } = useQuery({ ...query(sync.errorGroups, { query: { handled } }), staleTime: 0 })
  if (error) return <ErrorState error={error} onRetry={refetch} />
  if (!data) return <Skeleton className="h-64 w-full" />
  if (data.items.length === 0) return <NoErrors handled={handled} />
  return (
    <ul className="grid gap-4" aria-label="Causes">
      {data.items.map((group) => (
        <GroupCard key={group.fault.code} group={group} handled={handled} />
      ))}
    </ul>
  )
}

/** One card per cause: what it means, what to do, how many points it holds up. */
export function ErrorGroups() {
  const [search, setSearch] = useSearchParams()
  const handled = search.get('handled') === 'true' ? 'true' : 'false'
  return (
    <div className="grid gap-4 [&>*]:min-w-0">
      <FilterChips
        label="État"
        options={HANDLED_OPTIONS}
        value={handled}
        onChange={(next) => setSearch(next === 'true' ? { handled: next } : {}, { replace: true })}
      />
      <ErrorGroupList handled={handled} />
    </div>
  )
}

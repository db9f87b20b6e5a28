import { useQuery } from '@tanstack/react-query'
import { type Key, keys } from '@voisol/contract/keys'
import type { Operation } from '@voisol/contract/operations'
import { useSearchParams } from 'react-router'
import { formatCount, formatNumber } from '../../../lib/format.ts'
import { query } from '../../../lib/queries.ts'
import { ButtonLink } from '../../../ui/button.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { ErrorState } from '../../../ui/error-state.tsx'
import { getTodayInParis } from '../../../ui/period/period.ts'
import { PeriodBar } from '../../../ui/period/period-bar.tsx'
import { usePeriod } from '../../../ui/period/use-period.ts'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { usePointNames } from '../use-members.ts'
import { ConsumerChanges } from './consumers.tsx'
import { MethodBars, MethodsTable } from './methods.tsx'
import { findBaseline, findBestAlternative, type MethodResultRow, sortMethods, toComparedMethods } from './model.ts'
import { PrepareVersionButton } from './prepare-button.tsx'

type ComparisonData = { steps: number; excluded: number; results: MethodResultRow[] }

function MethodComparison({
  operation,
  versions,
  data,
}: {
  operation: Operation
  versions: Key[]
  data: ComparisonData
}) {
  const [search, setSearch] = useSearchParams()
  const names = usePointNames(operation.id)
  const all = toComparedMethods(data.results, versions)
  const baseline = findBaseline(all, versions)
  const methods = sortMethods(all, baseline)
  const chosen = methods.find(({ id }) => id === search.get('methode')) ?? findBestAlternative(methods, baseline)
  const choose = (id: string) =>
    setSearch(
      (old) => {
        old.set('methode', id)
        return old
      },
      { replace: true, preventScrollReset: true },
    )
  if (data.steps === data.excluded)
    return (
      <EmptyState
        title="Rien à comparer sur cette période"
        why="Il faut au moins un instant où tous les relevés sont là. Importez les courbes de charge, ou choisissez une autre période."
        action={
          <ButtonLink variant="secondary" to="/enedis-data">
            Importer des courbes
          </ButtonLink>
        }
      />
    )
  return (
    <>
      <p className="text-body text-ink-soft">
        {formatCount(data.steps - data.excluded, 'pas de temps comparé', 'pas de temps comparés')}
        {data.excluded > 0 && `, ${formatNumber(data.excluded)} laissés de côté faute de relevés`}.
      </p>
      <MethodBars tried={methods} baseline={baseline} />
      <MethodsTable tried={methods} baseline={baseline} chosen={chosen} onChoose={choose} />
      {baseline && chosen && (
        <ConsumerChanges
          baseline={baseline}
          chosen={chosen}
          names={names}
          action={<PrepareVersionButton operationId={operation.id} versions={versions} chosen={chosen} />}
        />
      )}
    </>
  )
}

/** Every method on the operation's own history, before one of them is adopted. */
export default function CompareTab({ operation }: { operation: Operation }) {
  const [period, setPeriod] = usePeriod('month')
  const today = getTodayInParis()
  // Only days that are over can be compared.
  const days = { from: period.from, to: period.to < today ? period.to : today }
  const isPast = days.from < days.to
  const versions = useQuery(query(keys.list, { params: { id: operation.id } }))
  const { data, error, refetch } = useQuery({
    ...query(keys.compare, { params: { id: operation.id }, query: days }),
    enabled: isPast,
  })
  return (
    <div className="grid gap-5 [&>*]:min-w-0">
      <PeriodBar period={period} onChange={setPeriod} max={today} />
      {!isPast && (
        <EmptyState
          title="Période à venir"
          why="Choisissez une période déjà passée pour comparer les méthodes."
          because="chosen-here"
        />
      )}
      {error && <ErrorState error={error} onRetry={refetch} />}
      {isPast && !error && !(data && versions.data) && <Skeleton className="h-96 w-full" />}
      {isPast && data && versions.data && (
        <MethodComparison operation={operation} versions={versions.data.items} data={data} />
      )}
    </div>
  )
}

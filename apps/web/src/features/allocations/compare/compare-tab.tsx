import { useQuery } from '@tanstack/react-query'
import { type Key, keys } from '@voisol/contract/keys'
import type { Operation } from '@voisol/contract/operations'
import { useSearchParams } from 'react-router'
import { number, plural } from '../../../lib/format.ts'
import { query } from '../../../lib/queries.ts'
import { ButtonLink } from '../../../ui/button.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { ErrorState } from '../../../ui/error-state.tsx'
import { todayInParis } from '../../../ui/period/period.ts'
import { PeriodBar } from '../../../ui/period/period-bar.tsx'
import { usePeriod } from '../../../ui/period/use-period.ts'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { useNames } from '../use-members.ts'
import { Consumers } from './consumers.tsx'
import { MethodBars, MethodsTable } from './methods.tsx'
import { baselineOf, inOrder, type Result, suggested, triedOf } from './model.ts'
import { PrepareButton } from './prepare-button.tsx'

type Compared = { steps: number; excluded: number; results: Result[] }

function Comparison({ operation, versions, data }: { operation: Operation; versions: Key[]; data: Compared }) {
  const [search, setSearch] = useSearchParams()
  const names = useNames(operation.id)
  const all = triedOf(data.results, versions)
  const baseline = baselineOf(all, versions)
  const tried = inOrder(all, baseline)
  const chosen = tried.find(({ id }) => id === search.get('methode')) ?? suggested(tried, baseline)
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
        {plural(data.steps - data.excluded, 'pas de temps comparé', 'pas de temps comparés')}
        {data.excluded > 0 && `, ${number(data.excluded)} laissés de côté faute de relevés`}.
      </p>
      <MethodBars tried={tried} baseline={baseline} />
      <MethodsTable tried={tried} baseline={baseline} chosen={chosen} onChoose={choose} />
      {baseline && chosen && (
        <Consumers
          baseline={baseline}
          chosen={chosen}
          names={names}
          action={<PrepareButton operationId={operation.id} versions={versions} chosen={chosen} />}
        />
      )}
    </>
  )
}

/** Every method on the operation's own history, before one of them is adopted. */
export default function CompareTab({ operation }: { operation: Operation }) {
  const [period, setPeriod] = usePeriod('month')
  const today = todayInParis()
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
        <Comparison operation={operation} versions={versions.data.items} data={data} />
      )}
    </div>
  )
}

import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { energy } from '@voisol/contract/energy'
import { Suspense } from 'react'
import { useSearchParams } from 'react-router'
import { query } from '../../../lib/queries.ts'
import { ButtonLink } from '../../../ui/button.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { ErrorState } from '../../../ui/error-state.tsx'
import { lazy } from '../../../ui/lazy.tsx'
import { PageHeader } from '../../../ui/page-header.tsx'
import { PeriodBar } from '../../../ui/period/period-bar.tsx'
import { usePeriod } from '../../../ui/period/use-period.ts'
import { Select } from '../../../ui/select.tsx'
import { TableSkeleton } from '../../../ui/table-skeleton.tsx'
import { Alarms } from './alarms.tsx'
import { ProductionChart } from './chart.tsx'
import { PlantTable } from './producers.tsx'
import { listOperationOptions } from './rows.ts'
import { ProductionTiles } from './tiles.tsx'

// Below what the plants gave: it comes once that stands.
const PlantEconomies = lazy(() => import('../../../ui/plant-economy/plant-economy.tsx'))

const OPERATION_PARAM = 'operation'

const NoPlant = () => (
  <EmptyState
    title="Aucune centrale sur cette période"
    why="Les producteurs qui participent à une opération apparaissent ici, avec ce qu’ils ont produit et partagé."
    action={
      <ButtonLink variant="secondary" to="/acc-operations">
        Voir les opérations
      </ButtonLink>
    }
  />
)

/** The plants of every operation: what they gave, where it went, and which need a look. */
export default function Production() {
  const [period, setPeriod] = usePeriod('month')
  const [search, setSearch] = useSearchParams()
  const { from, to } = period
  const { data, error, refetch } = useQuery({
    ...query(energy.producers, { query: { from, to } }),
    placeholderData: keepPreviousData,
  })
  const choices = listOperationOptions(data?.items ?? [])
  const requestedOperation = search.get(OPERATION_PARAM)
  const operationId = choices.find(({ value }) => value === requestedOperation)?.value
  const rows = data?.items.filter((row) => operationId === undefined || row.operationId === operationId)
  const choose = (next: string) =>
    setSearch(
      (old) => {
        if (next) old.set(OPERATION_PARAM, next)
        else old.delete(OPERATION_PARAM)
        return old
      },
      { preventScrollReset: true },
    )
  return (
    <>
      <PageHeader
        title="Production"
        description="Ce que les centrales ont produit, ce qui a été partagé, et celles qui demandent un regard."
      />
      <div className="grid gap-6 [&>*]:min-w-0">
        <PeriodBar period={period} onChange={setPeriod}>
          <Select
            aria-label="Opération"
            className="sm:w-64"
            value={operationId ?? ''}
            onChange={(event) => choose(event.target.value)}
            options={[{ value: '', label: 'Toutes les opérations' }, ...choices]}
          />
        </PeriodBar>
        {rows?.length === 0 ? (
          <NoPlant />
        ) : (
          <>
            <ProductionTiles period={period} operationId={operationId} rows={rows} />
            <ProductionChart period={period} operationId={operationId} onPeriod={setPeriod} />
          </>
        )}
        {error && <ErrorState error={error} onRetry={refetch} />}
        {!rows && !error && <TableSkeleton label="Centrales" />}
        {rows && <Alarms rows={rows} />}
        {rows && rows.length > 0 && <PlantTable rows={rows} period={period} />}
        {rows && rows.length > 0 && (
          <Suspense>
            <PlantEconomies where={{ from, to, ...(operationId && { operationId }) }} />
          </Suspense>
        )}
      </div>
    </>
  )
}

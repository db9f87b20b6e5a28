import { useQuery } from '@tanstack/react-query'
import { analytics } from '@voisol/contract/analytics'
import { operations } from '@voisol/contract/operations'
import { Suspense } from 'react'
import { Can } from '../../lib/can.tsx'
import { query } from '../../lib/queries.ts'
import { lazy } from '../../ui/lazy.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { PeriodBar } from '../../ui/period/period-bar.tsx'
import { usePeriod } from '../../ui/period/use-period.ts'
import { Select } from '../../ui/select.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { ComparisonCard } from './comparison.tsx'
import { useAnalyticsFilters } from './use-look.ts'
import { SavedViews } from './views.tsx'

// What is further down comes once the first figures stand.
const Curve = lazy(() => import('./curve.tsx'))
const Hours = lazy(() => import('./hours.tsx'))
const Money = lazy(() => import('./money.tsx'))
const PlantEconomies = lazy(() => import('../../ui/plant-economy/plant-economy.tsx'))

const MAX_LISTED_OPERATIONS = 100

/** Operations, members, groups and months side by side, and the hours they are made of. */
export default function Analytics() {
  const [period, setPeriod] = usePeriod('month')
  const { look, change } = useAnalyticsFilters()
  const { data } = useQuery(query(operations.list, { query: { size: MAX_LISTED_OPERATIONS, sort: 'name' } }))
  const choices = (data?.items ?? []).map(({ id, name }) => ({ value: id, label: name }))
  const { from, to } = period
  const where = { from, to, ...(look.operationId && { operationId: look.operationId }) }
  return (
    <>
      <PageHeader
        title="Analyses détaillées"
        description="Comparez vos opérations, leurs membres et leurs mois, puis regardez les heures qui les composent."
      />
      <div className="grid gap-6 [&>*]:min-w-0">
        <PeriodBar period={period} onChange={setPeriod}>
          <Select
            aria-label="Opération"
            className="sm:w-64"
            value={look.operationId ?? ''}
            onChange={(event) => change({ operation: event.target.value })}
            options={[{ value: '', label: 'Toutes les opérations' }, ...choices]}
          />
        </PeriodBar>
        <SavedViews />
        <ComparisonCard where={where} look={look} onLook={change} onPeriod={setPeriod} />
        <Suspense fallback={<Skeleton className="h-96 w-full" />}>
          <Curve where={where} />
          <Hours where={where} measure={look.measure} onMeasure={(measure) => change({ measure })} />
          <Can call={analytics.money}>
            <Money where={where} />
          </Can>
          <PlantEconomies where={where} />
        </Suspense>
      </div>
    </>
  )
}

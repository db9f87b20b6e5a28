import { useQuery } from '@tanstack/react-query'
import { energy } from '@voisol/contract/energy'
import { addDays } from '@voisol/energy/calendar'
import { useMemo } from 'react'
import { useSearchParams } from 'react-router'
import { ButtonLink } from '../../../../components/button.tsx'
import { Card } from '../../../../components/card.tsx'
import { PeriodBars } from '../../../../components/curve-explorer/period-bars.tsx'
import { EmptyState } from '../../../../components/empty-state.tsx'
import { buildExplorerSeries, filterSideSeries, toEpochMinute } from '../../../../components/energy-explorer/columns.ts'
import { ErrorState } from '../../../../components/error-state.tsx'
import { Skeleton } from '../../../../components/loading.tsx'
import { formatDayRange } from '../../../../components/period/period-labels.ts'
import { buildDaySearch } from '../../../../lib/period-search.ts'
import { query } from '../../../../lib/queries.ts'
import { useSession } from '../../../../lib/session.ts'

type MonthChartProps = { operationId: string; days: { from: string; to: string }; until: string | null }

export function MonthChart({ operationId, days, until }: MonthChartProps) {
  const [, setSearch] = useSearchParams()
  const companyId = useSession().user?.companyId ?? ''
  const { data, error, refetch } = useQuery(
    query(energy.series, { query: { operationId, ...days, granularity: 'day' } }),
  )
  // Shared and surplus are the production.
  const series = useMemo(
    () =>
      data
        ? filterSideSeries(buildExplorerSeries(data, 'energy', { unitPrice: null, gramsPerKwh: 0 }), 'production')
        : [],
    [data],
  )
  const starts = useMemo(() => data?.starts.map(toEpochMinute) ?? [], [data])
  const open = (day: string) => setSearch(`onglet=energie&${buildDaySearch(day)}`)
  if (error) return <ErrorState error={error} onRetry={refetch} />
  if (!data) return <Skeleton className="h-96 w-full" />
  return (
    <Card>
      {series.length > 0 ? (
        <PeriodBars
          title="Production, énergie partagée et surplus"
          series={series}
          starts={starts}
          each="day"
          label={formatDayRange(days.from, addDays(days.to, -1))}
          knownUntil={until === null ? undefined : toEpochMinute(until)}
          onOpen={open}
        />
      ) : (
        <EmptyState
          title="Aucun relevé ce mois-ci"
          why="Cet écran se remplit avec les courbes de charge des points&nbsp;: importez-les, ou attendez la prochaine synchronisation."
          action={
            <span className="flex flex-wrap justify-center gap-2">
              <ButtonLink to={`/companies/${companyId}/operations/${operationId}/load-curves?onglet=imports`}>
                Importer des courbes
              </ButtonLink>
              <ButtonLink variant="secondary" to="?onglet=energie">
                Voir une autre période
              </ButtonLink>
            </span>
          }
        />
      )}
    </Card>
  )
}

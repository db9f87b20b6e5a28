import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { gateway } from '@voisol/contract/gateway'
import { query } from '../../lib/queries.ts'
import { Card } from '../../ui/card.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { CallsChart, CallTiles, useGatewayPeriod } from './calls.tsx'
import { CallTotalsTable } from './sums-table.tsx'

/** Of all companies, for who keeps the installation. */
export function InstallationCalls() {
  const { period, chips } = useGatewayPeriod()
  const { data, error, refetch } = useQuery({
    ...query(gateway.installation, { query: { period } }),
    staleTime: 0,
    placeholderData: keepPreviousData,
  })
  if (error) return <ErrorState error={error} onRetry={refetch} />
  if (!data) return <Skeleton className="h-96 w-full" />
  return (
    <div className="grid gap-6 [&>*]:min-w-0">
      {chips}
      <CallTiles total={data.total} />
      <CallsChart series={data.series} period={period} />
      <Card title="Par organisation">
        <CallTotalsTable label="Appels par organisation" of="Organisation" rows={data.companies} none="Aucun appel." />
      </Card>
      <Card title="Par appel">
        <CallTotalsTable label="Appels par adresse" of="Appel" rows={data.routes} none="Aucun appel." code />
      </Card>
    </div>
  )
}

import { Suspense } from 'react'
import { formatEnergy, formatMoney, formatPercent } from '../../lib/format.ts'
import { lazy } from '../lazy.tsx'
import { Skeleton } from '../skeleton.tsx'
import { KpiTile } from '../tile.tsx'

const ChartSamplesModule = lazy(() => import('./ui-charts.tsx').then((module) => ({ default: module.ChartSamples })))

export const TileSamples = () => (
  <div className="grid gap-4 sm:grid-cols-2 xl:grid-cols-4">
    <KpiTile
      label="Production (exemple)"
      figure={formatEnergy(12_480_000)}
      change={{ ratio: 0.12, against: 'mai 2026', good: 'up' }}
      trend={{ values: [4, 5, 7, 6, 8, 9, 8, 11], color: 'var(--data-local)' }}
    />
    <KpiTile
      label="Consommation (exemple)"
      figure={formatEnergy(842_300)}
      change={{ ratio: -0.034, against: 'mai 2026', good: 'down' }}
      trend={{ values: [9, 8, 8, null, null, 7, 6, 6], color: 'var(--data-consumption)' }}
    />
    <KpiTile
      label="Autoconsommation (exemple)"
      figure={formatPercent(0.874)}
      change={{ ratio: 0, against: 'mai 2026', good: 'up' }}
    />
    <KpiTile label="À facturer (exemple)" figure={formatMoney(1_234_567)} note="18 factures à émettre" />
  </div>
)

/** The pictures weigh more than all the rest of the page: they come after it. */
export const LazyChartSamples = () => (
  <Suspense fallback={<Skeleton className="h-96 w-full" />}>
    <ChartSamplesModule />
  </Suspense>
)

import { Suspense } from 'react'
import { energy, money, percent } from '../../lib/format.ts'
import { lazy } from '../lazy.tsx'
import { Skeleton } from '../skeleton.tsx'
import { Tile } from '../tile.tsx'

const LazyCharts = lazy(() => import('./ui-charts.tsx').then((module) => ({ default: module.ChartSamples })))

export const TileSamples = () => (
  <div className="grid gap-4 sm:grid-cols-2 xl:grid-cols-4">
    <Tile
      label="Production (exemple)"
      figure={energy(12_480_000)}
      change={{ ratio: 0.12, against: 'mai 2026', good: 'up' }}
      trend={{ values: [4, 5, 7, 6, 8, 9, 8, 11], color: 'var(--data-local)' }}
    />
    <Tile
      label="Consommation (exemple)"
      figure={energy(842_300)}
      change={{ ratio: -0.034, against: 'mai 2026', good: 'down' }}
      trend={{ values: [9, 8, 8, null, null, 7, 6, 6], color: 'var(--data-consumption)' }}
    />
    <Tile
      label="Autoconsommation (exemple)"
      figure={percent(0.874)}
      change={{ ratio: 0, against: 'mai 2026', good: 'up' }}
    />
    <Tile label="À facturer (exemple)" figure={money(1_234_567)} note="18 factures à émettre" />
  </div>
)

/** The pictures weigh more than all the rest of the page: they come after it. */
export const ChartSamples = () => (
  <Suspense fallback={<Skeleton className="h-96 w-full" />}>
    <LazyCharts />
  </Suspense>
)

import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { energy as endpoints } from '@voisol/contract/energy'
import { dayOf } from '@voisol/energy/calendar'
import { formatNumber } from '../../../lib/format.ts'
import { query } from '../../../lib/queries.ts'
import { EnergyTiles } from '../../../ui/energy-figures/energy-tiles.tsx'
import { ErrorState } from '../../../ui/error-state.tsx'
import type { Period } from '../../../ui/period/period.ts'
import { clipToKnownDays, type DayRange, describePreviousPeriod } from '../../../ui/period/so-far.ts'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { KpiTile } from '../../../ui/tile.tsx'
import { computeYield, type Plant } from './rows.ts'

type Props = { period: Period; operationId: string | undefined; rows: Plant[] | undefined }
const useEnergySummary = ({ from, to }: DayRange, operationId: string | undefined) =>
  useQuery({ ...query(endpoints.summary, { query: { from, to, operationId } }), placeholderData: keepPreviousData })

/** The last day of which something is known: the instant is the midnight that closes it. */
const getLastDay = (receivedUntil: string | null) =>
  receivedUntil === null ? null : dayOf(Math.floor(Date.parse(receivedUntil) / 60_000) - 1)

const SHOWN_FIGURES = ['produced', 'shared', 'surplus'] as const

/** Four figures of the period. */
export function ProductionTiles({ period, operationId, rows }: Props) {
  const whole = useEnergySummary(period, operationId)
  const knownPeriod = clipToKnownDays(period, getLastDay(whole.data?.receivedUntil ?? null))
  const { data, error, refetch } = useEnergySummary(knownPeriod, operationId)
  if (error) return <ErrorState error={error} onRetry={refetch} />
  if (!data) return <Skeleton className="h-32 w-full" />
  const specific = computeYield(rows ?? [])
  return (
    <EnergyTiles
      summary={data}
      shown={SHOWN_FIGURES}
      before={describePreviousPeriod(period, knownPeriod)}
      className="grid-cols-1 sm:grid-cols-2 xl:grid-cols-4"
    >
      <KpiTile
        label="Productible"
        figure={specific ? `${formatNumber(specific.value, 1)}\u00a0kWh/kWc` : '–'}
        note={
          specific
            ? `Pour ${formatNumber(specific.peak / 1000, 1)}\u00a0kWc installés`
            : 'La puissance crête des centrales n’est pas renseignée.'
        }
      />
    </EnergyTiles>
  )
}

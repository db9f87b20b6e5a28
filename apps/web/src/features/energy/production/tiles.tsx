import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { energy as endpoints } from '@voisol/contract/energy'
import { dayOf } from '@voisol/energy/calendar'
import { number } from '../../../lib/format.ts'
import { query } from '../../../lib/queries.ts'
import { EnergyTiles } from '../../../ui/energy-figures/energy-tiles.tsx'
import { ErrorState } from '../../../ui/error-state.tsx'
import type { Period } from '../../../ui/period/period.ts'
import { beforeWords, type Days, soFar } from '../../../ui/period/so-far.ts'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { Tile } from '../../../ui/tile.tsx'
import { type Plant, yieldOf } from './rows.ts'

type Props = { period: Period; operationId: string | undefined; rows: Plant[] | undefined }
const useSummary = ({ from, to }: Days, operationId: string | undefined) =>
  useQuery({ ...query(endpoints.summary, { query: { from, to, operationId } }), placeholderData: keepPreviousData })

/** The last day of which something is known: the instant is the midnight that closes it. */
const lastDayOf = (receivedUntil: string | null) =>
  receivedUntil === null ? null : dayOf(Math.floor(Date.parse(receivedUntil) / 60_000) - 1)

const SHOWN = ['produced', 'shared', 'surplus'] as const

/** Four figures of the period. */
export function Tiles({ period, operationId, rows }: Props) {
  const whole = useSummary(period, operationId)
  const shown = soFar(period, lastDayOf(whole.data?.receivedUntil ?? null))
  const { data, error, refetch } = useSummary(shown, operationId)
  if (error) return <ErrorState error={error} onRetry={refetch} />
  if (!data) return <Skeleton className="h-32 w-full" />
  const specific = yieldOf(rows ?? [])
  return (
    <EnergyTiles
      summary={data}
      shown={SHOWN}
      before={beforeWords(period, shown)}
      className="grid-cols-1 sm:grid-cols-2 xl:grid-cols-4"
    >
      <Tile
        label="Productible"
        figure={specific ? `${number(specific.value, 1)}\u00a0kWh/kWc` : '–'}
        note={
          specific
            ? `Pour ${number(specific.peak / 1000, 1)}\u00a0kWc installés`
            : 'La puissance crête des centrales n’est pas renseignée.'
        }
      />
    </EnergyTiles>
  )
}

import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { energy as endpoints, type Totals } from '@voisol/contract/energy'
import { energy, number, percent } from '../../lib/format.ts'
import { query } from '../../lib/queries.ts'
import { ErrorState } from '../../ui/error-state.tsx'
import { periodLabel } from '../../ui/period/label.ts'
import { type Period, previousOf } from '../../ui/period/period.ts'
import { Skeleton } from '../../ui/skeleton.tsx'
import { type Change, Tile } from '../../ui/tile.tsx'
import { type Plant, yieldOf } from './rows.ts'

type Props = { period: Period; operationId: string | undefined; rows: Plant[] | undefined }
type Key = 'produced' | 'shared' | 'surplus'

const changeOf = (now: Totals, before: Totals | null, key: Key, against: string): Change | undefined =>
  before && before[key] > 0 ? { ratio: now[key] / before[key] - 1, against } : undefined

const shareOf = (part: number, whole: number) =>
  whole > 0 ? `${percent(part / whole)} de la production répartie` : undefined

/** Four figures of the period, each against the one before. */
export function Tiles({ period, operationId, rows }: Props) {
  const { from, to } = period
  const { data, error, refetch } = useQuery({
    ...query(endpoints.summary, { query: { from, to, operationId } }),
    placeholderData: keepPreviousData,
  })
  if (error) return <ErrorState error={error} onRetry={refetch} />
  if (!data) return <Skeleton className="h-32 w-full" />
  const { current, previous } = data
  const against = periodLabel(previousOf(period))
  const specific = yieldOf(rows ?? [])
  const spread = current.shared + current.surplus
  return (
    <div className="grid grid-cols-1 gap-4 sm:grid-cols-2 xl:grid-cols-4">
      <Tile
        label="Production"
        figure={energy(current.produced)}
        change={changeOf(current, previous, 'produced', against)}
      />
      <Tile
        label="Énergie partagée"
        figure={energy(current.shared)}
        change={changeOf(current, previous, 'shared', against)}
        note={shareOf(current.shared, spread)}
      />
      <Tile
        label="Surplus"
        figure={energy(current.surplus)}
        change={changeOf(current, previous, 'surplus', against)}
        note={shareOf(current.surplus, spread)}
      />
      <Tile
        label="Productible"
        figure={specific ? `${number(specific.value, 1)}\u00a0kWh/kWc` : '–'}
        note={
          specific
            ? `Pour ${number(specific.peak / 1000, 1)}\u00a0kWc installés`
            : 'La puissance crête des centrales n’est pas renseignée.'
        }
      />
    </div>
  )
}

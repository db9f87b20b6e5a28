import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { energy as endpoints, type Totals } from '@voisol/contract/energy'
import { dayOf } from '@voisol/energy/calendar'
import { energy, number, percent } from '../../../lib/format.ts'
import { query } from '../../../lib/queries.ts'
import { ErrorState } from '../../../ui/error-state.tsx'
import type { Period } from '../../../ui/period/period.ts'
import { beforeWords, type Days, soFar } from '../../../ui/period/so-far.ts'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { type Change, Tile } from '../../../ui/tile.tsx'
import { type Plant, yieldOf } from './rows.ts'

type Props = { period: Period; operationId: string | undefined; rows: Plant[] | undefined }
type Key = 'produced' | 'shared' | 'surplus'

const changeOf = (now: Totals, before: Totals | null, key: Key, against: string): Change | undefined =>
  before && before[key] > 0 ? { ratio: now[key] / before[key] - 1, against } : undefined

const shareOf = (part: number, whole: number) =>
  whole > 0 ? `${percent(part / whole)} de la production répartie` : undefined

const useSummary = ({ from, to }: Days, operationId: string | undefined) =>
  useQuery({ ...query(endpoints.summary, { query: { from, to, operationId } }), placeholderData: keepPreviousData })

/** The last day of which something is known: the instant is the midnight that closes it. */
const lastDayOf = (receivedUntil: string | null) =>
  receivedUntil === null ? null : dayOf(Math.floor(Date.parse(receivedUntil) / 60_000) - 1)

/** Four figures of the period, each against as many days before it. */
export function Tiles({ period, operationId, rows }: Props) {
  const whole = useSummary(period, operationId)
  const shown = soFar(period, lastDayOf(whole.data?.receivedUntil ?? null))
  const { data, error, refetch } = useSummary(shown, operationId)
  if (error) return <ErrorState error={error} onRetry={refetch} />
  if (!data) return <Skeleton className="h-32 w-full" />
  const { current, previous } = data
  const against = beforeWords(period, shown)
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

import { useQuery } from '@tanstack/react-query'
import { energy } from '@voisol/contract/energy'
import { addDays } from '@voisol/energy/calendar'
import { formatCount, formatPercent } from '../../../lib/format.ts'
import { query } from '../../../lib/queries.ts'
import { Card } from '../../../ui/card.tsx'
import { cx } from '../../../ui/cx.ts'
import { ErrorState } from '../../../ui/error-state.tsx'
import { formatDayRange } from '../../../ui/period/label.ts'
import { Skeleton } from '../../../ui/skeleton.tsx'

const formatHour = (at: number) => `${at}\u00a0h`
type HourRange = { fromHour: number; toHour: number }

/** The day as 24 columns; the hours worth waiting for are bright. */
function HourBars({ hours, best }: { hours: number[]; best: HourRange }) {
  const most = Math.max(...hours)
  const isBest = (at: number) => at >= best.fromHour && at < best.toHour
  return (
    <div aria-hidden="true" className="grid gap-1">
      <div className="flex h-20 items-end gap-0.5">
        {hours.map((share, at) => (
          <span
            key={formatHour(at)}
            className={cx('min-h-1 flex-1 rounded-t-sm', isBest(at) ? 'bg-local' : 'bg-amber-200')}
            style={{ height: `${(share / most) * 100}%` }}
          />
        ))}
      </div>
      <div className="flex justify-between text-[0.8125rem] text-ink-soft">
        {[0, 6, 12, 18, 24].map((at) => (
          <span key={at}>{formatHour(at)}</span>
        ))}
      </div>
    </div>
  )
}

/** When the neighbourhood most often had energy to spare: what was seen, not a forecast. */
export function BestHours() {
  const { data, error, refetch } = useQuery(query(energy.bestHours, { query: {} }))
  if (error) return <ErrorState error={error} onRetry={refetch} />
  if (!data) return <Skeleton className="h-64 w-full" />
  const { best, days, from, to, hours } = data
  if (!best || !from || !to)
    return (
      <Card title="Vos meilleures heures">
        <p className="text-ink-soft">
          Elles seront connues dès que quelques journées de production auront été mesurées dans votre opération.
        </p>
      </Card>
    )
  const part = hours.slice(best.fromHour, best.toHour).reduce((sum, share) => sum + share, 0)
  const dateRange = formatDayRange(from, addDays(to, -1))
  return (
    <Card title="Vos meilleures heures">
      <div className="grid gap-4">
        <p className="text-xl leading-snug font-semibold tracking-[-0.01em]">
          Lancez vos appareils entre {formatHour(best.fromHour)} et {formatHour(best.toHour)}.
        </p>
        <HourBars hours={hours} best={best} />
        <p className="text-ink-soft">
          {formatPercent(part, 0)} de l’énergie disponible a été produite à ces heures, d’après les{' '}
          {formatCount(days, 'dernier jour connu', 'derniers jours connus')} ({dateRange}). C’est une observation, pas
          une prévision.
        </p>
      </div>
    </Card>
  )
}

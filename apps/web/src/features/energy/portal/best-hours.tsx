import { useQuery } from '@tanstack/react-query'
import { energy } from '@voisol/contract/energy'
import { addDays } from '@voisol/energy/calendar'
import { percent, plural } from '../../../lib/format.ts'
import { query } from '../../../lib/queries.ts'
import { Card } from '../../../ui/card.tsx'
import { cx } from '../../../ui/cx.ts'
import { ErrorState } from '../../../ui/error-state.tsx'
import { daysLabel } from '../../../ui/period/label.ts'
import { Skeleton } from '../../../ui/skeleton.tsx'

const hour = (at: number) => `${at}\u00a0h`
type Best = { fromHour: number; toHour: number }

/** The day as 24 columns; the hours worth waiting for are bright. */
function Hours({ hours, best }: { hours: number[]; best: Best }) {
  const most = Math.max(...hours)
  const isBest = (at: number) => at >= best.fromHour && at < best.toHour
  return (
    <div aria-hidden="true" className="grid gap-1">
      <div className="flex h-20 items-end gap-0.5">
        {hours.map((share, at) => (
          <span
            key={hour(at)}
            className={cx('min-h-1 flex-1 rounded-t-sm', isBest(at) ? 'bg-local' : 'bg-amber-200')}
            style={{ height: `${(share / most) * 100}%` }}
          />
        ))}
      </div>
      <div className="flex justify-between text-[0.8125rem] text-ink-soft">
        {[0, 6, 12, 18, 24].map((at) => (
          <span key={at}>{hour(at)}</span>
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
  const span = daysLabel(from, addDays(to, -1))
  return (
    <Card title="Vos meilleures heures">
      <div className="grid gap-4">
        <p className="text-xl leading-snug font-semibold tracking-[-0.01em]">
          Lancez vos appareils entre {hour(best.fromHour)} et {hour(best.toHour)}.
        </p>
        <Hours hours={hours} best={best} />
        <p className="text-ink-soft">
          {percent(part, 0)} de l’énergie disponible a été produite à ces heures, d’après les{' '}
          {plural(days, 'dernier jour connu', 'derniers jours connus')} ({span}). C’est une observation, pas une
          prévision.
        </p>
      </div>
    </Card>
  )
}

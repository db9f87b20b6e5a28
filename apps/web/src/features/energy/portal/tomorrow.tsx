import { useQuery } from '@tanstack/react-query'
import { forecasts, type TomorrowHours } from '@voisol/contract/forecasts'
import { localTime } from '@voisol/energy/calendar'
import { formatCount, formatLongDate, formatPercent } from '../../../lib/format.ts'
import { query } from '../../../lib/queries.ts'
import { Card } from '../../../ui/card.tsx'
import { Link } from '../../../ui/link.tsx'

const formatHour = (instant: string) => {
  const { minuteOfDay } = localTime(Date.parse(instant) / 60_000)
  return `${Math.floor(minuteOfDay / 60)}\u00a0h`
}

/** Of an operation whose name is said where there are several. */
function describeTomorrow({ state, from, to, day }: TomorrowHours): string {
  if (state === 'hours' && from && to)
    return `Demain, lancez vos appareils entre ${formatHour(from)} et ${formatHour(to)}.`
  if (state === 'none') return `Demain ${formatLongDate(day)}, aucune heure n’est assez sûre.`
  return 'Les heures de demain ne peuvent pas encore être annoncées.'
}

const STATE_EXPLANATIONS = {
  hours: 'À ces heures, il devrait rester de l’énergie locale dans au moins huit cas sur dix.',
  none: 'Il faudrait deux heures de suite où il reste de l’énergie locale dans au moins huit cas sur dix.',
  unmeasured: 'Il faut d’abord quatorze jours de prévisions comparées à ce que les compteurs ont mesuré.',
  unknown: 'La prévision de ce matin n’a pas été émise.',
}

const describeAccuracy = ({ hits }: TomorrowHours) =>
  hits
    ? `Sur les ${formatCount(hits.days, 'jour annoncé', 'jours annoncés')} avant, il en restait vraiment ${formatPercent(hits.rate, 0)} du temps.`
    : 'Trop peu de jours ont été annoncés pour dire combien de fois c’était juste.'

const OperationHours = ({ hours, named }: { hours: TomorrowHours; named: boolean }) => (
  <div className="grid gap-1">
    {named && <p className="text-[0.8125rem] font-medium text-ink-soft">{hours.operationName}</p>}
    <p className="text-xl leading-snug font-semibold tracking-[-0.01em]">{describeTomorrow(hours)}</p>
    <p className="text-ink-soft">
      {STATE_EXPLANATIONS[hours.state]} {(hours.state === 'hours' || hours.state === 'none') && describeAccuracy(hours)}
    </p>
  </div>
)

/** Tomorrow's hours as they are foreseen; what is not sure is said too. */
export function TomorrowCard() {
  const { data } = useQuery(query(forecasts.bestHours, { query: {} }))
  if (!data?.items.length) return null
  return (
    <Card title="Demain">
      <div className="grid gap-4">
        {data.items.map((hours) => (
          <OperationHours key={hours.operationId} hours={hours} named={data.items.length > 1} />
        ))}
        <p>
          <Link className="text-link" to="/client-portal/notifications?tab=preferences">
            Être prévenu la veille au soir
          </Link>
        </p>
      </div>
    </Card>
  )
}

import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { curves } from '@voisol/contract/curves'
import { of } from '@voisol/contract/elision'
import type { Point } from '@voisol/contract/points'
import { useMemo } from 'react'
import { date, number, percent, plural } from '../../../lib/format.ts'
import { pointName } from '../../../lib/point-name.ts'
import { query } from '../../../lib/queries.ts'
import { ButtonLink } from '../../../ui/button.tsx'
import { Card } from '../../../ui/card.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { minuteOf } from '../../../ui/energy-explorer/columns.ts'
import { ErrorState } from '../../../ui/error-state.tsx'
import { periodLabel } from '../../../ui/period/label.ts'
import type { Period } from '../../../ui/period/period.ts'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { LazyCurve } from '../lazy-curve.tsx'
import { type Curve, curveSeries, hasChanged } from './curve-series.ts'
import { KnownAt, useKnownAt } from './known-at.tsx'

/** Looked at as it was known, and nothing was. */
const unknownThen = (day: string) => (
  <EmptyState
    title="Rien n’était encore connu"
    why={`Au soir du ${date(day)}, aucun relevé n’avait été reçu pour cette période.`}
    because="chosen-here"
  />
)

const NOTHING = (
  <EmptyState
    title="Aucun relevé sur cette période"
    why="Rien n’a été reçu pour ces jours. Choisissez une autre période, ou importez les courbes du point."
    action={
      <ButtonLink variant="secondary" to="/enedis-data">
        Importer des courbes
      </ButtonLink>
    }
  />
)

const missingText = ({ present, expected, step }: Curve) =>
  `Pas de ${step}\u00a0minutes, ${plural(present, 'relevé')} sur ${number(expected)} attendus` +
  `${expected > 0 ? ` (${percent(Math.floor((present / expected) * 1000) / 1000)})` : ''}.`

function Change({ shown, now, day }: { shown: Curve; now: Curve | undefined; day: string }) {
  if (!now) return null
  return (
    <p role="status" className="rounded-control bg-page px-4 py-3 text-body">
      Relevés tels que connus au soir du {date(day)}.{' '}
      {hasChanged(shown, now)
        ? 'Ils ont changé depuis\u00a0: la courbe d’aujourd’hui est en pointillé.'
        : 'Rien n’a changé depuis sur cette période.'}
    </p>
  )
}

/** What the meter said, at its own step, now or as it was known on an earlier day. */
export function PointCurve({ point, period }: { point: Point; period: Period }) {
  const known = useKnownAt()
  const { from, to } = period
  const ask = { params: { id: point.id }, query: { from, to } }
  const now = useQuery({ ...query(curves.series, ask), placeholderData: keepPreviousData })
  const then = useQuery({
    ...query(curves.series, { ...ask, query: { from, to, knownAt: known.instant } }),
    enabled: known.instant !== undefined,
  })
  const { data, error, refetch } = known.instant === undefined ? now : then
  const beside = known.instant === undefined ? undefined : now.data
  const series = useMemo(() => (data ? curveSeries(point, data, beside) : null), [data, beside, point])
  return (
    <Card>
      <div className="grid gap-4 [&>*]:min-w-0">
        <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
          <p className="text-body text-ink-soft">{data && missingText(data)}</p>
          <KnownAt day={known.day} setDay={known.setDay} />
        </div>
        {error && <ErrorState error={error} onRetry={refetch} />}
        {!data && !error && <Skeleton className="h-96 w-full" />}
        {data && data.present > 0 && known.day !== null && <Change shown={data} now={beside} day={known.day} />}
        {data &&
          series &&
          (data.present > 0 ? (
            <LazyCurve
              title={`Courbe de charge ${of(pointName(point))}`}
              series={series}
              startsAt={minuteOf(data.startsAt)}
              step={data.step}
              label={periodLabel(period)}
              knownUntil={data.receivedUntil === null ? undefined : minuteOf(data.receivedUntil)}
              {...(point.latitude !== null &&
                point.longitude !== null && { place: { lat: point.latitude, lon: point.longitude } })}
            />
          ) : known.day === null ? (
            NOTHING
          ) : (
            unknownThen(known.day)
          ))}
      </div>
    </Card>
  )
}

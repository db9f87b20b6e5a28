import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { curves } from '@voisol/contract/curves'
import { withDe } from '@voisol/contract/elision'
import type { Point } from '@voisol/contract/points'
import { useMemo } from 'react'
import { formatCount, formatDate, formatNumber, formatPercent } from '../../../lib/format.ts'
import { formatPointName } from '../../../lib/point-name.ts'
import { query } from '../../../lib/queries.ts'
import { ButtonLink } from '../../../ui/button.tsx'
import { Card } from '../../../ui/card.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { toEpochMinute } from '../../../ui/energy-explorer/columns.ts'
import { ErrorState } from '../../../ui/error-state.tsx'
import { formatPeriodLabel } from '../../../ui/period/label.ts'
import type { Period } from '../../../ui/period/period.ts'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { LazyCurveExplorer } from '../lazy-curve.tsx'
import { buildCurveSeries, hasChanged, type PointCurveData } from './curve-series.ts'
import { KnownAtField, useKnownAt } from './known-at.tsx'

/** Looked at as it was known, and nothing was. */
const renderNothingKnown = (day: string) => (
  <EmptyState
    title="Rien n’était encore connu"
    why={`Au soir du ${formatDate(day)}, aucun relevé n’avait été reçu pour cette période.`}
    because="chosen-here"
  />
)

const EMPTY_STATE = (
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

const describeCoverage = ({ present, expected, step }: PointCurveData) =>
  `Pas de ${step}\u00a0minutes, ${formatCount(present, 'relevé')} sur ${formatNumber(expected)} attendus` +
  `${expected > 0 ? ` (${formatPercent(Math.floor((present / expected) * 1000) / 1000)})` : ''}.`

function KnownAtChange({ shown, now, day }: { shown: PointCurveData; now: PointCurveData | undefined; day: string }) {
  if (!now) return null
  return (
    <p role="status" className="rounded-control bg-page px-4 py-3 text-body">
      Relevés tels que connus au soir du {formatDate(day)}.{' '}
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
  const seriesInput = { params: { id: point.id }, query: { from, to } }
  const now = useQuery({ ...query(curves.series, seriesInput), placeholderData: keepPreviousData })
  const knownThen = useQuery({
    ...query(curves.series, { ...seriesInput, query: { from, to, knownAt: known.instant } }),
    enabled: known.instant !== undefined,
  })
  const { data, error, refetch } = known.instant === undefined ? now : knownThen
  const comparedCurve = known.instant === undefined ? undefined : now.data
  const series = useMemo(
    () => (data ? buildCurveSeries(point, data, comparedCurve) : null),
    [data, comparedCurve, point],
  )
  return (
    <Card>
      <div className="grid gap-4 [&>*]:min-w-0">
        <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
          <p className="text-body text-ink-soft">{data && describeCoverage(data)}</p>
          <KnownAtField day={known.day} setDay={known.setDay} />
        </div>
        {error && <ErrorState error={error} onRetry={refetch} />}
        {!data && !error && <Skeleton className="h-96 w-full" />}
        {data && data.present > 0 && known.day !== null && (
          <KnownAtChange shown={data} now={comparedCurve} day={known.day} />
        )}
        {data &&
          series &&
          (data.present > 0 ? (
            <LazyCurveExplorer
              title={`Courbe de charge ${withDe(formatPointName(point))}`}
              series={series}
              startsAt={toEpochMinute(data.startsAt)}
              step={data.step}
              label={formatPeriodLabel(period)}
              knownUntil={data.receivedUntil === null ? undefined : toEpochMinute(data.receivedUntil)}
              {...(point.latitude !== null &&
                point.longitude !== null && { place: { lat: point.latitude, lon: point.longitude } })}
            />
          ) : known.day === null ? (
            EMPTY_STATE
          ) : (
            renderNothingKnown(known.day)
          ))}
      </div>
    </Card>
  )
}

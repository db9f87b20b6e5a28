import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { curves } from '@voisol/contract/curves'
import { withDe } from '@voisol/contract/elision'
import type { EndpointReply } from '@voisol/contract/endpoint'
import { energy } from '@voisol/contract/energy'
import type { Point } from '@voisol/contract/points'
import { points } from '@voisol/contract/points'
import { addDays, dayOf, dayStart, isDay } from '@voisol/energy/calendar'
import { Suspense, useId, useMemo, useState } from 'react'
import { useParams, useSearchParams } from 'react-router'
import { Button, ButtonLink } from '../../../components/button.tsx'
import { Card, type Fact } from '../../../components/card.tsx'
import type { ExplorerSeries } from '../../../components/curve-explorer/explorer-model.ts'
import { DateInput } from '../../../components/date-input.tsx'
import { SummaryStrip } from '../../../components/detail-screen.tsx'
import { EmptyState } from '../../../components/empty-state.tsx'
import { MeterSideLabel } from '../../../components/energy-cells.tsx'
import { toEpochMinute } from '../../../components/energy-explorer/columns.ts'
import { ErrorState } from '../../../components/error-state.tsx'
import { ExportMenu, SERIES_FORMATS, toSeriesFormat } from '../../../components/export-menu.tsx'
import { lazy } from '../../../components/lazy.tsx'
import { Skeleton } from '../../../components/loading.tsx'
import { PageHeader } from '../../../components/page-header.tsx'
import { getTodayInParis, type Period, usePeriod } from '../../../components/period/period.ts'
import { PeriodBar } from '../../../components/period/period-bar.tsx'
import { formatPeriodLabel } from '../../../components/period/period-labels.ts'
import { Can } from '../../../lib/can.tsx'
import { formatPointName, formatPrm, getMeterCountLabel } from '../../../lib/energy-labels.ts'
import { formatCount, formatDate, formatNumber, formatPercent } from '../../../lib/format.ts'
import { useObjectName, useParentName } from '../../../lib/object-names.ts'
import { query } from '../../../lib/queries.ts'
import { CurveUnavailable } from './curve-tabs.tsx'
import { formatReceivedUntil } from './labels.ts'
import { LazyCurveExplorer } from './lazy-curve.tsx'

// The curve is what one comes for; the rest follows.
const PointDays = lazy(() => import('./point/point-days.tsx'))
const PointHabits = lazy(() => import('./point/point-habits.tsx'))
const PointMonths = lazy(() => import('./point/point-months.tsx'))

const formatKilo = (value: number | null, unit: string) =>
  value === null ? 'Non renseignée' : `${formatNumber(value / 1000, value % 1000 === 0 ? 0 : 1)}\u00a0${unit}`

const buildPointFacts = (point: Point): Fact[] => [
  { label: 'PRM', value: <span className="whitespace-nowrap">{formatPrm(point.prm)}</span> },
  { label: 'Titulaire', value: point.participantName || 'Aucun aujourd’hui' },
  { label: 'Sens', value: <MeterSideLabel direction={point.direction} storage={point.storage} /> },
  { label: 'Segment', value: point.segment },
  point.direction === 'production'
    ? { label: 'Puissance crête', value: formatKilo(point.peakWatts, 'kWc') }
    : { label: 'Puissance souscrite', value: formatKilo(point.subscribedVa, 'kVA') },
  { label: 'Données reçues jusqu’au', value: formatReceivedUntil(point.receivedUntil) },
]

/** The first look is at the last readings, which may not be this week's. */
const getLastReadingDay = ({ receivedUntil }: Point) =>
  receivedUntil ? dayOf(toEpochMinute(receivedUntil) - 1) : getTodayInParis()

function PointContent({ point, operationId }: { point: Point; operationId: string }) {
  const [period, setPeriod] = usePeriod('week', getLastReadingDay(point))
  const { from, to } = period
  return (
    <>
      <PageHeader
        title={formatPointName(point)}
        description={[point.operationName, point.pointAddress].filter(Boolean).join(' · ')}
        actions={
          <>
            <ButtonLink variant="secondary" to={`/member-distribution?membre=${point.id}&dans=${operationId}`}>
              Voir sa répartition
            </ButtonLink>
            <ExportMenu
              endpoint={curves.export}
              formats={SERIES_FORMATS}
              label="Exporter les relevés"
              input={(format) => ({ query: { points: point.id, from, to, format: toSeriesFormat(format) } })}
            />
          </>
        }
      />
      <div className="grid gap-6 [&>*]:min-w-0">
        <SummaryStrip facts={buildPointFacts(point)} />
        <PeriodBar period={period} onChange={setPeriod} />
        <PointCurve point={point} period={period} />
        <Suspense fallback={<Skeleton className="h-64 w-full" />}>
          <PointDays point={point} operationId={operationId} period={period} />
          <Can call={energy.series}>
            <PointHabits point={point} period={period} />
            <PointMonths point={point} period={period} onOpen={setPeriod} />
          </Can>
        </Suspense>
      </div>
    </>
  )
}

const usePoint = (id: string) => useQuery(query(points.get, { params: { id } }))

export default function PointLoadCurve() {
  const { operationId = '', pdlId = '', companyId = '' } = useParams()
  const { data: point, error, refetch } = usePoint(pdlId)
  useObjectName(point && formatPointName(point), 'Courbe d’un point')
  useParentName(
    point?.operationId === operationId ? point.operationName : undefined,
    `/companies/${companyId}/operations/${operationId}`,
  )
  if (point) return <PointContent point={point} operationId={operationId} />
  return (
    <>
      <PageHeader title="Point de mesure" />
      {error ? <CurveUnavailable error={error} onRetry={refetch} /> : <Skeleton className="h-96 w-full" />}
    </>
  )
}

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
function PointCurve({ point, period }: { point: Point; period: Period }) {
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

const KNOWN_AT_PARAM = 'connu'

/** The day on whose evening the readings are looked at, from the address; null is now. */
function useKnownAt() {
  const [search, setSearch] = useSearchParams()
  const requestedDay = search.get(KNOWN_AT_PARAM)
  const day = requestedDay !== null && isDay(requestedDay) && requestedDay < getTodayInParis() ? requestedDay : null
  const setDay = (next: string | null) =>
    setSearch(
      (old) => {
        if (next === null) old.delete(KNOWN_AT_PARAM)
        else old.set(KNOWN_AT_PARAM, next)
        return old
      },
      { replace: true, preventScrollReset: true },
    )
  const instant = day === null ? undefined : new Date(dayStart(addDays(day, 1)) * 60_000).toISOString()
  return { day, instant, setDay }
}

function KnownAtField({ day, setDay }: Pick<ReturnType<typeof useKnownAt>, 'day' | 'setDay'>) {
  const id = useId()
  const [typed, setTyped] = useState(day ?? '')
  // A day half typed is nobody's business yet: the address keeps the last whole one.
  const change = (next: string) => {
    setTyped(next)
    if (next === '' || isDay(next)) setDay(next || null)
  }
  return (
    <div data-print="hide" className="flex flex-wrap items-center gap-2">
      <label htmlFor={id} className="text-body">
        Tel que connu le
      </label>
      <span className="w-40">
        <DateInput id={id} max={addDays(getTodayInParis(), -1)} value={typed} onValue={change} />
      </span>
      {day !== null && (
        <Button variant="quiet" size="small" onClick={() => change('')}>
          Revenir à aujourd’hui
        </Button>
      )}
    </div>
  )
}

export type PointCurveData = EndpointReply<typeof curves.series>
type PointSide = Pick<Point, 'direction' | 'storage'>

/** The steps that have begun: what is to come cannot be missing. */
export const countElapsedSteps = ({ startsAt, step, watts }: PointCurveData, now = Date.now()) =>
  Math.max(0, Math.min(watts.length, Math.ceil((now / 60_000 - toEpochMinute(startsAt)) / step)))

/** What is known, and where it is looked at as it was known before, what is known now beside it. */
export function buildCurveSeries(
  point: PointSide,
  shown: PointCurveData,
  now: PointCurveData | undefined,
): ExplorerSeries[] {
  const { direction } = point
  const length = countElapsedSteps(shown)
  const label = getMeterCountLabel(point)
  const own: ExplorerSeries = {
    key: 'shown',
    label: now ? `${label}, connue alors` : label,
    role: direction,
    values: shown.watts.slice(0, length),
    quality: shown.marks,
  }
  if (!now || now.step !== shown.step) return [own]
  const today = { key: 'now', label: `${label}, connue aujourd’hui`, role: direction, compared: true }
  return [own, { ...today, values: now.watts.slice(0, length) }]
}

/** Whether what is known now says something else, step by step. */
export const hasChanged = (shown: PointCurveData, now: PointCurveData) =>
  shown.step !== now.step || shown.watts.some((value, at) => value !== now.watts[at])

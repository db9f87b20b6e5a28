import { curves } from '@voisol/contract/curves'
import { energy } from '@voisol/contract/energy'
import type { Point } from '@voisol/contract/points'
import { dayOf } from '@voisol/energy/calendar'
import { Suspense } from 'react'
import { useParams } from 'react-router'
import { Can } from '../../lib/can.tsx'
import { formatPrm } from '../../lib/energy-labels.ts'
import { formatNumber } from '../../lib/format.ts'
import { formatPointName } from '../../lib/point-name.ts'
import { useObjectName, useParentName } from '../../lib/subject.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { type Fact, SummaryStrip } from '../../ui/detail-screen.tsx'
import { toEpochMinute } from '../../ui/energy-explorer/columns.ts'
import { ExportMenu, SERIES_FORMATS, toSeriesFormat } from '../../ui/export-menu.tsx'
import { lazy } from '../../ui/lazy.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { getTodayInParis } from '../../ui/period/period.ts'
import { PeriodBar } from '../../ui/period/period-bar.tsx'
import { usePeriod } from '../../ui/period/use-period.ts'
import { MeterSideLabel } from '../../ui/side-mark.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { PointCurve } from './point/point-curve.tsx'
import { formatReceivedUntil } from './received.ts'
import { CurveUnavailable } from './unavailable.tsx'
import { usePoint } from './use-operation.ts'

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

import { curves } from '@voisol/contract/curves'
import { energy } from '@voisol/contract/energy'
import type { Point } from '@voisol/contract/points'
import { dayOf } from '@voisol/energy/calendar'
import { Suspense } from 'react'
import { useParams } from 'react-router'
import { Can } from '../../lib/can.tsx'
import { prm } from '../../lib/energy-labels.ts'
import { number } from '../../lib/format.ts'
import { pointName } from '../../lib/point-name.ts'
import { useObjectName, useParentName } from '../../lib/subject.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { type Fact, SummaryStrip } from '../../ui/detail-screen.tsx'
import { minuteOf } from '../../ui/energy-explorer/columns.ts'
import { ExportMenu, SERIES_FORMATS, seriesFormat } from '../../ui/export-menu.tsx'
import { lazy } from '../../ui/lazy.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { todayInParis } from '../../ui/period/period.ts'
import { PeriodBar } from '../../ui/period/period-bar.tsx'
import { usePeriod } from '../../ui/period/use-period.ts'
import { SideMark } from '../../ui/side-mark.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { PointCurve } from './point/point-curve.tsx'
import { receivedText } from './received.ts'
import { Unavailable } from './unavailable.tsx'
import { usePoint } from './use-operation.ts'

// The curve is what one comes for; the rest follows.
const PointDays = lazy(() => import('./point/point-days.tsx'))
const PointHabits = lazy(() => import('./point/point-habits.tsx'))
const PointMonths = lazy(() => import('./point/point-months.tsx'))

const kilo = (value: number | null, unit: string) =>
  value === null ? 'Non renseignée' : `${number(value / 1000, value % 1000 === 0 ? 0 : 1)}\u00a0${unit}`

const factsOf = (point: Point): Fact[] => [
  { label: 'PRM', value: <span className="whitespace-nowrap">{prm(point.prm)}</span> },
  { label: 'Titulaire', value: point.participantName || 'Aucun aujourd’hui' },
  { label: 'Sens', value: <SideMark direction={point.direction} storage={point.storage} /> },
  { label: 'Segment', value: point.segment },
  point.direction === 'production'
    ? { label: 'Puissance crête', value: kilo(point.peakWatts, 'kWc') }
    : { label: 'Puissance souscrite', value: kilo(point.subscribedVa, 'kVA') },
  { label: 'Données reçues jusqu’au', value: receivedText(point.receivedUntil) },
]

/** The first look is at the last readings, which may not be this week's. */
const lastDay = ({ receivedUntil }: Point) => (receivedUntil ? dayOf(minuteOf(receivedUntil) - 1) : todayInParis())

function Screen({ point, operationId }: { point: Point; operationId: string }) {
  const [period, setPeriod] = usePeriod('week', lastDay(point))
  const { from, to } = period
  return (
    <>
      <PageHeader
        title={pointName(point)}
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
              input={(format) => ({ query: { points: point.id, from, to, format: seriesFormat(format) } })}
            />
          </>
        }
      />
      <div className="grid gap-6 [&>*]:min-w-0">
        <SummaryStrip facts={factsOf(point)} />
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
  useObjectName(point && pointName(point), 'Courbe d’un point')
  useParentName(
    point?.operationId === operationId ? point.operationName : undefined,
    `/companies/${companyId}/operations/${operationId}`,
  )
  if (point) return <Screen point={point} operationId={operationId} />
  return (
    <>
      <PageHeader title="Point de mesure" />
      {error ? <Unavailable error={error} onRetry={refetch} /> : <Skeleton className="h-96 w-full" />}
    </>
  )
}

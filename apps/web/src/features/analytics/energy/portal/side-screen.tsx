import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { type EnergySeries, type EnergySummary, energy } from '@voisol/contract/energy'
import {
  describePointDifference,
  formatRoundedShare,
  getLocalEnergy,
  getLocalRate,
  getRemainingEnergy,
  getTotalEnergy,
} from '@voisol/contract/month-sentences'
import { getSideTexts } from '@voisol/contract/side-texts'
import { lazy, type ReactNode, Suspense, useCallback, useMemo } from 'react'
import { useSearchParams } from 'react-router'
import { Card } from '../../../../components/card.tsx'
import { cx } from '../../../../components/cx.ts'
import { EmptyState } from '../../../../components/empty-state.tsx'
import {
  buildComparedSeries,
  buildExplorerSeries,
  chooseGranularity,
  cutAtNow,
  type DisplayUnit,
  toEpochMinute,
} from '../../../../components/energy-explorer/columns.ts'
import { EnergyExplorerChart } from '../../../../components/energy-explorer/energy-chart.tsx'
import { ExplorerTools, useDrawingOptions } from '../../../../components/energy-explorer/explorer-tools.tsx'
import { useDrawingWidth } from '../../../../components/energy-explorer/use-drawing-width.ts'
import {
  alignFocus,
  type ComparisonMode,
  type DayRange,
  type ExplorerData,
  toFinerSeries,
  useCurveFocus,
} from '../../../../components/energy-explorer/use-energy.ts'
import { ErrorState } from '../../../../components/error-state.tsx'
import { Select } from '../../../../components/input.tsx'
import { Skeleton } from '../../../../components/loading.tsx'
import {
  buildPeriod,
  getPeriodOfLastYear,
  getPreviousPeriod,
  type Period,
  usePeriod,
} from '../../../../components/period/period.ts'
import { PeriodBar } from '../../../../components/period/period-bar.tsx'
import { formatPeriodLabel } from '../../../../components/period/period-labels.ts'
import { Headline } from '../../../../components/stack/share-bar.tsx'
import { SuspendedNotice } from '../../../../components/suspended.tsx'
import { formatPointName } from '../../../../lib/energy-labels.ts'
import { formatCount, formatEnergy } from '../../../../lib/format.ts'
import { useScreenTitle } from '../../../../lib/object-names.ts'
import { query } from '../../../../lib/queries.ts'
import {
  buildEnergyParts,
  buildFigureLines,
  FigureLines,
  getLocalPrice,
  getSavedGramsPerKwh,
} from './month-figures.tsx'
import {
  getEntryDay,
  getRangeSinceEntry,
  type MyPoints,
  type OwnSide,
  type Side,
  selectOwnSide,
  useSummarySinceEntry,
} from './my-points.ts'
import { NoReading, PortalPage } from './portal-page.tsx'
import { markBeforeEntry, relabelSeries, restrictToSide } from './restrict-to-side.ts'
import { WhyLink } from './why-link.tsx'

// Under everything else, and of producers alone.
const PlantEconomies = lazy(() => import('../../../../components/plant-economy/plant-economy.tsx'))

type SideScreenProps = { side: Side; mine: MyPoints }

/** One side of somebody's energy, through time. */
export function SideScreen({ side, mine: points }: SideScreenProps) {
  const [chosen, choose] = useChosenPoint()
  const mine = selectOwnSide(points.all, side, chosen)
  const { title, description } = getSideTexts(mine)
  useScreenTitle(mine.battery ? title : undefined)
  return (
    <PortalPage title={title} description={description} actions={<PortalPointChoice mine={mine} onChoose={choose} />}>
      {points.lastDay === null ? (
        <NoReading />
      ) : (
        <EnergyOverTime mine={mine} since={points.since} lastDay={points.lastDay} />
      )}
    </PortalPage>
  )
}

type EnergyOverTimeProps = {
  mine: ReturnType<typeof selectOwnSide>
  since: string | null
  lastDay: string
}

function EnergyOverTime({ mine, since, lastDay }: EnergyOverTimeProps) {
  const { side } = mine
  const { data } = useSummarySinceEntry(mine, getRangeSinceEntry(since, lastDay))
  const unitPrice = mine.valued && data ? getLocalPrice(data.current, side) : null
  return (
    <PortalEnergyExplorer
      title={getSideTexts(mine).chart}
      mine={mine}
      unitPrice={unitPrice}
      since={since}
      lastDay={lastDay}
      above={(summary) => (
        <>
          <SuspendedNotice suspended={summary.suspended} mine />
          <SideHeadline summary={summary} mine={mine} />
          <WhyLink mine={mine} from={summary.from} />
          <FigureLines lines={buildFigureLines(summary, mine)} label="Chiffres de la période" />
        </>
      )}
      under={(summary, period) => (
        <>
          <CompareRates summary={summary} mine={mine} period={period} />
          {side === 'production' && !mine.battery && (
            <Suspense fallback={<Skeleton className="h-64 w-full" />}>
              <PlantEconomies where={{ from: period.from, to: period.to }} />
            </Suspense>
          )}
        </>
      )}
    />
  )
}

const POINT_PARAM = 'point'
const ALL_POINTS_LABELS: Record<Side, string> = {
  consumption: 'Tous mes compteurs',
  production: 'Toutes mes installations',
}
const ALL_BATTERIES_LABEL = 'Toutes mes batteries'

function useChosenPoint() {
  const [search, setSearch] = useSearchParams()
  const choose = (id: string) =>
    setSearch(
      (old) => {
        const params = new URLSearchParams(old)
        if (id) params.set(POINT_PARAM, id)
        else params.delete(POINT_PARAM)
        return params
      },
      { preventScrollReset: true },
    )
  return [search.get(POINT_PARAM), choose] as const
}

type PortalPointChoiceProps = { mine: OwnSide; onChoose: (id: string) => void }

/** For somebody with several meters on this side; with one there is nothing to choose. */
const PortalPointChoice = ({ mine: { side, battery, points, where }, onChoose }: PortalPointChoiceProps) =>
  points.length < 2 ? null : (
    <Select
      aria-label={battery ? 'Batterie affichée' : side === 'consumption' ? 'Compteur affiché' : 'Installation affichée'}
      className="w-full sm:w-72"
      value={where.pointId ?? ''}
      onChange={(event) => onChoose(event.target.value)}
      options={[
        { value: '', label: battery ? ALL_BATTERIES_LABEL : ALL_POINTS_LABELS[side] },
        ...points.map((point) => ({ value: point.id, label: formatPointName(point) })),
      ]}
    />
  )

const describeCertainty = ({ definitive, stale, steps }: EnergySummary) => {
  if (stale) return 'Des mesures ont été corrigées depuis\u00a0: ces chiffres vont être recalculés.'
  if (steps.allocated === 0) return ''
  return definitive ? 'Ces chiffres sont définitifs.' : 'Ces chiffres sont provisoires.'
}

/** The share one came for, and what it is made of. */
function SideHeadline({ summary, mine }: { summary: EnergySummary; mine: OwnSide }) {
  const { current } = summary
  const { side } = mine
  const [rate, words] = [getLocalRate(current, side), getSideTexts(mine)]
  if (rate === null)
    return (
      <Headline
        label={words.whole}
        figure={formatEnergy(getTotalEnergy(current, side))}
        sentence="La répartition de cette période n’a pas encore été calculée : la part locale n’est pas connue."
        parts={[]}
      />
    )
  const [local, rest] = [getLocalEnergy(current, side), getRemainingEnergy(current, side)]
  return (
    <Headline
      label={words.part}
      figure={formatRoundedShare(rate)}
      sentence={`${formatEnergy(local)} ${words.local}, ${formatEnergy(rest)} ${words.rest}. ${describeCertainty(summary)}`}
      parts={buildEnergyParts(current, mine)}
      figures={false}
    />
  )
}

type RateLine = { label: string; note: string; rate: number; mine?: boolean }

function buildRateLines(
  { current, previous, lastYear, neighbours }: EnergySummary,
  { side, battery }: OwnSide,
  period: Period,
): RateLine[] {
  const now = getLocalRate(current, side)
  if (now === null) return []
  const against = (label: string, rate: number | null | undefined, note?: string): RateLine[] =>
    rate == null ? [] : [{ label, rate, note: note ?? `Vous faites ${describePointDifference(now, rate)}` }]
  return [
    { label: 'Vous', note: formatPeriodLabel(period), rate: now, mine: true },
    ...against(
      'Période précédente',
      previous && getLocalRate(previous, side),
      formatPeriodLabel(getPreviousPeriod(period)),
    ),
    ...against(
      'Il y a un an',
      lastYear && getLocalRate(lastYear, side),
      formatPeriodLabel(getPeriodOfLastYear(period)),
    ),
    ...against(
      'Voisins comparables',
      side === 'consumption' && !battery ? neighbours?.selfProduction : null,
      neighbours ? `Moyenne de ${formatCount(neighbours.members, 'membre')}, sans les nommer` : '',
    ),
  ]
}

const RateRow = ({ label, note, rate, mine }: RateLine) => (
  <li className="grid grid-cols-[minmax(0,1fr)_auto] items-baseline gap-x-4 gap-y-1.5 sm:grid-cols-[15rem_minmax(0,1fr)_4rem] sm:items-center">
    <span className="min-w-0">
      <span className={cx('block', mine ? 'font-semibold' : 'font-medium')}>{label}</span>
      <span className="block text-[0.8125rem] text-ink-soft">{note}</span>
    </span>
    <span
      aria-hidden="true"
      className="order-last col-span-2 h-3 overflow-hidden rounded-full bg-slate-100 sm:order-none sm:col-span-1"
    >
      <span
        className={cx('block h-full rounded-full', mine ? 'bg-local' : 'bg-amber-300')}
        style={{ width: `${rate * 100}%` }}
      />
    </span>
    <span className={cx('tabular text-right', mine && 'font-semibold')}>{formatRoundedShare(rate)}</span>
  </li>
)

type CompareRatesProps = { summary: EnergySummary; mine: OwnSide; period: Period }

/** The same share before, a year ago and at the neighbours': shares stay comparable while a period is not over. */
function CompareRates({ summary, mine, period }: CompareRatesProps) {
  const lines = buildRateLines(summary, mine, period)
  if (lines.length < 2) return null
  const few = mine.side === 'consumption' && !mine.battery && summary.neighbours === null
  return (
    <Card title={getSideTexts(mine).compared}>
      <ul className="grid gap-4">
        {lines.map((line) => (
          <RateRow key={line.label} {...line} />
        ))}
      </ul>
      {few && (
        <p className="mt-4 text-[0.8125rem] text-ink-soft">
          La moyenne de vos voisins s’affiche à partir de cinq autres membres raccordés comme vous, s’ils l’ont accepté.
          Ainsi, personne n’est reconnu.
        </p>
      )}
    </Card>
  )
}

type PortalEnergyExplorerProps = {
  title: string
  mine: OwnSide
  unitPrice: number | null
  since: string | null
  lastDay: string
  /** Above and under the picture, for the period that is shown. */
  above: (summary: EnergySummary) => ReactNode
  under: (summary: EnergySummary, period: Period) => ReactNode
}

const NoReadingInPeriod = () => (
  <EmptyState
    title="Aucune mesure sur cette période"
    why="Choisissez une autre période : seuls les jours de votre participation sont connus."
    because="chosen-here"
  />
)

/** One's own energy through time: period, kWh, € or CO₂, another period beside it, table and files. */
function PortalEnergyExplorer({ title, mine, unitPrice, since, lastDay, above, under }: PortalEnergyExplorerProps) {
  const [period, setPeriod] = usePeriod('month', lastDay)
  const drawing = useDrawingOptions(period)
  const { told, against, curve } = drawing
  const view = { period, curve, told, against, unitPrice }
  const [holder, room] = useDrawingWidth()
  const { summary, series, drawn, granularity, zoom } = useSideEnergy(mine, view, room)
  const { from, to } = period
  const hasReadings = (summary.data?.steps.received ?? 0) > 0
  const change = (next: Period) => {
    drawing.renew(next)
    setPeriod(next)
  }
  return (
    <div className="grid gap-6 [&>*]:min-w-0">
      <PeriodBar period={period} onChange={change} min={since ?? undefined} />
      {summary.error && <ErrorState error={summary.error} onRetry={summary.refetch} />}
      {!summary.data && !summary.error && <Skeleton className="h-48 w-full" />}
      {summary.data && hasReadings && above(summary.data)}
      <Card>
        <ExplorerTools
          period={period}
          drawing={drawing}
          priced={unitPrice !== null}
          exportLabel="Télécharger"
          selection={{ ...mine.where, from, to, granularity }}
        />
        <div ref={holder} />
        {series.error && <ErrorState error={series.error} onRetry={series.refetch} />}
        {!drawn && !series.error && <Skeleton className="h-96 w-full" />}
        {drawn?.series.some((one) => !one.compared) && (
          <EnergyExplorerChart
            title={title}
            {...drawn}
            told={told}
            granularity={granularity}
            curve={curve}
            zoom={zoom}
            label={formatPeriodLabel(period)}
            knownUntil={summary.data?.receivedUntil ?? undefined}
            idle={told === 'energy' && !drawn.series.some((one) => one.compared) ? 'mean' : 'total'}
            onOpen={(day) => change(buildPeriod(granularity === 'month' ? 'month' : 'day', day))}
          />
        )}
        {drawn && !drawn.series.some((one) => !one.compared) && <NoReadingInPeriod />}
      </Card>
      {summary.data && hasReadings && under(summary.data, period)}
    </div>
  )
}

type SideEnergyView = {
  period: Period
  curve: boolean
  told: DisplayUnit
  against: ComparisonMode
  unitPrice: number | null
}
const COMPARISON_LABELS = { none: '', previous: 'période précédente', 'last-year': 'année précédente' }

/** Sums and curves of one side over a period, with another period laid over them where it is asked for. */
function useSideEnergy(mine: OwnSide, view: SideEnergyView, room: number) {
  const { side, battery, where } = mine
  const { period, curve, told, against, unitPrice } = view
  const entry = getEntryDay(mine)
  const granularity = chooseGranularity(period, curve, room)
  const other = against === 'last-year' ? getPeriodOfLastYear(period) : getPreviousPeriod(period)
  const { focus, onSpan } = useCurveFocus(granularity, room, `${period.from} ${period.to} ${granularity}`)
  const buildFilter = ({ from, to }: DayRange) => ({ ...where, from, to })
  const buildSeriesQuery = (days: DayRange, step = granularity) =>
    query(energy.series, { query: { ...buildFilter(days), granularity: step, ...(curve && { width: room }) } })
  const focusedRange = focus ?? { ...period, granularity }
  const comparedRange = focus ? alignFocus(focus, period, other) : other
  const [compares, zooms] = [against !== 'none', focus !== null]
  const summary = useQuery({
    ...query(energy.summary, { query: buildFilter(period) }),
    placeholderData: keepPreviousData,
  })
  const series = useQuery(buildSeriesQuery(period))
  const before = useQuery({ ...buildSeriesQuery(other), enabled: compares })
  const fine = useQuery({ ...buildSeriesQuery(focusedRange, focusedRange.granularity), enabled: zooms })
  const fineBefore = useQuery({
    ...buildSeriesQuery(comparedRange, focusedRange.granularity),
    enabled: zooms && compares,
  })
  const gramsPerKwh = summary.data ? getSavedGramsPerKwh(summary.data) : 0
  const buildChartData = useCallback(
    (found: EnergySeries, beside: EnergySeries | undefined): ExplorerData => {
      const data = cutAtNow(markBeforeEntry(found, entry, period.to))
      const factors = { unitPrice, gramsPerKwh }
      const compared =
        against !== 'none' && beside
          ? buildComparedSeries(restrictToSide(beside, side), {
              told,
              factors,
              length: data.starts.length,
              words: COMPARISON_LABELS[against],
            })
          : []
      return {
        series: relabelSeries([...buildExplorerSeries(restrictToSide(data, side), told, factors), ...compared], {
          side,
          battery,
        }),
        starts: data.starts.map(toEpochMinute),
        step: data.step ?? 0,
      }
    },
    [entry, period.to, side, battery, told, against, unitPrice, gramsPerKwh],
  )
  const chartData = useMemo(
    () => series.data && buildChartData(series.data, before.data),
    [series.data, before.data, buildChartData],
  )
  const finer = useMemo(
    () => (zooms && fine.data ? toFinerSeries(buildChartData(fine.data, fineBefore.data)) : null),
    [zooms, fine.data, fineBefore.data, buildChartData],
  )
  return { summary, series, drawn: chartData, granularity, zoom: curve ? { onSpan, finer } : undefined }
}

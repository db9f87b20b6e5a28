import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { AnalyticsMeasure, analytics, type LoadShape, MEASURE_LABELS } from '@voisol/contract/analytics'
import { daysBetween } from '@voisol/energy/calendar'
import { type KeyboardEvent, useMemo, useState } from 'react'
import { Card } from '../../../components/card.tsx'
import { ChartFrame } from '../../../components/chart/chart-frame.tsx'
import { EmptyState } from '../../../components/empty-state.tsx'
import { ErrorState } from '../../../components/error-state.tsx'
import { HeatMap } from '../../../components/heat-map/heat-map.tsx'
import { Select } from '../../../components/input.tsx'
import { Skeleton } from '../../../components/loading.tsx'
import { getTodayInParis } from '../../../components/period/period.ts'
import { type Column, Table } from '../../../components/table.tsx'
import { KpiTile } from '../../../components/tile.tsx'
import { useWidth } from '../../../components/use-width.ts'
import { formatCount, formatEnergy, formatNumber, formatPercent, formatPower } from '../../../lib/format.ts'
import { query } from '../../../lib/queries.ts'

const MEASURE_OPTIONS = AnalyticsMeasure.options.map((value) => ({ value, label: MEASURE_LABELS[value] }))
const AMBER_MEASURES: AnalyticsMeasure[] = ['produced', 'allocated', 'surplus']
/** A little over a year of hours is read at once. */
const MAX_HOURLY_DAYS = 400

type Props = {
  where: { from: string; to: string; operationId?: string }
  measure: AnalyticsMeasure
  onMeasure: (measure: string) => void
}

/** The hours of the period: as a map, spread by hour of the day, and from the highest to the lowest. */
export default function Hours({ where, measure, onMeasure }: Props) {
  const long = daysBetween(where.from, where.to) > MAX_HOURLY_DAYS
  const { data, error, refetch } = useQuery({
    ...query(analytics.shape, { query: { ...where, measure } }),
    placeholderData: keepPreviousData,
    enabled: !long,
  })
  return (
    <Card
      title="Heure par heure"
      actions={
        <Select
          aria-label="Énergie regardée"
          value={measure}
          onChange={(event) => onMeasure(event.target.value)}
          options={MEASURE_OPTIONS}
        />
      }
    >
      {long && (
        <EmptyState
          title="Période trop longue"
          why="Les heures se lisent sur une année au plus. Choisissez une période plus courte."
          because="chosen-here"
        />
      )}
      {!long && error && <ErrorState error={error} onRetry={refetch} />}
      {!long && !data && !error && <Skeleton className="h-96 w-full" />}
      {!long && data && <HourlyCharts data={data} />}
    </Card>
  )
}

function HourlyCharts({ data }: { data: LoadShape }) {
  const word = MEASURE_LABELS[data.measure]
  // What has not begun cannot be missing.
  const heat = useMemo(() => {
    const days = data.heat.days.filter((day) => day <= getTodayInParis())
    return { days, hours: data.heat.hours.slice(0, days.length) }
  }, [data])
  return (
    <div className="grid gap-8 [&>*]:min-w-0">
      {heat.days.length > 0 && (
        <HeatMap
          title={`${word}, heure par jour`}
          data={heat}
          hue={AMBER_MEASURES.includes(data.measure) ? 'amber' : 'blue'}
        />
      )}
      <div className="grid gap-8 xl:grid-cols-2 [&>*]:min-w-0">
        <HourBoxPlot title={`${word}\u00a0: étendue par heure`} boxes={data.boxes} />
        <LoadDurationCurve title={`${word}\u00a0: courbe monotone`} duration={data.duration} />
      </div>
      <CarbonTiles co2={data.co2} />
    </div>
  )
}

const formatKg = (grams: number) => `${formatNumber(grams / 1000, Math.abs(grams) < 10_000 ? 1 : 0)}\u00a0kg`

/** What local energy avoided, by the factor that every screen uses and, where it is known, hour by hour. */
function CarbonTiles({ co2 }: { co2: LoadShape['co2'] }) {
  const { yearly, hourly, solarGramsPerKwh, source } = co2
  const [low, high] = [Math.min(...(hourly?.gridGramsPerKwh ?? [0])), Math.max(...(hourly?.gridGramsPerKwh ?? [0]))]
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <KpiTile
        label="CO₂ évité, facteur de l’année"
        figure={formatKg(yearly.grams)}
        note={`${formatNumber(yearly.gridGramsPerKwh, 1)}\u00a0g/kWh du réseau, ${formatNumber(solarGramsPerKwh, 1)} du solaire. Source\u00a0: ${source}`}
      />
      <KpiTile
        label="CO₂ évité, facteur de chaque heure"
        figure={hourly ? formatKg(hourly.grams) : 'Inconnu'}
        note={
          hourly
            ? `De ${formatNumber(low)} à ${formatNumber(high)}\u00a0g/kWh selon l’heure. Source\u00a0: ${source}`
            : 'Cette installation n’a pas de facteur par heure\u00a0: voir CO2_GRID_HOURLY.'
        }
      />
    </div>
  )
}

type DurationPoints = LoadShape['duration']['points']
type DurationRow = DurationPoints[number] & { id: string }
const HEIGHT = 220
const TICKS = [0, 0.25, 0.5, 0.75, 1]

const COLUMNS: Column<DurationRow>[] = [
  { header: 'Part des heures', card: 'title', cell: ({ part }) => formatPercent(part) },
  { header: 'Puissance atteinte ou dépassée', align: 'end', card: 'primary', cell: ({ watts }) => formatPower(watts) },
]

/** Every tenth part, and the last. */
const pickTableRows = (points: DurationPoints): DurationRow[] =>
  points
    .filter((_, at) => at % Math.max(1, Math.round(points.length / 20)) === 0 || at === points.length - 1)
    .map((point) => ({ ...point, id: String(point.part) }))

const describePoint = ({ part, watts }: DurationPoints[number]) =>
  `${formatPercent(part)} des heures\u00a0: ${formatPower(watts)} ou davantage`

/** From the highest hour to the lowest: for how long a power is reached. */
function LoadDurationCurve({ title, duration: { hours, points } }: { title: string; duration: LoadShape['duration'] }) {
  const [ref, width] = useWidth<HTMLDivElement>(480)
  const walk = useKeyboardSlider(points.length, title, (at) => (points[at] ? describePoint(points[at]) : ''))
  const activePoint = walk.at === null ? undefined : points[walk.at]
  const nearest = (part: number) => Math.round(part * (points.length - 1))
  const most = Math.max(1e-9, points[0]?.watts ?? 0)
  const y = (watts: number) => 4 + (HEIGHT - 28) * (1 - watts / most)
  const line = points.map(({ part, watts }) => `${(part * width).toFixed(1)},${y(watts).toFixed(1)}`).join(' ')
  const tenth = points.find(({ part }) => part >= 0.1)
  const summary = tenth
    ? `${formatCount(hours, 'heure connue', 'heures connues')}. Au plus ${formatPower(most)}\u00a0; un dixième du temps, ${formatPower(tenth.watts)} ou davantage.`
    : 'Rien n’est connu sur la période.'
  return (
    <ChartFrame
      title={title}
      summary={summary}
      drawing={
        <div ref={ref}>
          <p className="min-h-10 text-[0.8125rem]">
            {activePoint
              ? describePoint(activePoint)
              : 'Puissance moyenne de chaque heure, de la plus haute à la plus basse.'}
          </p>
          <div
            {...walk.slider}
            className="rounded-md"
            onPointerMove={(event) => walk.setAt(nearest(event.nativeEvent.offsetX / width))}
          >
            <svg aria-hidden="true" width={width} height={HEIGHT} className="block">
              {line && (
                <polygon points={`0,${y(0)} ${line} ${width},${y(0)}`} fill="var(--data-consumption)" opacity="0.15" />
              )}
              <polyline points={line} fill="none" stroke="var(--data-consumption)" strokeWidth="2" />
              <line x1="0" x2={width} y1={y(0)} y2={y(0)} stroke="#64748b" />
              {activePoint && (
                <>
                  <line x1={activePoint.part * width} x2={activePoint.part * width} y1={4} y2={y(0)} stroke="#64748b" />
                  <circle
                    cx={activePoint.part * width}
                    cy={y(activePoint.watts)}
                    r="4"
                    fill="var(--data-consumption)"
                  />
                </>
              )}
              {TICKS.map((part) => (
                <text
                  key={part}
                  x={part * width}
                  y={HEIGHT - 6}
                  textAnchor={part === 0 ? 'start' : part === 1 ? 'end' : 'middle'}
                  fill="#475569"
                  fontSize="12"
                >
                  {formatNumber(part * 100)} %
                </text>
              ))}
            </svg>
          </div>
        </div>
      }
      table={<Table label={title} rows={pickTableRows(points)} columns={COLUMNS} />}
    />
  )
}

type HourBox = LoadShape['boxes'][number]
type HourBoxRow = HourBox & { id: string }
const BOTTOM = 24

const formatHour = (hour: number) => `${hour}\u00a0h`
const describeBox = ({ hour, days, spread }: HourBox) =>
  spread
    ? `${formatHour(hour)}\u00a0: médiane ${formatEnergy(spread.median)}, la moitié des jours entre ${formatEnergy(spread.low)} et ${formatEnergy(spread.high)}, au plus ${formatEnergy(spread.max)} (${formatCount(days, 'jour')})`
    : `${formatHour(hour)}\u00a0: rien n’est connu`

const formatSpreadValue = (box: HourBox, of: (spread: NonNullable<HourBox['spread']>) => number) =>
  box.spread ? formatEnergy(of(box.spread)) : '–'
const BOXES_COLUMNS: Column<HourBoxRow>[] = [
  { header: 'Heure', card: 'title', cell: ({ hour }) => formatHour(hour) },
  { header: 'Jours connus', align: 'end', cell: ({ days }) => days },
  { header: 'Minimum', align: 'end', cell: (box) => formatSpreadValue(box, ({ min }) => min) },
  { header: 'Premier quart', align: 'end', cell: (box) => formatSpreadValue(box, ({ low }) => low) },
  { header: 'Médiane', align: 'end', card: 'primary', cell: (box) => formatSpreadValue(box, ({ median }) => median) },
  { header: 'Dernier quart', align: 'end', cell: (box) => formatSpreadValue(box, ({ high }) => high) },
  { header: 'Maximum', align: 'end', cell: (box) => formatSpreadValue(box, ({ max }) => max) },
]

/** Arrows go from hour to hour; what the hour holds is said above. */
function HourBoxPlot({ title, boxes }: { title: string; boxes: HourBox[] }) {
  const slider = useKeyboardSlider(boxes.length, `${title}, heure par heure`, (at) =>
    boxes[at] ? describeBox(boxes[at]) : '',
  )
  const [ref, width] = useWidth<HTMLDivElement>(480)
  const most = Math.max(1e-9, ...boxes.map(({ spread }) => spread?.max ?? 0))
  const y = (value: number) => (HEIGHT - BOTTOM) * (1 - value / most) + 4
  const step = width / 24
  const activeBox = slider.at === null ? undefined : boxes[slider.at]
  const best = boxes.toSorted((a, b) => (b.spread?.median ?? 0) - (a.spread?.median ?? 0))[0]
  return (
    <ChartFrame
      title={title}
      summary={best?.spread ? `L’heure la plus haute\u00a0: ${describeBox(best)}.` : 'Rien n’est connu sur la période.'}
      drawing={
        <div ref={ref}>
          <p className="min-h-10 text-[0.8125rem]">
            {activeBox
              ? describeBox(activeBox)
              : 'Le trait est la médiane, la boîte la moitié des jours, la ligne leur étendue.'}
          </p>
          <div
            {...slider.slider}
            className="rounded-md"
            onPointerMove={(event) => slider.setAt(Math.min(23, Math.floor((event.nativeEvent.offsetX / width) * 24)))}
          >
            <svg aria-hidden="true" width={width} height={HEIGHT} className="block">
              {boxes.map((box, at) => (
                <BoxDrawing key={box.hour} box={box} x={box.hour * step} step={step} y={y} held={at === slider.at} />
              ))}
            </svg>
          </div>
        </div>
      }
      table={
        <Table
          label={title}
          rows={boxes.map((box): HourBoxRow => ({ ...box, id: String(box.hour) }))}
          columns={BOXES_COLUMNS}
        />
      }
    />
  )
}

type BoxDrawingProps = { box: HourBox; x: number; step: number; y: (value: number) => number; held: boolean }

function BoxDrawing({ box: { hour, spread }, x, step, y, held }: BoxDrawingProps) {
  const middle = x + step / 2
  const half = Math.max(2, step * 0.3)
  return (
    <g>
      {held && <rect x={x} width={step} height={HEIGHT - BOTTOM + 8} fill="#f1f5f9" />}
      {spread && (
        <>
          <line x1={middle} x2={middle} y1={y(spread.max)} y2={y(spread.min)} stroke="#64748b" />
          <rect
            x={middle - half}
            width={half * 2}
            y={y(spread.high)}
            height={Math.max(1, y(spread.low) - y(spread.high))}
            fill="var(--data-local)"
            opacity="0.55"
          />
          <line
            x1={middle - half}
            x2={middle + half}
            y1={y(spread.median)}
            y2={y(spread.median)}
            stroke="#0f172a"
            strokeWidth="2"
          />
        </>
      )}
      {hour % 3 === 0 && (
        <text x={middle} y={HEIGHT - 4} textAnchor="middle" fill="#475569" fontSize="12">
          {formatHour(hour)}
        </text>
      )}
    </g>
  )
}

const clampIndex = (at: number, count: number) => Math.min(count - 1, Math.max(0, at))

/** Where a key leads from here; nothing where it leads nowhere. */
function getNextIndex(key: string, at: number | null, count: number): number | undefined {
  const steps: Record<string, () => number> = {
    ArrowRight: () => (at === null ? 0 : at + 1),
    ArrowUp: () => (at === null ? 0 : at + 1),
    ArrowLeft: () => (at === null ? count - 1 : at - 1),
    ArrowDown: () => (at === null ? count - 1 : at - 1),
    PageDown: () => (at ?? 0) - Math.ceil(count / 10),
    PageUp: () => (at ?? 0) + Math.ceil(count / 10),
    Home: () => 0,
    End: () => count - 1,
  }
  const next = steps[key]?.()
  return next === undefined || count === 0 ? undefined : clampIndex(next, count)
}

/** A drawing that is walked by the keyboard as by the pointer: a slider, which says where it stands. */
function useKeyboardSlider(count: number, label: string, describeAt: (at: number) => string) {
  const [activeIndex, setHeld] = useState<number | null>(null)
  const at = activeIndex === null || count === 0 ? null : clampIndex(activeIndex, count)
  const slider = {
    role: 'slider' as const,
    tabIndex: 0,
    'aria-label': label,
    'aria-valuemin': 0,
    'aria-valuemax': Math.max(0, count - 1),
    'aria-valuenow': at ?? 0,
    'aria-valuetext': count ? describeAt(at ?? 0) : 'Rien n’est connu',
    onKeyDown: (event: KeyboardEvent) => {
      const next = getNextIndex(event.key, at, count)
      if (next === undefined) return
      event.preventDefault()
      setHeld(next)
    },
    onPointerLeave: () => setHeld(null),
  }
  return { at, setAt: setHeld, slider }
}

import type { LoadShape } from '@voisol/contract/analytics'
import { formatCount, formatNumber, formatPercent, formatPower } from '../../lib/format.ts'
import { ChartFrame } from '../../ui/chart/frame.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import { useWidth } from '../../ui/use-width.ts'
import { useKeyboardSlider } from './use-walk.ts'

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
export function LoadDurationCurve({
  title,
  duration: { hours, points },
}: {
  title: string
  duration: LoadShape['duration']
}) {
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

import type { Shape } from '@voisol/contract/analytics'
import { number, percent, plural, power } from '../../lib/format.ts'
import { ChartFrame } from '../../ui/chart/frame.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import { useWidth } from '../../ui/use-width.ts'
import { useWalk } from './use-walk.ts'

type Points = Shape['duration']['points']
type Line = Points[number] & { id: string }
const HEIGHT = 220
const TICKS = [0, 0.25, 0.5, 0.75, 1]

const COLUMNS: Column<Line>[] = [
  { header: 'Part des heures', card: 'title', cell: ({ part }) => percent(part) },
  { header: 'Puissance atteinte ou dépassée', align: 'end', card: 'primary', cell: ({ watts }) => power(watts) },
]

/** Every tenth part, and the last. */
const tenths = (points: Points): Line[] =>
  points
    .filter((_, at) => at % Math.max(1, Math.round(points.length / 20)) === 0 || at === points.length - 1)
    .map((point) => ({ ...point, id: String(point.part) }))

const wordsOf = ({ part, watts }: Points[number]) => `${percent(part)} des heures\u00a0: ${power(watts)} ou davantage`

/** From the highest hour to the lowest: for how long a power is reached. */
export function Duration({ title, duration: { hours, points } }: { title: string; duration: Shape['duration'] }) {
  const [ref, width] = useWidth<HTMLDivElement>(480)
  const walk = useWalk(points.length, title, (at) => (points[at] ? wordsOf(points[at]) : ''))
  const held = walk.at === null ? undefined : points[walk.at]
  const nearest = (part: number) => Math.round(part * (points.length - 1))
  const most = Math.max(1e-9, points[0]?.watts ?? 0)
  const y = (watts: number) => 4 + (HEIGHT - 28) * (1 - watts / most)
  const line = points.map(({ part, watts }) => `${(part * width).toFixed(1)},${y(watts).toFixed(1)}`).join(' ')
  const tenth = points.find(({ part }) => part >= 0.1)
  const summary = tenth
    ? `${plural(hours, 'heure connue', 'heures connues')}. Au plus ${power(most)}\u00a0; un dixième du temps, ${power(tenth.watts)} ou davantage.`
    : 'Rien n’est connu sur la période.'
  return (
    <ChartFrame
      title={title}
      summary={summary}
      drawing={
        <div ref={ref}>
          <p className="min-h-10 text-[0.8125rem]">
            {held ? wordsOf(held) : 'Puissance moyenne de chaque heure, de la plus haute à la plus basse.'}
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
              {held && (
                <>
                  <line x1={held.part * width} x2={held.part * width} y1={4} y2={y(0)} stroke="#64748b" />
                  <circle cx={held.part * width} cy={y(held.watts)} r="4" fill="var(--data-consumption)" />
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
                  {number(part * 100)} %
                </text>
              ))}
            </svg>
          </div>
        </div>
      }
      table={<Table label={title} rows={tenths(points)} columns={COLUMNS} />}
    />
  )
}

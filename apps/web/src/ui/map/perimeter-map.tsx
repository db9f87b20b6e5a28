import { percent, plural } from '../../lib/format.ts'
import { ChartFrame } from '../chart/frame.tsx'
import { type Column, Table } from '../table.tsx'
import { useWidth } from '../use-width.ts'
import { distance, distanceText, farthest, type Place } from './geo.ts'
import { Mark, PerimeterDrawing } from './perimeter-drawing.tsx'

export type PerimeterPoint = Place & { id: string; label: string; role: 'producer' | 'consumer' | 'both' }

const ROLES = { producer: 'Producteur', consumer: 'Consommateur', both: 'Producteur et consommateur' }

/** Whether the points fit, in a sentence. */
export function perimeterSummary(points: PerimeterPoint[], limitKm: number) {
  const pair = farthest(points)
  if (!pair) return 'Il faut au moins deux points situés pour mesurer le périmètre.'
  const within = pair.metres <= limitKm * 1000
  return (
    `${plural(points.length, 'point')}. La plus grande distance, entre ${pair.from.label} et ${pair.to.label}, est de ${distanceText(pair.metres)}, ` +
    `soit ${percent(pair.metres / (limitKm * 1000), 0)} de la limite de ${limitKm}\u00a0km\u00a0: ` +
    (within ? 'le périmètre est respecté.' : 'le périmètre est dépassé.')
  )
}

const farFrom = (points: PerimeterPoint[], point: PerimeterPoint) =>
  Math.max(0, ...points.map((other) => distance(point, other)))

const Legend = ({ points }: { points: PerimeterPoint[] }) => (
  <ul className="flex flex-wrap gap-x-5 gap-y-1 text-[0.8125rem] text-ink-soft">
    {(['producer', 'consumer', 'both'] as const)
      .filter((role) => points.some((point) => point.role === role))
      .map((role) => (
        <li key={role} className="inline-flex items-center gap-1.5">
          <svg aria-hidden="true" width="20" height="20">
            <Mark x={10} y={10} of={role} />
          </svg>
          {ROLES[role]}
        </li>
      ))}
  </ul>
)

type PerimeterMapProps = { title: string; points: PerimeterPoint[]; limitKm: 2 | 10 | 20 }

/** Where the points lie, against the largest distance that the rule allows between any two. */
export function PerimeterMap({ title, points, limitKm }: PerimeterMapProps) {
  const [ref, width] = useWidth<HTMLDivElement>(560)
  const columns: Column<PerimeterPoint>[] = [
    { header: 'Point', cell: (point) => point.label },
    { header: 'Rôle', cell: (point) => ROLES[point.role] },
    { header: 'Point le plus éloigné', align: 'end', cell: (point) => distanceText(farFrom(points, point)) },
  ]
  return (
    <ChartFrame
      title={title}
      summary={perimeterSummary(points, limitKm)}
      drawing={
        <div ref={ref} className="grid w-full min-w-0 max-w-3xl gap-3">
          <Legend points={points} />
          {points.length > 0 && <PerimeterDrawing points={points} limitKm={limitKm} width={width} />}
        </div>
      }
      table={<Table label={title} rows={points} columns={columns} />}
    />
  )
}

import type { ReactNode } from 'react'
import { formatCount, formatPercent } from '../../lib/format.ts'
import { ChartFrame } from '../chart/frame.tsx'
import { type Column, Table } from '../table.tsx'
import { useWidth } from '../use-width.ts'
import { computeDistance, findFarthestPair, formatDistance } from './geo.ts'
import { PerimeterDrawing, PointMark } from './perimeter-drawing.tsx'
import { isPreciselyLocated, type PerimeterPoint } from './points.ts'

export type { PerimeterPoint } from './points.ts'

const ROLE_LABELS = {
  producer: 'Producteur',
  consumer: 'Consommateur',
  both: 'Producteur et consommateur',
  storage: 'Batterie',
}

/** Whether the points fit, in a sentence. */
export function describePerimeter(points: PerimeterPoint[], limitKm: number) {
  const exact = points.filter(isPreciselyLocated)
  const vague = points.length - exact.length
  const unsure = vague
    ? ` ${formatCount(vague, 'point n’est situé', 'points ne sont situés')} que par ${vague > 1 ? 'leur' : 'sa'} commune\u00a0: le périmètre reste à vérifier.`
    : ''
  const pair = findFarthestPair(exact)
  if (!pair) return `Il faut au moins deux points situés pour mesurer le périmètre.${unsure}`
  const within = pair.metres <= limitKm * 1000
  const verdict = within ? (vague ? '' : ' le périmètre est respecté.') : ' le périmètre est dépassé.'
  return (
    `${formatCount(exact.length, 'point')}. La plus grande distance, entre ${pair.from.label} et ${pair.to.label}, est de ${formatDistance(pair.metres)}, ` +
    `soit ${formatPercent(pair.metres / (limitKm * 1000), 0)} de la limite de ${limitKm}\u00a0km${verdict ? `\u00a0:${verdict}` : '.'}${unsure}`
  )
}

const getFarthestDistance = (points: PerimeterPoint[], point: PerimeterPoint) =>
  Math.max(0, ...points.filter(isPreciselyLocated).map((other) => computeDistance(point, other)))

const Legend = ({ points }: { points: PerimeterPoint[] }) => (
  <ul className="flex flex-wrap gap-x-5 gap-y-1 text-[0.8125rem] text-ink-soft">
    {(['producer', 'consumer', 'both', 'storage'] as const)
      .filter((role) => points.some((point) => point.role === role && isPreciselyLocated(point)))
      .map((role) => (
        <li key={role} className="inline-flex items-center gap-1.5">
          <svg aria-hidden="true" width="20" height="20">
            <PointMark x={10} y={10} of={role} />
          </svg>
          {ROLE_LABELS[role]}
        </li>
      ))}
    {points.some((point) => !isPreciselyLocated(point)) && (
      <li className="inline-flex items-center gap-1.5">
        <svg aria-hidden="true" width="20" height="20">
          <PointMark x={10} y={10} of="consumer" vague />
        </svg>
        Situé par sa commune seulement
      </li>
    )}
  </ul>
)

type PerimeterMapProps = {
  title: string
  points: PerimeterPoint[]
  limitKm: 2 | 10 | 20
  /** On the points alone, rather than on the whole circle. */
  close?: boolean
  /** Drawn over the map, at the same width. */
  over?: (width: number) => ReactNode
}

/** Where the points lie, against the largest distance that the rule allows between any two. */
export function PerimeterMap({ title, points, limitKm, close, over }: PerimeterMapProps) {
  const [ref, width] = useWidth<HTMLDivElement>(560)
  const columns: Column<PerimeterPoint>[] = [
    { header: 'Point', cell: (point) => point.label },
    { header: 'Rôle', cell: (point) => ROLE_LABELS[point.role] },
    {
      header: 'Point le plus éloigné',
      align: 'end',
      cell: (point) => (isPreciselyLocated(point) ? formatDistance(getFarthestDistance(points, point)) : 'à vérifier'),
    },
  ]
  return (
    <ChartFrame
      title={title}
      summary={describePerimeter(points, limitKm)}
      drawing={
        <div ref={ref} className="grid w-full min-w-0 max-w-3xl gap-3">
          <Legend points={points} />
          {points.length > 0 && (
            <div className="relative w-fit max-w-full">
              <PerimeterDrawing points={points} limitKm={limitKm} width={width} close={close} />
              {over?.(width)}
            </div>
          )}
        </div>
      }
      table={<Table label={title} rows={points} columns={columns} />}
    />
  )
}

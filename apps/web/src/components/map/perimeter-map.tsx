import MapPin from 'lucide-react/icons/map-pin'
import { type KeyboardEvent, type PointerEvent, type ReactNode, useRef } from 'react'
import { formatCount, formatPercent } from '../../lib/format.ts'
import { ChartFrame } from '../chart/chart-frame.tsx'
import { type Column, Table } from '../table.tsx'
import { useWidth } from '../use-width.ts'
import {
  chooseScaleLength,
  computeDistance,
  createProjection,
  findFarthestPair,
  formatDistance,
  type GeoPoint,
  isPreciselyLocated,
  type MetreOffset,
  offsetPoint,
  type PerimeterPoint,
} from './geo.ts'

export type { PerimeterPoint } from './geo.ts'

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

const MARGIN = 28
const MIN_CLOSE_RADIUS_METRES = 400

const computeMidpoint = (a: GeoPoint, b: GeoPoint): GeoPoint => ({
  lat: (a.lat + b.lat) / 2,
  lon: (a.lon + b.lon) / 2,
})

/** The view holds the points and the circle whose diameter is the limit, with north up. */
export function computePerimeterView(points: PerimeterPoint[], limit: number, width: number, close = false) {
  const pair = findFarthestPair(points.filter(isPreciselyLocated))
  const centre = pair ? computeMidpoint(pair.from, pair.to) : (points[0] ?? { lat: 46.6, lon: 2.4 })
  const toMetres = createProjection(centre)
  // Near enough to set a pin by hand, the circle runs out of the picture.
  const minRadius = close ? MIN_CLOSE_RADIUS_METRES : limit / 2
  const viewRadius = Math.max(minRadius, ...points.map((point) => Math.hypot(toMetres(point).x, toMetres(point).y)))
  const height = Math.min(width, 460)
  const scale = Math.max(1, Math.min(width, height) / 2 - MARGIN) / viewRadius
  const at = ({ x, y }: MetreOffset) => ({ x: width / 2 + x * scale, y: height / 2 - y * scale })
  return {
    pair,
    height,
    scale,
    at: (point: GeoPoint) => at(toMetres(point)),
    /** The place under a pixel. */
    under: (x: number, y: number) => offsetPoint(centre, { x: (x - width / 2) / scale, y: (height / 2 - y) / scale }),
  }
}

/** Somewhere in the commune: a ring without a middle. */
const CommuneMark = ({ x, y }: { x: number; y: number }) => (
  <circle cx={x} cy={y} r="8" fill="none" stroke="#64748B" strokeWidth="1.5" strokeDasharray="3 3" />
)

type PointMarkProps = { x: number; y: number; of: PerimeterPoint['role']; vague?: boolean }

const PointMark = ({ x, y, of, vague = false }: PointMarkProps) =>
  vague ? (
    <CommuneMark x={x} y={y} />
  ) : of === 'consumer' ? (
    <circle cx={x} cy={y} r="4.5" fill="var(--data-consumption)" stroke="#fff" strokeWidth="1.5" />
  ) : of === 'storage' ? (
    <rect
      x={x - 5.5}
      y={y - 5.5}
      width="11"
      height="11"
      rx="2"
      fill="var(--data-storage)"
      stroke="#fff"
      strokeWidth="1.5"
    />
  ) : (
    <path
      d={`M${x} ${y - 8}l8 8-8 8-8-8z`}
      fill="var(--data-local)"
      stroke={of === 'both' ? 'var(--data-consumption)' : '#fff'}
      strokeWidth={of === 'both' ? 2.5 : 1.5}
    />
  )

/** Beside the middle of the line, on the side where it leaves room. */
function getLabelPosition(ends: { x: number; y: number }[] | null, width: number, height: number) {
  const [from, to] = ends ?? []
  const rising = from && to ? (to.x - from.x) * (to.y - from.y) < 0 : false
  return { x: width / 2 + 10, y: height / 2 + (rising ? 20 : -8), textAnchor: 'start' as const }
}

type DrawingProps = { points: PerimeterPoint[]; limitKm: number; width: number; close?: boolean }

function PerimeterDrawing({ points, limitKm, width, close }: DrawingProps) {
  const { pair, height, scale, at } = computePerimeterView(points, limitKm * 1000, width, close)
  const ends = pair && [at(pair.from), at(pair.to)]
  const within = !pair || pair.metres <= limitKm * 1000
  const ink = within ? '#166534' : '#B91C1C'
  const bar = chooseScaleLength(Math.min(width / 4 / scale, limitKm * 1000))
  const radius = limitKm * 500 * scale
  // Consumers first, so that the few producers stay on top.
  const sortedPoints = points.toSorted((a, b) => Number(a.role !== 'consumer') - Number(b.role !== 'consumer'))
  return (
    <svg
      aria-hidden="true"
      data-drawing=""
      width={width}
      height={height}
      className="tabular block max-w-full rounded-md bg-page"
    >
      <circle cx={width / 2} cy={height / 2} r={radius} fill="#fff" stroke="#94A3B8" strokeDasharray="4 4" />
      <text x={width / 2} y={height / 2 - radius + 18} textAnchor="middle" fontSize="12" fill="#475569">
        Diamètre {limitKm}&nbsp;km
      </text>
      {ends && (
        <path
          d={ends.map((end, index) => `${index === 0 ? 'M' : 'L'}${end.x} ${end.y}`).join('')}
          stroke={ink}
          strokeWidth="1.75"
          strokeDasharray={within ? undefined : '6 4'}
        />
      )}
      {sortedPoints.map((point) => (
        <PointMark key={point.id} {...at(point)} of={point.role} vague={!isPreciselyLocated(point)} />
      ))}
      {pair && (
        <text
          {...getLabelPosition(ends, width, height)}
          fontSize="13"
          fontWeight="600"
          fill={ink}
          stroke="#fff"
          strokeWidth="4"
          paintOrder="stroke"
        >
          {formatDistance(pair.metres)}
        </text>
      )}
      <ScaleBarAndNorth width={width} height={height} bar={bar * scale} label={formatDistance(bar)} />
    </svg>
  )
}

const ScaleBarAndNorth = ({
  width,
  height,
  bar,
  label,
}: {
  width: number
  height: number
  bar: number
  label: string
}) => (
  <g fontSize="12" fill="#475569">
    <path d={`M12 ${height - 18}v6h${bar}v-6`} fill="none" stroke="#475569" strokeWidth="1.5" />
    <text x={18} y={height - 18}>
      {label}
    </text>
    <text x={width - 20} y={24} textAnchor="middle" fontWeight="600">
      N
    </text>
    <path d={`M${width - 20} 30v16m-4-11 4-5 4 5`} fill="none" stroke="#475569" strokeWidth="1.5" />
  </g>
)

const STEP_METRES = 10
const LONG_STEP_METRES = 100
const ARROW_DIRECTIONS: Record<string, { x: number; y: number }> = {
  ArrowLeft: { x: -1, y: 0 },
  ArrowRight: { x: 1, y: 0 },
  ArrowUp: { x: 0, y: 1 },
  ArrowDown: { x: 0, y: -1 },
}

/** Where an arrow key leads: ten metres, a hundred with the shift key. */
export function movePoint(at: GeoPoint, key: string, isLong: boolean): GeoPoint | null {
  const arrow = ARROW_DIRECTIONS[key]
  const metres = isLong ? LONG_STEP_METRES : STEP_METRES
  return arrow ? offsetPoint(at, { x: arrow.x * metres, y: arrow.y * metres }) : null
}

type DraggablePinProps = {
  /** What the map shows besides: the view stays still while the pin moves. */
  points: PerimeterPoint[]
  limitKm: number
  width: number
  label: string
  at: GeoPoint
  onMove: (at: GeoPoint) => void
}

/** A pin over the map, moved by dragging it or with the arrow keys. */
export function DraggablePin({ points, limitKm, width, label, at, onMove }: DraggablePinProps) {
  const isDragging = useRef(false)
  const mapView = computePerimeterView(points, limitKm * 1000, width, true)
  const { x, y } = mapView.at(at)
  const drag = (event: PointerEvent<HTMLButtonElement>) => {
    const map = event.currentTarget.parentElement?.getBoundingClientRect()
    if (!isDragging.current || !map) return
    const scale = map.width / width
    const inside = (value: number, most: number) => Math.max(0, Math.min(most, value))
    const left = inside((event.clientX - map.left) / scale, width)
    onMove(mapView.under(left, inside((event.clientY - map.top) / scale, mapView.height)))
  }
  const press = (event: KeyboardEvent) => {
    const next = movePoint(at, event.key, event.shiftKey)
    if (!next) return
    event.preventDefault()
    onMove(next)
  }
  return (
    <button
      type="button"
      aria-label={`Déplacer ${label} sur la carte, avec les flèches`}
      onKeyDown={press}
      onPointerDown={(event) => {
        isDragging.current = true
        event.currentTarget.setPointerCapture(event.pointerId)
      }}
      onPointerMove={drag}
      onPointerUp={() => {
        isDragging.current = false
      }}
      style={{ left: `${(x / width) * 100}%`, top: `${(y / mapView.height) * 100}%` }}
      className="absolute grid size-11 -translate-x-1/2 -translate-y-[85%] cursor-grab touch-none place-items-center rounded-full text-danger active:cursor-grabbing"
    >
      <MapPin aria-hidden="true" className="size-8 fill-white" />
    </button>
  )
}

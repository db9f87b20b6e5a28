import {
  chooseScaleLength,
  computeMidpoint,
  createProjection,
  findFarthestPair,
  formatDistance,
  type GeoPoint,
  type MetreOffset,
  offsetPoint,
} from './geo.ts'
import { isPreciselyLocated, type PerimeterPoint } from './points.ts'

const MARGIN = 28
const MIN_CLOSE_RADIUS_METRES = 400

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

export const PointMark = ({ x, y, of, vague = false }: PointMarkProps) =>
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

export function PerimeterDrawing({ points, limitKm, width, close }: DrawingProps) {
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

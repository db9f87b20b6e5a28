import { type ReactNode, useState } from 'react'
import { formatCount } from '../../lib/format.ts'
import { cx } from '../cx.ts'
import type { GeoPoint } from './geo.ts'

export type ProjectPin = Partial<GeoPoint> & {
  id: string
  label: string
  detail?: string
  color?: string
  link: ReactNode
}

const isLocated = (pin: ProjectPin): pin is ProjectPin & GeoPoint => pin.lat !== undefined && pin.lon !== undefined
const CITIES: (GeoPoint & { name: string; anchor?: 'end' })[] = [
  { name: 'Paris', lat: 48.86, lon: 2.35 },
  { name: 'Lyon', lat: 45.76, lon: 4.84 },
  { name: 'Marseille', lat: 43.3, lon: 5.37 },
  { name: 'Bordeaux', lat: 44.84, lon: -0.58 },
  { name: 'Nantes', lat: 47.22, lon: -1.55 },
  { name: 'Lille', lat: 50.63, lon: 3.06 },
  { name: 'Strasbourg', lat: 48.57, lon: 7.75, anchor: 'end' },
  { name: 'Toulouse', lat: 43.6, lon: 1.44 },
]

const City = ({ city }: { city: (typeof CITIES)[number] }) => {
  const { x, y } = projectOnFrance(city)
  return (
    <g className="hidden sm:inline">
      <circle cx={x} cy={y} r="0.045" fill="#94A3B8" />
      <text
        x={x + (city.anchor ? -0.12 : 0.12)}
        y={y + 0.1}
        textAnchor={city.anchor ?? 'start'}
        fontSize="0.24"
        fill="#566378"
      >
        {city.name}
      </text>
    </g>
  )
}

const ProjectPinMark = ({
  pin,
  active,
  onActive,
}: {
  pin: ProjectPin & GeoPoint
  active: boolean
  onActive: (id: string | null) => void
}) => {
  const { x, y } = projectOnFrance(pin)
  return (
    <g
      transform={`translate(${x} ${y}) scale(${active ? 1.35 : 1})`}
      onPointerEnter={() => onActive(pin.id)}
      onPointerLeave={() => onActive(null)}
    >
      <path
        d="M0 0C-.1-.2-.26-.34-.26-.55a.26.26 0 1 1 .52 0C.26-.34.1-.2 0 0Z"
        fill={pin.color ?? 'var(--data-local)'}
        stroke="#fff"
        strokeWidth="0.05"
      />
      <circle cy="-0.55" r="0.09" fill="#fff" />
    </g>
  )
}

/** Projects on metropolitan France; the list beside it holds every one, also those without a place. */
export function FranceMap({ title, pins }: { title: string; pins: ProjectPin[] }) {
  const [active, setActive] = useState<string | null>(null)
  const shown = pins.filter(isLocated).filter(isOnMap)
  const ordered = shown.toSorted((a, b) => Number(a.id === active) - Number(b.id === active))
  return (
    <div className="grid gap-6 md:grid-cols-[minmax(0,3fr)_minmax(14rem,2fr)]">
      <svg
        role="img"
        aria-label={`${title}\u00a0: ${formatCount(shown.length, 'repère')} sur la carte de France, nommés dans la liste`}
        viewBox={`0 0 ${FRANCE_MAP_SIZE.width} ${FRANCE_MAP_SIZE.height}`}
        className="mx-auto block h-auto max-h-[560px] w-full"
      >
        <path d={FRANCE_PATH} fill="#EEF2F6" stroke="#CBD5E1" strokeWidth="0.04" strokeLinejoin="round" />
        {CITIES.map((city) => (
          <City key={city.name} city={city} />
        ))}
        {ordered.map((pin) => (
          <ProjectPinMark key={pin.id} pin={pin} active={pin.id === active} onActive={setActive} />
        ))}
      </svg>
      <ul className="grid max-h-[560px] content-start gap-1 overflow-y-auto">
        {pins.map((pin) => (
          <li
            key={pin.id}
            onPointerEnter={() => setActive(pin.id)}
            onPointerLeave={() => setActive(null)}
            onFocus={() => setActive(pin.id)}
            onBlur={() => setActive(null)}
            className={cx('rounded-control px-3 py-2', active === pin.id && 'bg-slate-100')}
          >
            <span className="block text-body font-medium">{pin.link}</span>
            <span className="block text-[0.8125rem] text-ink-soft">
              {[pin.detail, isLocated(pin) ? (isOnMap(pin) ? '' : 'hors de la carte') : 'lieu à préciser']
                .filter(Boolean)
                .join(' · ')}
            </span>
          </li>
        ))}
      </ul>
    </div>
  )
}

type Corner = [lon: number, lat: number]

/** Coast and border, clockwise from Dunkerque, to a few kilometres: a map to point at, not to measure on. */
const MAINLAND: Corner[] = [
  [2.54, 51.09],
  [2.65, 50.82],
  [3.15, 50.79],
  [3.28, 50.53],
  [3.66, 50.46],
  [4.03, 50.36],
  [4.2, 49.96],
  [4.83, 50.16],
  [4.86, 49.79],
  [5.47, 49.5],
  [5.82, 49.54],
  [6.37, 49.46],
  [6.73, 49.17],
  [7.1, 49.14],
  [7.45, 49.17],
  [8.23, 48.97],
  [7.8, 48.5],
  [7.58, 48.05],
  [7.59, 47.59],
  [7.0, 47.5],
  [6.95, 47.24],
  [6.46, 46.87],
  [6.11, 46.58],
  [6.14, 46.14],
  [6.24, 46.29],
  [6.82, 46.42],
  [6.87, 46.06],
  [7.04, 45.92],
  [6.81, 45.71],
  [7.13, 45.26],
  [6.63, 45.11],
  [7.0, 44.69],
  [6.86, 44.53],
  [7.0, 44.24],
  [7.66, 44.17],
  [7.53, 43.78],
  [7.27, 43.69],
  [6.95, 43.5],
  [6.64, 43.27],
  [6.36, 43.09],
  [5.93, 43.09],
  [5.37, 43.25],
  [5.03, 43.33],
  [4.6, 43.38],
  [4.1, 43.55],
  [3.7, 43.39],
  [3.24, 43.22],
  [3.04, 43.02],
  [3.04, 42.6],
  [3.17, 42.43],
  [2.49, 42.34],
  [1.98, 42.36],
  [1.73, 42.5],
  [1.44, 42.6],
  [0.86, 42.82],
  [0.66, 42.69],
  [-0.31, 42.85],
  [-0.75, 42.97],
  [-1.35, 43.03],
  [-1.5, 43.29],
  [-1.78, 43.36],
  [-1.44, 43.65],
  [-1.25, 44.4],
  [-1.21, 44.66],
  [-1.16, 45.2],
  [-1.06, 45.56],
  [-1.24, 45.72],
  [-1.11, 46.01],
  [-1.19, 46.28],
  [-1.81, 46.49],
  [-2.11, 46.85],
  [-2.04, 47.1],
  [-2.52, 47.29],
  [-2.75, 47.52],
  [-3.13, 47.52],
  [-3.52, 47.77],
  [-4.35, 47.8],
  [-4.73, 48.04],
  [-4.3, 48.1],
  [-4.55, 48.3],
  [-4.77, 48.33],
  [-4.75, 48.54],
  [-3.98, 48.73],
  [-3.5, 48.84],
  [-3.09, 48.87],
  [-2.7, 48.53],
  [-2.3, 48.68],
  [-1.85, 48.7],
  [-1.51, 48.63],
  [-1.6, 48.84],
  [-1.61, 49.22],
  [-1.88, 49.5],
  [-1.94, 49.72],
  [-1.26, 49.7],
  [-1.3, 49.55],
  [-1.12, 49.36],
  [-0.23, 49.28],
  [0.23, 49.43],
  [0.08, 49.52],
  [0.37, 49.77],
  [1.08, 49.93],
  [1.45, 50.11],
  [1.58, 50.36],
  [1.6, 50.87],
  [1.86, 50.97],
]
const CORSICA: Corner[] = [
  [9.4, 43.01],
  [9.48, 42.79],
  [9.55, 42.1],
  [9.4, 41.9],
  [9.22, 41.37],
  [8.79, 41.55],
  [8.6, 41.9],
  [8.56, 42.16],
  [8.57, 42.38],
  [8.76, 42.57],
  [9.06, 42.66],
  [9.3, 42.68],
  [9.33, 43.0],
]

// Degrees of longitude shrink with the cosine of the latitude: one cosine for the country keeps its usual shape.
const LONGITUDE_SCALE = Math.cos((46.6 * Math.PI) / 180)
const WEST = -5.2
const NORTH = 51.3
const FRANCE_MAP_SIZE = { width: (9.8 - WEST) * LONGITUDE_SCALE, height: NORTH - 41.2 }

/** Degrees from the north-west corner of the map. */
export const projectOnFrance = ({ lat, lon }: GeoPoint) => ({ x: (lon - WEST) * LONGITUDE_SCALE, y: NORTH - lat })

const toOutlinePath = (corners: Corner[]) =>
  `M${corners
    .map(([lon, lat]) => projectOnFrance({ lat, lon }))
    .map(({ x, y }) => `${x.toFixed(3)} ${y.toFixed(3)}`)
    .join('L')}Z`
const FRANCE_PATH = toOutlinePath(MAINLAND) + toOutlinePath(CORSICA)

export const isOnMap = (place: GeoPoint) => {
  const { x, y } = projectOnFrance(place)
  return x >= 0 && x <= FRANCE_MAP_SIZE.width && y >= 0 && y <= FRANCE_MAP_SIZE.height
}

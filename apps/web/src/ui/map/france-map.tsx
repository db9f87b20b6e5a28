import { type ReactNode, useState } from 'react'
import { formatCount } from '../../lib/format.ts'
import { cx } from '../cx.ts'
import { FRANCE_MAP_SIZE, FRANCE_PATH, isOnMap, projectOnFrance } from './france.ts'
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

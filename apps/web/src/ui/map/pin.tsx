import MapPin from 'lucide-react/icons/map-pin'
import { type KeyboardEvent, type PointerEvent, useRef } from 'react'
import { type GeoPoint, offsetPoint } from './geo.ts'
import { computePerimeterView } from './perimeter-drawing.tsx'
import type { PerimeterPoint } from './points.ts'

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

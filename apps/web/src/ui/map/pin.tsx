import MapPin from 'lucide-react/icons/map-pin'
import { type KeyboardEvent, type PointerEvent, useRef } from 'react'
import { type Place, placeAt } from './geo.ts'
import { view } from './perimeter-drawing.tsx'
import type { PerimeterPoint } from './points.ts'

const STEP = 10
const STRIDE = 100
const ARROWS: Record<string, { x: number; y: number }> = {
  ArrowLeft: { x: -1, y: 0 },
  ArrowRight: { x: 1, y: 0 },
  ArrowUp: { x: 0, y: 1 },
  ArrowDown: { x: 0, y: -1 },
}

/** Where an arrow key leads: ten metres, a hundred with the shift key. */
export function stepped(at: Place, key: string, isLong: boolean): Place | null {
  const arrow = ARROWS[key]
  const metres = isLong ? STRIDE : STEP
  return arrow ? placeAt(at, { x: arrow.x * metres, y: arrow.y * metres }) : null
}

type PinProps = {
  /** What the map shows besides: the view stays still while the pin moves. */
  points: PerimeterPoint[]
  limitKm: number
  width: number
  label: string
  at: Place
  onMove: (at: Place) => void
}

/** A pin over the map, moved by dragging it or with the arrow keys. */
export function Pin({ points, limitKm, width, label, at, onMove }: PinProps) {
  const held = useRef(false)
  const seen = view(points, limitKm * 1000, width, true)
  const { x, y } = seen.at(at)
  const drag = (event: PointerEvent<HTMLButtonElement>) => {
    const map = event.currentTarget.parentElement?.getBoundingClientRect()
    if (!held.current || !map) return
    const scale = map.width / width
    const inside = (value: number, most: number) => Math.max(0, Math.min(most, value))
    const left = inside((event.clientX - map.left) / scale, width)
    onMove(seen.under(left, inside((event.clientY - map.top) / scale, seen.height)))
  }
  const press = (event: KeyboardEvent) => {
    const next = stepped(at, event.key, event.shiftKey)
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
        held.current = true
        event.currentTarget.setPointerCapture(event.pointerId)
      }}
      onPointerMove={drag}
      onPointerUp={() => {
        held.current = false
      }}
      style={{ left: `${(x / width) * 100}%`, top: `${(y / seen.height) * 100}%` }}
      className="absolute grid size-11 -translate-x-1/2 -translate-y-[85%] cursor-grab touch-none place-items-center rounded-full text-danger active:cursor-grabbing"
    >
      <MapPin aria-hidden="true" className="size-8 fill-white" />
    </button>
  )
}

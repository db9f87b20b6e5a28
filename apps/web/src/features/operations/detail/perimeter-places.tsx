import { type Operation, type Overview, operations } from '@voisol/contract/operations'
import { points as endpoints } from '@voisol/contract/points'
import { PERIMETERS as RULES } from '@voisol/energy/perimeter'
import { useState } from 'react'
import type { z } from 'zod'
import { useCan } from '../../../lib/can.tsx'
import type { Place } from '../../../ui/map/geo.ts'
import { PerimeterMap, type PerimeterPoint } from '../../../ui/map/perimeter-map.tsx'
import { Pin } from '../../../ui/map/pin.tsx'
import { type Movable, type Moving, PlaceForm } from './place-form.tsx'

type Places = Pick<z.infer<typeof Overview>, 'places' | 'unplaced'>

/** The map draws the circle of a rule in kilometres; where none is set, that of the usual 2 km gives the scale. */
const limitOf = (perimeter: Operation['perimeter']) => {
  const { km } = RULES[perimeter]
  return km === 10 || km === 20 ? km : 2
}
const MIDDLE: Place = { lat: 46.6, lon: 2.4 }

const drawn = ({ places }: Pick<Places, 'places'>): PerimeterPoint[] =>
  places.map(({ id, label, latitude, longitude, direction, storage, precision }) => ({
    id,
    label,
    lat: latitude,
    lon: longitude,
    role: storage ? 'storage' : direction === 'production' ? 'producer' : 'consumer',
    precision,
  }))

/** Those whose place is worst known come first. */
const RANK = { commune: 1, address: 2, pin: 3 }
const movable = ({ places, unplaced }: Places): Movable[] =>
  [...unplaced.map((one) => ({ ...one, rank: 0 })), ...places.map((one) => ({ ...one, rank: RANK[one.precision] }))]
    .toSorted((a, b) => a.rank - b.rank || a.label.localeCompare(b.label, 'fr'))
    .map((one) => {
      const { id, label, version, rank } = one
      return { id, label, version, isVague: rank < 2, commune: 'commune' in one ? one.commune : null }
    })

const placeOf = ({ latitude, longitude }: Pick<Operation, 'latitude' | 'longitude'>): Place | null =>
  latitude === null || longitude === null ? null : { lat: latitude, lon: longitude }

/** Where the points lie; one of them at a time can be set right. */
export function PerimeterPlaces({ operation, ...all }: Places & { operation: Operation }) {
  const can = useCan()
  const [moving, setMoving] = useState<Moving | null>(null)
  const points = drawn(all)
  const limitKm = limitOf(operation.perimeter)
  // A point without any place starts where the operation is, else among the others.
  const start = (point: Movable): Place =>
    points.find(({ id }) => id === point.id) ?? placeOf(operation) ?? points[0] ?? MIDDLE
  const shown = points.length > 0 ? points : moving ? [{ ...moving.at, ...ghost(moving.point) }] : []
  return (
    <div className="grid gap-5 [&>*]:min-w-0">
      {shown.length > 0 && (
        <PerimeterMap
          title="Où se trouvent les points"
          points={shown}
          limitKm={limitKm}
          close={moving !== null}
          over={(width) =>
            moving && (
              <Pin
                points={shown}
                limitKm={limitKm}
                width={width}
                label={moving.point.label}
                at={moving.at}
                onMove={(at) => setMoving({ ...moving, at, moved: true })}
              />
            )
          }
        />
      )}
      {can(endpoints.place) && (
        <PlaceForm
          choices={movable(all)}
          others={points}
          moving={moving}
          onChoose={(point) => setMoving(point && { point, at: start(point), moved: false })}
          onMove={(at) => moving && setMoving({ ...moving, at, moved: true })}
          refreshes={[operations.overview]}
        />
      )}
    </div>
  )
}

const ghost = ({ id, label }: Movable) => ({ id, label, role: 'consumer' as const, precision: 'commune' as const })

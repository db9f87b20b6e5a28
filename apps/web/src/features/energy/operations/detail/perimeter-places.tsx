import { type Operation, type OperationOverview, operations } from '@voisol/contract/operations'
import { points as endpoints } from '@voisol/contract/points'
import { PERIMETER_RULES as RULES } from '@voisol/energy/perimeter'
import { useState } from 'react'
import type { z } from 'zod'
import type { GeoPoint } from '../../../../components/map/geo.ts'
import { DraggablePin, PerimeterMap, type PerimeterPoint } from '../../../../components/map/perimeter-map.tsx'
import { useCan } from '../../../../lib/can.tsx'
import { type MovablePoint, PlaceForm, type PointMove } from './place-form.tsx'

type PerimeterPlacesData = Pick<z.infer<typeof OperationOverview>, 'places' | 'unplaced'>

/** The map draws the circle of a rule in kilometres; where none is set, that of the usual 2 km gives the scale. */
const getLimitKm = (perimeter: Operation['perimeter']) => {
  const { km } = RULES[perimeter]
  return km === 10 || km === 20 ? km : 2
}
const CENTRE_OF_FRANCE: GeoPoint = { lat: 46.6, lon: 2.4 }

const toPerimeterPoints = ({ places }: Pick<PerimeterPlacesData, 'places'>): PerimeterPoint[] =>
  places.map(({ id, label, latitude, longitude, direction, storage, precision }) => ({
    id,
    label,
    lat: latitude,
    lon: longitude,
    role: storage ? 'storage' : direction === 'production' ? 'producer' : 'consumer',
    precision,
  }))

/** Those whose place is worst known come first. */
const PRECISION_RANKS = { commune: 1, address: 2, pin: 3 }
const toMovablePoints = ({ places, unplaced }: PerimeterPlacesData): MovablePoint[] =>
  [
    ...unplaced.map((one) => ({ ...one, rank: 0 })),
    ...places.map((one) => ({ ...one, rank: PRECISION_RANKS[one.precision] })),
  ]
    .toSorted((a, b) => a.rank - b.rank || a.label.localeCompare(b.label, 'fr'))
    .map((one) => {
      const { id, label, version, rank } = one
      return { id, label, version, isVague: rank < 2, commune: 'commune' in one ? one.commune : null }
    })

const getOperationPlace = ({ latitude, longitude }: Pick<Operation, 'latitude' | 'longitude'>): GeoPoint | null =>
  latitude === null || longitude === null ? null : { lat: latitude, lon: longitude }

/** Where the points lie; one of them at a time can be set right. */
export function PerimeterPlaces({ operation, ...all }: PerimeterPlacesData & { operation: Operation }) {
  const can = useCan()
  const [moving, setMoving] = useState<PointMove | null>(null)
  const points = toPerimeterPoints(all)
  const limitKm = getLimitKm(operation.perimeter)
  // A point without any place starts where the operation is, else among the others.
  const start = (point: MovablePoint): GeoPoint =>
    points.find(({ id }) => id === point.id) ?? getOperationPlace(operation) ?? points[0] ?? CENTRE_OF_FRANCE
  const shownPoints = points.length > 0 ? points : moving ? [{ ...moving.at, ...toPlaceholderPoint(moving.point) }] : []
  return (
    <div className="grid gap-5 [&>*]:min-w-0">
      {shownPoints.length > 0 && (
        <PerimeterMap
          title="Où se trouvent les points"
          points={shownPoints}
          limitKm={limitKm}
          close={moving !== null}
          over={(width) =>
            moving && (
              <DraggablePin
                points={shownPoints}
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
          choices={toMovablePoints(all)}
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

const toPlaceholderPoint = ({ id, label }: MovablePoint) => ({
  id,
  label,
  role: 'consumer' as const,
  precision: 'commune' as const,
})

import { Text } from '@voisol/contract/primitives'
import { z } from 'zod'
import { positionText } from '../../lib/position.ts'
import { numberText, typedNumber, typedPosition } from '../../lib/typed-fields.ts'
import type { RoofLine } from './body.ts'

export const RoofForm = z.object({
  building: Text,
  peakWatts: typedNumber({ min: 0.001, max: 100_000, scale: 1000 }),
  azimuth: typedNumber({ min: 0, max: 360 }),
  tilt: typedNumber({ min: 0, max: 90 }),
  position: typedPosition,
})

type Place = Pick<RoofLine, 'latitude' | 'longitude'>

/** A new roof faces south at thirty degrees, where the project lies. */
export const newRoof = (place: Place): z.input<typeof RoofForm> => ({
  building: '',
  peakWatts: '',
  azimuth: '180',
  tilt: '30',
  position: positionText(place),
})
export const roofValues = (roof: RoofLine): z.input<typeof RoofForm> => ({
  building: roof.building,
  peakWatts: numberText(roof.peakWatts, 1000),
  azimuth: numberText(roof.azimuth),
  tilt: numberText(roof.tilt),
  position: positionText(roof),
})
export const roofOf = ({ position, ...values }: z.output<typeof RoofForm>): RoofLine => ({ ...values, ...position })

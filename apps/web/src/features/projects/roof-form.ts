import { Text } from '@voisol/contract/primitives'
import { z } from 'zod'
import { formatPosition } from '../../lib/position.ts'
import { formatNumberInput, numberInputSchema, positionInputSchema } from '../../lib/typed-fields.ts'
import type { RoofLine } from './body.ts'

export const RoofForm = z.object({
  building: Text,
  peakWatts: numberInputSchema({ min: 0.001, max: 100_000, scale: 1000 }),
  azimuth: numberInputSchema({ min: 0, max: 360 }),
  tilt: numberInputSchema({ min: 0, max: 90 }),
  position: positionInputSchema,
})

type RoofPlace = Pick<RoofLine, 'latitude' | 'longitude'>

/** A new roof faces south at thirty degrees, where the project lies. */
export const createRoofForm = (place: RoofPlace): z.input<typeof RoofForm> => ({
  building: '',
  peakWatts: '',
  azimuth: '180',
  tilt: '30',
  position: formatPosition(place),
})
export const toRoofForm = (roof: RoofLine): z.input<typeof RoofForm> => ({
  building: roof.building,
  peakWatts: formatNumberInput(roof.peakWatts, 1000),
  azimuth: formatNumberInput(roof.azimuth),
  tilt: formatNumberInput(roof.tilt),
  position: formatPosition(roof),
})
export const toRoof = ({ position, ...values }: z.output<typeof RoofForm>): RoofLine => ({ ...values, ...position })

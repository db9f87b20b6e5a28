import type { Step } from '../series/series.ts'
import type { Coordinates } from './climate.ts'
import { computeSunPosition } from './sun.ts'
import type { Sky } from './weather.ts'

export type PvPlant = {
  peakWatts: number
  /** Degrees from north, clockwise: 180 faces south. */
  azimuth: number
  tilt: number
  place: Coordinates
  /** Wiring, inverter, soiling and ageing together; 0.14 by default. */
  losses?: number
  /** Largest output of the inverters as a part of the peak power; 0.95 by default. */
  clipping?: number
}

const RADIANS = Math.PI / 180
export const SOLAR_CONSTANT = 1361
export const ALBEDO = 0.2
const DEGREES_PER_WATT = 0.029
const LOSS_PER_DEGREE = 0.0038
/** Inverters switch off below this part of the peak power. */
const MIN_OUTPUT_SHARE = 0.002

const CLEAR_SKY: Sky = () => ({ clearness: 1, temperature: 15 })

/** Light on level ground under a cloudless sky, W/m² (Haurwitz). */
export function computeClearSkyLight(elevation: number): number {
  if (elevation <= 0) return 0
  const sine = Math.sin(elevation * RADIANS)
  return 1098 * sine * Math.exp(-0.057 / sine)
}

/** Part of the light that comes from the whole sky rather than the sun's disc, by the clearness index (Erbs). */
export function computeDiffusePart(index: number): number {
  if (index <= 0.22) return 1 - 0.09 * index
  if (index > 0.8) return 0.165
  return 0.9511 + index * (-0.1604 + index * (4.388 + index * (-16.638 + index * 12.336)))
}

type Panel = { sine: number; cosine: number; azimuth: number; sky: number; ground: number }

function toPanel({ tilt, azimuth }: PvPlant): Panel {
  const cosine = Math.cos(tilt * RADIANS)
  return {
    sine: Math.sin(tilt * RADIANS),
    cosine,
    azimuth: azimuth * RADIANS,
    sky: (1 + cosine) / 2,
    ground: (ALBEDO * (1 - cosine)) / 2,
  }
}

/** Light on the panel, W/m². */
function computeLightOnPanel(panel: Panel, elevation: number, azimuth: number, clearness: number): number {
  const level = computeClearSkyLight(elevation) * clearness
  const height = Math.sin(elevation * RADIANS)
  const diffuse = level * computeDiffusePart(level / (SOLAR_CONSTANT * height))
  const facing =
    height * panel.cosine + Math.cos(elevation * RADIANS) * panel.sine * Math.cos(azimuth * RADIANS - panel.azimuth)
  const spread = diffuse * panel.sky + level * panel.ground
  if (facing <= 0.02) return spread
  // With the sun on the horizon the quotient would have no bound: hills and haze hide it below 3°.
  const beam = (level - diffuse) / Math.max(height, 0.052)
  const glare = Math.max(0, 1 - 0.05 * (1 / facing - 1))
  return spread + beam * facing * glare
}

function computeOutput(plant: PvPlant, panel: Panel, minute: number, sky: Sky): number {
  const { latitude, longitude } = plant.place
  const { elevation, azimuth } = computeSunPosition(minute, latitude, longitude)
  if (elevation <= 0) return 0
  const { clearness, temperature } = sky(minute)
  const light = computeLightOnPanel(panel, elevation, azimuth, clearness)
  const warm = 1 - LOSS_PER_DEGREE * (temperature + DEGREES_PER_WATT * light - 25)
  const watts = plant.peakWatts * (light / 1000) * warm * (1 - (plant.losses ?? 0.14))
  if (watts < plant.peakWatts * MIN_OUTPUT_SHARE) return 0
  return Math.min(watts, plant.peakWatts * (plant.clipping ?? 0.95))
}

/** Mean watts of a plant over each step; without a sky, the output under a cloudless one at 15 °C. */
export function computePvWatts(
  plant: PvPlant,
  startsAt: number,
  steps: number,
  step: Step,
  sky: Sky = CLEAR_SKY,
): Int32Array {
  const panel = toPanel(plant)
  const parts = step > 15 ? step / 15 : 1
  const width = step / parts
  const watts = new Int32Array(steps)
  for (let i = 0; i < steps; i++) {
    let sum = 0
    for (let part = 0; part < parts; part++)
      sum += computeOutput(plant, panel, startsAt + i * step + (part + 0.5) * width, sky)
    watts[i] = Math.round(sum / parts)
  }
  return watts
}

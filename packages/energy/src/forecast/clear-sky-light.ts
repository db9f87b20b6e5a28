import type { Coordinates } from '../model/climate.ts'
import { ALBEDO, computeClearSkyLight, computeDiffusePart, SOLAR_CONSTANT } from '../model/pv.ts'
import { computeSunPosition } from '../model/sun.ts'
import type { Step } from '../series/series.ts'
import { HOUR_MINUTES } from './types.ts'

const RADIANS = Math.PI / 180
const TILT = 35 * RADIANS
const SKY_VIEW_FACTOR = (1 + Math.cos(TILT)) / 2
const GROUND_REFLECTION_FACTOR = (ALBEDO * (1 - Math.cos(TILT))) / 2
const SAMPLES = 4

/** The sun of whole hours under a cloudless sky: light in W/m² on level ground and on planes facing east, the equator, west. */
export type SunLight = {
  elevation: Float64Array
  azimuth: Float64Array
  level: Float64Array
  planes: Float64Array[]
  /** What a plane receives for a unit of direct light on level ground. */
  beams: Float64Array[]
  /** Light above the atmosphere, on level ground. */
  outside: Float64Array
  brightest: Float64Array
}

const createArray = (count: number) => new Float64Array(count)

export function computeLight({ latitude, longitude }: Coordinates, first: number, count: number): SunLight {
  const facing = [90, latitude < 0 ? 0 : 180, 270].map((degrees) => degrees * RADIANS)
  const light: SunLight = {
    elevation: createArray(count),
    azimuth: createArray(count),
    level: createArray(count),
    planes: facing.map(() => createArray(count)),
    beams: facing.map(() => createArray(count)),
    outside: createArray(count),
    brightest: createArray(count),
  }
  for (let at = 0; at < count; at++) fillHour(light, at, facing, { latitude, longitude }, (first + at) * HOUR_MINUTES)
  return light
}

function fillHour(
  light: SunLight,
  at: number,
  facing: number[],
  { latitude, longitude }: Coordinates,
  minute: number,
): void {
  const middle = computeSunPosition(minute + HOUR_MINUTES / 2, latitude, longitude)
  light.elevation[at] = middle.elevation
  light.azimuth[at] = middle.azimuth
  if (middle.elevation < -10) return
  const sums = { level: 0, beam: 0, diffuse: 0, outside: 0, on: facing.map(() => 0) }
  for (let part = 0; part < SAMPLES; part++) {
    const sun = computeSunPosition(minute + ((part + 0.5) * HOUR_MINUTES) / SAMPLES, latitude, longitude)
    if (sun.elevation <= 0) continue
    const height = Math.sin(sun.elevation * RADIANS)
    const level = computeClearSkyLight(sun.elevation) / SAMPLES
    const outside = (SOLAR_CONSTANT * height) / SAMPLES
    const diffuse = level * computeDiffusePart(level / outside)
    sums.level += level
    sums.diffuse += diffuse
    sums.beam += level - diffuse
    sums.outside += outside
    for (const [plane, azimuth] of facing.entries()) {
      const across = Math.cos(sun.elevation * RADIANS) * Math.sin(TILT) * Math.cos(sun.azimuth * RADIANS - azimuth)
      const angle = Math.max(0, height * Math.cos(TILT) + across)
      // Hills and haze hide the sun below 3°: without this bound the quotient would grow without limit.
      sums.on[plane] = (sums.on[plane] ?? 0) + ((level - diffuse) * angle) / Math.max(height, 0.052)
    }
  }
  light.level[at] = sums.level
  light.outside[at] = sums.outside
  let brightest = sums.level
  for (const [plane, on] of sums.on.entries()) {
    const total = on + sums.diffuse * SKY_VIEW_FACTOR + sums.level * GROUND_REFLECTION_FACTOR
    setAt(light.planes[plane], at, total)
    setAt(light.beams[plane], at, sums.beam > 0 ? on / sums.beam : 0)
    brightest = Math.max(brightest, total)
  }
  light.brightest[at] = brightest
}

function setAt(column: Float64Array | undefined, at: number, value: number): void {
  if (column) column[at] = value
}

/** Announced light on each plane. */
export const computeLightOnPlanes = (light: SunLight, at: number, ghi: number, dhi: number): number[] =>
  light.beams.map(
    (beam) => Math.max(0, ghi - dhi) * (beam[at] ?? 0) + dhi * SKY_VIEW_FACTOR + ghi * GROUND_REFLECTION_FACTOR,
  )

/**
 * Cloudless light in the middle of each step of an hour; equal parts where the sun shone only between those middles.
 */
export function computeHourShape({ latitude, longitude }: Coordinates, hour: number, step: Step): number[] {
  const light = Array.from({ length: HOUR_MINUTES / step }, (_, part) =>
    computeClearSkyLight(computeSunPosition(hour * HOUR_MINUTES + (part + 0.5) * step, latitude, longitude).elevation),
  )
  return light.some((value) => value > 0) ? light : light.map(() => 1)
}

/** Whole watts for each step, whose mean is exactly that of the hour. */
function distributeWatts(watts: number, shape: number[]): number[] {
  const whole = shape.reduce((sum, part) => sum + part, 0)
  let [reached, given] = [0, 0]
  return shape.map((part) => {
    reached += part
    const upTo = Math.round((watts * shape.length * reached) / whole)
    const own = upTo - given
    given = upTo
    return own
  })
}

/** Levels of an hour split into steps: each level adds to the one below it, so that levels never cross. */
export function splitHour(levels: number[], shape: number[]): number[][] {
  let below = shape.map(() => 0)
  let before = 0
  return levels.map((watts) => {
    const more = distributeWatts(watts - before, shape)
    below = below.map((value, part) => value + (more[part] ?? 0))
    before = watts
    return below
  })
}

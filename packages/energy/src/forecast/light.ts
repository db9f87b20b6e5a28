import type { Place } from '../model/climate.ts'
import { ALBEDO, clearSky, diffusePart, SOLAR_CONSTANT } from '../model/pv.ts'
import { sunPosition } from '../model/sun.ts'
import { HOUR } from './types.ts'

const RADIANS = Math.PI / 180
const TILT = 35 * RADIANS
const SKY = (1 + Math.cos(TILT)) / 2
const GROUND = (ALBEDO * (1 - Math.cos(TILT))) / 2
const SAMPLES = 4

/** The sun of whole hours under a cloudless sky: light in W/m² on level ground and on planes facing east, the equator, west. */
export type Light = {
  elevation: Float64Array
  azimuth: Float64Array
  level: Float64Array
  planes: Float64Array[]
  /** What a plane receives of a unit of beam on level ground. */
  beams: Float64Array[]
  /** Light outside the air on level ground. */
  outside: Float64Array
  brightest: Float64Array
}

const array = (count: number) => new Float64Array(count)

export function lightOf({ latitude, longitude }: Place, first: number, count: number): Light {
  const facing = [90, latitude < 0 ? 0 : 180, 270].map((degrees) => degrees * RADIANS)
  const light: Light = {
    elevation: array(count),
    azimuth: array(count),
    level: array(count),
    planes: facing.map(() => array(count)),
    beams: facing.map(() => array(count)),
    outside: array(count),
    brightest: array(count),
  }
  for (let at = 0; at < count; at++) fillHour(light, at, facing, { latitude, longitude }, (first + at) * HOUR)
  return light
}

function fillHour(light: Light, at: number, facing: number[], { latitude, longitude }: Place, minute: number): void {
  const middle = sunPosition(minute + HOUR / 2, latitude, longitude)
  light.elevation[at] = middle.elevation
  light.azimuth[at] = middle.azimuth
  if (middle.elevation < -10) return
  const sums = { level: 0, beam: 0, diffuse: 0, outside: 0, on: facing.map(() => 0) }
  for (let part = 0; part < SAMPLES; part++) {
    const sun = sunPosition(minute + ((part + 0.5) * HOUR) / SAMPLES, latitude, longitude)
    if (sun.elevation <= 0) continue
    const height = Math.sin(sun.elevation * RADIANS)
    const level = clearSky(sun.elevation) / SAMPLES
    const outside = (SOLAR_CONSTANT * height) / SAMPLES
    const diffuse = level * diffusePart(level / outside)
    sums.level += level
    sums.diffuse += diffuse
    sums.beam += level - diffuse
    sums.outside += outside
    for (const [plane, azimuth] of facing.entries()) {
      const across = Math.cos(sun.elevation * RADIANS) * Math.sin(TILT) * Math.cos(sun.azimuth * RADIANS - azimuth)
      const angle = Math.max(0, height * Math.cos(TILT) + across)
      // Hills and haze hide the sun below 3°: without a bound the quotient would run away.
      sums.on[plane] = (sums.on[plane] ?? 0) + ((level - diffuse) * angle) / Math.max(height, 0.052)
    }
  }
  light.level[at] = sums.level
  light.outside[at] = sums.outside
  let brightest = sums.level
  for (const [plane, on] of sums.on.entries()) {
    const total = on + sums.diffuse * SKY + sums.level * GROUND
    fill(light.planes[plane], at, total)
    fill(light.beams[plane], at, sums.beam > 0 ? on / sums.beam : 0)
    brightest = Math.max(brightest, total)
  }
  light.brightest[at] = brightest
}

function fill(column: Float64Array | undefined, at: number, value: number): void {
  if (column) column[at] = value
}

/** Diffuse light when nobody announced it (Erbs). */
export function diffuseOf(light: Light, at: number, ghi: number): number {
  const outside = light.outside[at] ?? 0
  return outside > 0 ? ghi * diffusePart(Math.min(1, ghi / outside)) : ghi
}

/** Announced light on each plane. */
export const onPlanes = (light: Light, at: number, ghi: number, dhi: number): number[] =>
  light.beams.map((beam) => Math.max(0, ghi - dhi) * (beam[at] ?? 0) + dhi * SKY + ghi * GROUND)

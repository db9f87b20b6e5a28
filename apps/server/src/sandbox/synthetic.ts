import { addDays, dayStart } from '@voisol/energy/calendar'
import type { SimulatedPoint } from './schemas.ts'

/** A well-mixed 32-bit hash of two integers. */
function mixHash(seed: number, at: number): number {
  let value = Math.imul(seed ^ Math.imul(at, 0x27d4eb2d), 0x9e3779b1)
  value = Math.imul(value ^ (value >>> 15), 0x85ebca77)
  return (value ^ (value >>> 13)) >>> 0
}
const toSeed = (text: string) => [...text].reduce((seed, letter) => mixHash(seed, letter.charCodeAt(0)), 1)

const DAWN = 7 * 60
const DUSK = 19 * 60
const EVENING = [18 * 60, 22 * 60] as const

/** Plausible meter watts at low cost: deterministic by seed and minute. */
export function createSyntheticDay({ prm, direction, step, seed, kva = 6 }: SimulatedPoint, day: string): Int32Array {
  const start = dayStart(day)
  const watts = new Int32Array((dayStart(addDays(day, 1)) - start) / step)
  const root = toSeed(`${seed ?? prm} ${direction}`)
  const most = kva * 1000
  const mood = (mixHash(root, Math.floor(start / 1440)) & 255) / 255
  for (let at = 0; at < watts.length; at++) {
    const noise = (mixHash(root, start + at * step) & 1023) / 1023
    watts[at] =
      direction === 'production'
        ? computeSunWatts(at * step, mood, noise, most)
        : computeLoadWatts(at * step, mood, noise, most)
  }
  return watts
}

function computeSunWatts(sinceMidnight: number, mood: number, noise: number, most: number): number {
  if (sinceMidnight < DAWN || sinceMidnight >= DUSK) return 0
  const height = 1 - (((sinceMidnight - DAWN) * 2) / (DUSK - DAWN) - 1) ** 2
  return Math.round(most * height * (0.25 + 0.55 * mood + 0.2 * noise))
}

function computeLoadWatts(sinceMidnight: number, mood: number, noise: number, most: number): number {
  const evening = sinceMidnight >= EVENING[0] && sinceMidnight < EVENING[1] ? 0.18 : 0
  return Math.round(most * (0.02 + 0.05 * mood + evening + 0.25 * noise * noise))
}

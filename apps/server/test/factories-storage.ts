import type { Server } from './client.ts'
import { makeScene } from './factories-allocations.ts'

/** Three days of which one has 92 quarters. */
export const DAYS = { from: '2025-03-29', to: '2025-04-01' }
const PRM = '27500000000113'

const within = (at: number, from: number, to: number) => at >= from && at < to
/** The sun shines, the battery charges in it and releases in the evening; for two quarters it does both. */
const roof = (at: number) => (within(at, 30, 66) ? 1_013 + 17 * (at % 5) : 0)
const charge = (at: number) => (within(at, 36, 60) ? 509 : 3)
const release = (at: number) => (within(at, 58, 60) || within(at, 70, 84) ? 347 : 0)
const house = (watts: number) => (at: number) => watts + 11 * (at % 7)

/** A roof, two houses and a battery, the last of the producers and of the consumers. */
export function makeBatteryScene(server: Server, stay: { endsOn?: string } = {}) {
  const battery = { label: 'Batterie du quai', prm: PRM, storage: true, ...stay }
  return makeScene(server, {
    ...DAYS,
    producers: [
      { label: 'Toit', watts: roof },
      { ...battery, watts: release },
    ],
    consumers: [
      { label: 'Maison', watts: house(307) },
      { label: 'Atelier', watts: house(149) },
      { ...battery, watts: charge },
    ],
  })
}

/** Watt-minutes of a curve over the first days of the period. */
export function energyOf(curve: 'roof' | 'charge' | 'release' | 'houses', quarters: number[]): number {
  const curves = {
    roof: [roof],
    charge: [charge],
    release: [release],
    houses: [house(307), house(149)],
  }[curve]
  let sum = 0
  for (const steps of quarters) for (let at = 0; at < steps; at++) for (const one of curves) sum += one(at) * 15
  return sum
}
export const QUARTERS = [96, 92, 96]

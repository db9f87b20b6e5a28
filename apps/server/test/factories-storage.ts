import type { TestServer } from './client.ts'
import { makeOperationFixture } from './factories-allocations.ts'

/** Three days, one of which has 92 quarters. */
export const STORAGE_PERIOD = { from: '2025-03-29', to: '2025-04-01' }
const BATTERY_PRM = '27500000000113'

const isBetween = (at: number, from: number, to: number) => at >= from && at < to
/** During sunshine the battery charges, and releases in the evening; for two quarters it does both. */
const getRoofWatts = (at: number) => (isBetween(at, 30, 66) ? 1_013 + 17 * (at % 5) : 0)
const getChargeWatts = (at: number) => (isBetween(at, 36, 60) ? 509 : 3)
const getReleaseWatts = (at: number) => (isBetween(at, 58, 60) || isBetween(at, 70, 84) ? 347 : 0)
const createHouseCurve = (watts: number) => (at: number) => watts + 11 * (at % 7)

/** A roof, two houses and a battery, which is the last producer and the last consumer. */
export function makeBatteryFixture(server: TestServer, stay: { endsOn?: string } = {}) {
  const battery = { label: 'Batterie du quai', prm: BATTERY_PRM, storage: true, ...stay }
  return makeOperationFixture(server, {
    ...STORAGE_PERIOD,
    producers: [
      { label: 'Toit', watts: getRoofWatts },
      { ...battery, watts: getReleaseWatts },
    ],
    consumers: [
      { label: 'Maison', watts: createHouseCurve(307) },
      { label: 'Atelier', watts: createHouseCurve(149) },
      { ...battery, watts: getChargeWatts },
    ],
  })
}

/** Energy in watt-minutes of a curve over the first days of the period. */
export function sumCurveEnergy(curve: 'roof' | 'charge' | 'release' | 'houses', quarters: number[]): number {
  const curves = {
    roof: [getRoofWatts],
    charge: [getChargeWatts],
    release: [getReleaseWatts],
    houses: [createHouseCurve(307), createHouseCurve(149)],
  }[curve]
  let sum = 0
  for (const steps of quarters) for (let at = 0; at < steps; at++) for (const one of curves) sum += one(at) * 15
  return sum
}
export const QUARTERS_BY_DAY = [96, 92, 96]

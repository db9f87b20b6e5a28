import { addDays, dayStart } from '@voisol/energy/calendar'
import type { DeclaredReading, Direction, SimulatedConsent, SimulatedPoint } from './simulator-state.ts'
import { getSimulatorNow, type SimulatorMoment, type SimulatorStore } from './simulator-store.ts'

export type SimulatedQuality = 1 | 2 | 3
/** Watts at the meter's step, -1 where missing. */
export type SimulatedDayReading = { watts: Int32Array; quality: SimulatedQuality }
export type SimulatedMeter = {
  prm: string
  direction: Direction
  step: number
  /** The first day available, and the end of its readings. */
  from: string
  to: string | null
  place: { address: string; city: string }
  /** The readings of a day known at an instant, in milliseconds; null without any. */
  read(day: string, at: number): SimulatedDayReading | null
  /** The index counts on where the curve has gaps. */
  whole(day: string, at: number): SimulatedDayReading | null
}
/** Meters that exist without being declared. */
export type MeterSource = {
  meters(): SimulatedMeter[]
  consents(): SimulatedConsent[]
}

const getMeterKey = (prm: string, direction: string) => `${prm} ${direction}`
const EMPTY_SOURCE: MeterSource = { meters: () => [], consents: () => [] }
const DEFAULT_ADDRESS = { address: '1 rue du Bac à sable', city: '69007 Lyon' }

export function createMeterRegistry(store: SimulatorStore, source: MeterSource = EMPTY_SOURCE) {
  let known: Map<string, SimulatedMeter> | undefined
  let lay = createReadingOverlay([])
  let consents = new Map<string, SimulatedConsent>()

  function synthetic(): SimulatedMeter[] {
    return store.state.points.map((point) => {
      const read = (day: string): SimulatedDayReading => ({ watts: createSyntheticDay(point, day), quality: 1 })
      const { prm, direction, step, from, to = null } = point
      return { prm, direction, step, from, to, place: DEFAULT_ADDRESS, read, whole: read }
    })
  }

  function build() {
    const all = [...source.meters(), ...synthetic()]
    return new Map(all.map((meter) => [getMeterKey(meter.prm, meter.direction), lay(meter)]))
  }

  function rebuildRegistry() {
    known = undefined
    lay = createReadingOverlay(store.state.readings)
    consents = new Map([...source.consents(), ...store.state.consents].map((consent) => [consent.prm, consent]))
  }
  rebuildRegistry()

  return {
    changed: rebuildRegistry,
    meters: () => {
      known ??= build()
      return [...known.values()]
    },
    find(prm: string, direction: Direction) {
      known ??= build()
      return known.get(getMeterKey(prm, direction))
    },
    /** Whether the holder allows reading at this instant, and until when. */
    consent(prm: string, { ms }: Pick<SimulatorMoment, 'ms'> = { ms: getSimulatorNow(store) }): SimulatedConsent {
      const { state, until = null } = consents.get(prm) ?? { state: 'active' as const }
      const over = until !== null && ms >= Date.parse(until)
      if (state === 'active') return { prm, state: over ? 'withdrawn' : 'active', until }
      return over ? { prm, state: 'active', until: null } : { prm, state, until }
    },
  }
}
export type MeterRegistry = ReturnType<typeof createMeterRegistry>

const getReadingKey = (prm: string, direction: string, day: string) => `${prm} ${direction} ${day}`

/** Overlays declared late or corrected days on the readings of a meter. */
function createReadingOverlay(readings: DeclaredReading[]): (meter: SimulatedMeter) => SimulatedMeter {
  const declared = Map.groupBy(
    readings.map(({ from, ...rest }) => ({ ...rest, from: Date.parse(from) })).sort((a, b) => a.from - b.from),
    ({ prm, direction, day }) => getReadingKey(prm, direction, day),
  )
  return (meter) => {
    const over =
      (read: SimulatedMeter['read']): SimulatedMeter['read'] =>
      (day, at) => {
        const own = declared.size ? declared.get(getReadingKey(meter.prm, meter.direction, day)) : undefined
        if (own?.some(({ watts, from }) => watts === null && at < from)) return null
        const last = own?.findLast(({ watts, from }) => watts !== null && at >= from)
        return last?.watts ? { watts: Int32Array.from(last.watts), quality: 2 } : read(day, at)
      }
    return { ...meter, read: over(meter.read), whole: over(meter.whole) }
  }
}

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
function createSyntheticDay({ prm, direction, step, seed, kva = 6 }: SimulatedPoint, day: string): Int32Array {
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

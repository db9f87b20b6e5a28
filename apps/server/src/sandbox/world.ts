import { getSimulatorNow, type SimulatorMoment } from './clock.ts'
import { createReadingOverlay } from './overrides.ts'
import type { Direction, SimulatedConsent } from './schemas.ts'
import type { SimulatorStore } from './store.ts'
import { createSyntheticDay } from './synthetic.ts'

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

  function changed() {
    known = undefined
    lay = createReadingOverlay(store.state.readings)
    consents = new Map([...source.consents(), ...store.state.consents].map((consent) => [consent.prm, consent]))
  }
  changed()

  return {
    changed,
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

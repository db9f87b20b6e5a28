import { type Moment, nowOf } from './clock.ts'
import { layer } from './overrides.ts'
import type { Consent, Direction } from './schemas.ts'
import type { Store } from './store.ts'
import { syntheticDay } from './synthetic.ts'

export type Quality = 1 | 2 | 3
/** Watts at the meter's step, -1 where a step is missing. */
export type DayReading = { watts: Int32Array; quality: Quality }
export type Meter = {
  prm: string
  direction: Direction
  step: number
  /** The first day that may be asked for, and the day it was last read. */
  from: string
  to: string | null
  place: { address: string; city: string }
  /** What is known of a day at an instant, in milliseconds; null where nothing is. */
  read(day: string, at: number): DayReading | null
  /** The index goes on counting where the curve has holes. */
  whole(day: string, at: number): DayReading | null
}
/** Meters that are there without being declared. */
export type Source = {
  meters(): Meter[]
  consents(): Consent[]
}

const keyOf = (prm: string, direction: string) => `${prm} ${direction}`
const NOBODY: Source = { meters: () => [], consents: () => [] }
const PLACE = { address: '1 rue du Bac à sable', city: '69007 Lyon' }

export function createWorld(store: Store, source: Source = NOBODY) {
  let known: Map<string, Meter> | undefined
  let lay = layer([])
  let consents = new Map<string, Consent>()

  function synthetic(): Meter[] {
    return store.state.points.map((point) => {
      const read = (day: string): DayReading => ({ watts: syntheticDay(point, day), quality: 1 })
      const { prm, direction, step, from, to = null } = point
      return { prm, direction, step, from, to, place: PLACE, read, whole: read }
    })
  }

  function build() {
    const all = [...source.meters(), ...synthetic()]
    return new Map(all.map((meter) => [keyOf(meter.prm, meter.direction), lay(meter)]))
  }

  function changed() {
    known = undefined
    lay = layer(store.state.readings)
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
      return known.get(keyOf(prm, direction))
    },
    /** Whether the holder lets us read, at this instant, and until when. */
    consent(prm: string, { ms }: Pick<Moment, 'ms'> = { ms: nowOf(store) }): Consent {
      const { state, until = null } = consents.get(prm) ?? { state: 'active' as const }
      const over = until !== null && ms >= Date.parse(until)
      if (state === 'active') return { prm, state: over ? 'withdrawn' : 'active', until }
      return over ? { prm, state: 'active', until: null } : { prm, state, until }
    },
  }
}
export type World = ReturnType<typeof createWorld>

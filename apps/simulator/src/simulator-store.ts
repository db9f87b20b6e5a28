import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { addDays, localTime } from '@voisol/energy/calendar'
import { PRIVATE_FOLDER } from '../../server/src/private-files.ts'
import { SimulatorState } from './simulator-state.ts'

const SAVE_DELAY_MS = 200

export type PersistentState<S> = {
  state: S
  /** Written before the answer is sent. */
  save(): void
  /** For counters, whose write may be delayed. */
  saveSoon(): void
  reset(): void
}

export type SimulatorStore = PersistentState<SimulatorState>

export const openSimulatorStore = (file: string | undefined): SimulatorStore =>
  openPersistentState(file, (held) => SimulatorState.parse(held))

/** One JSON file, replaced atomically: an interrupted write leaves the previous one. */
export function openPersistentState<S>(file: string | undefined, parse: (held: unknown) => S): PersistentState<S> {
  const read = () => {
    if (!file || !existsSync(file)) return parse({})
    try {
      return parse(JSON.parse(readFileSync(file, 'utf8')))
    } catch (error) {
      // Starting matters more than the stored state.
      console.error(`${file} is set aside:`, error)
      renameSync(file, `${file}.unreadable`)
      return parse({})
    }
  }
  let timer: NodeJS.Timeout | undefined
  const store: PersistentState<S> = {
    state: read(),
    save() {
      clearTimeout(timer)
      timer = undefined
      if (!file) return
      mkdirSync(dirname(file), PRIVATE_FOLDER)
      const next = `${file}.${process.pid}.tmp`
      writeFileSync(next, JSON.stringify(store.state), { mode: 0o600 })
      renameSync(next, file)
    },
    saveSoon() {
      if (file) timer ??= setTimeout(store.save, SAVE_DELAY_MS).unref()
    },
    reset() {
      store.state = parse({})
      store.save()
    },
  }
  return store
}

/** The data of yesterday are published at eight. */
const PUBLICATION_MINUTE = 8 * 60

/** The simulator's clock, which can be set and then continues. */
export type SimulatorMoment = { ms: number; today: string; published: string }

export function toMoment(ms: number): SimulatorMoment {
  const { day, minuteOfDay } = localTime(Math.floor(ms / 60_000))
  return { ms, today: day, published: addDays(day, minuteOfDay >= PUBLICATION_MINUTE ? -1 : -2) }
}

export const getSimulatorNow = ({ state }: SimulatorStore): number => Date.now() + state.ahead

import { setTimeout } from 'node:timers/promises'
import { localTime } from '@voisol/energy/calendar'

/** The source of time and of delays: a test that replaces it runs a month in seconds. */
export type Clock = { now(): Date; sleep(ms: number, signal?: AbortSignal): Promise<void> }

export const SYSTEM_CLOCK: Clock = {
  now: () => new Date(),
  sleep: async (ms, signal) => {
    await setTimeout(ms, undefined, signal && { signal })
  },
}

/** Local time in Paris. */
export const getParisTime = (at: Date) => localTime(Math.floor(at.getTime() / 60_000))

import { setTimeout } from 'node:timers/promises'
import { localTime } from '@voisol/energy/calendar'

/** What time it is and how one waits: a month goes by in seconds where both are given by somebody else. */
export type Clock = { now(): Date; sleep(ms: number, signal?: AbortSignal): Promise<void> }

export const SYSTEM_CLOCK: Clock = {
  now: () => new Date(),
  sleep: async (ms, signal) => {
    await setTimeout(ms, undefined, signal && { signal })
  },
}

/** The wall clock of Paris. */
export const getParisTime = (at: Date) => localTime(Math.floor(at.getTime() / 60_000))

import { addMonths, dayOf, monthOf } from '@voisol/energy/calendar'
import type { SimulatorMoment } from './clock.ts'
import { getMonthEnd, type SettledMonth, settleMonth } from './settle.ts'
import type { OperationSettlement } from './settlement.ts'
import type { MeterRegistry } from './world.ts'

const MAX_CACHE_BYTES = 96_000_000

/** A month is settled once its last day is published. */
export const isMonthSettled = (month: string, { published }: SimulatorMoment) => getMonthEnd(month) <= published

/** A cache of settled months, limited by memory; concurrent callers wait for the same computation. */
export function createSettledMonthCache(world: MeterRegistry) {
  const held = new Map<string, Promise<SettledMonth>>()
  const sizes = new Map<string, number>()

  function trim() {
    for (const key of held.keys()) {
      const sum = [...sizes.values()].reduce((a, b) => a + b, 0)
      if (sum <= MAX_CACHE_BYTES || held.size <= 1) return
      held.delete(key)
      sizes.delete(key)
    }
  }

  function monthAt(settlement: OperationSettlement, month: string, at: number): Promise<SettledMonth> {
    const key = `${settlement.acc} ${month}`
    const known = held.get(key)
    // Moved to the end: the least recently used is dropped first.
    if (known) held.delete(key)
    const found = known ?? settleMonth(world, settlement, month, at)
    held.set(key, found)
    if (!known)
      found.then(
        ({ bytes }) => {
          if (held.get(key) !== found) return
          sizes.set(key, bytes)
          trim()
        },
        () => held.delete(key),
      )
    return found
  }

  return {
    forget() {
      held.clear()
      sizes.clear()
    },
    /** The settled months within [from, to), in epoch minutes, from the first to the last. */
    async months(
      settlement: OperationSettlement,
      from: number,
      to: number,
      moment: SimulatorMoment,
    ): Promise<SettledMonth[]> {
      const found: SettledMonth[] = []
      const { startsOn, endsOn } = settlement
      for (let month = monthOf(dayOf(from)); month <= dayOf(to - 1); month = addMonths(month, 1)) {
        const during = getMonthEnd(month) >= startsOn && (endsOn === null || month < endsOn)
        if (during && isMonthSettled(month, moment)) found.push(await monthAt(settlement, month, moment.ms))
      }
      return found
    },
  }
}
export type SettledMonthCache = ReturnType<typeof createSettledMonthCache>

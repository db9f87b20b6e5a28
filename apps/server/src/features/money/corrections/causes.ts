import type { CorrectionCause } from '@voisol/contract/corrections'
import { getMonthPeriod, intersectPeriods } from '@voisol/money/days'
import type { MonthInput } from '@voisol/money/input'
import { toCanonicalJson } from '../../../hash.ts'

const INPUT_PARTS: Record<Exclude<CorrectionCause, 'held' | 'cancelled'>, (input: MonthInput) => unknown> = {
  energy: ({ cells, producers }) => [
    producers,
    cells
      .map(({ member, producer, class: name, wattMinutes }) => [member, producer, name, Array.from(wattMinutes)])
      .filter(([, , , days]) => Array.isArray(days) && days.some((day) => day > 0))
      .sort((a, b) => (String(a) < String(b) ? -1 : 1)),
  ],
  quantities: ({ distributor }) => [...distributor].sort((a, b) => (toCanonicalJson(a) < toCanonicalJson(b) ? -1 : 1)),
  // Days outside the month do not count.
  members: ({ members, month }) => {
    const period = getMonthPeriod(month)
    const there = members.flatMap((member) => {
      const own = intersectPeriods(period, member)
      return own ? [{ ...member, from: own.from, to: own.to }] : []
    })
    return there.sort((a, b) => (a.id < b.id ? -1 : 1))
  },
  prices: ({ tariffs, fees, discounts }) => [tariffs, fees, discounts],
}

/** Inputs of a month that differ from when it was billed, in display order. */
export function findCorrectionCauses(before: MonthInput, now: MonthInput): CorrectionCause[] {
  const names = Object.keys(INPUT_PARTS) as (keyof typeof INPUT_PARTS)[] // keys of a literal
  return names.filter((name) => toCanonicalJson(INPUT_PARTS[name](before)) !== toCanonicalJson(INPUT_PARTS[name](now)))
}

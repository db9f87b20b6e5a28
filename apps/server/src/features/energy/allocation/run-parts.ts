import { setImmediate } from 'node:timers/promises'
import { addMonths, dayStart, listDays, monthOf } from '@voisol/energy/calendar'
import { TIME_CLASSES } from '@voisol/energy/time-classes'
import { loadKeySpans, type Period } from '../../../core/allocation-keys.ts'
import type { Db } from '../../../db/client.ts'
import { type AllocationMonthSums, allocateDays, createMonthSums, type RunPart, toDailyPairs } from './allocate-days.ts'
import { loadEnergies } from './load-energies.ts'
import { compareTotalRows, type TotalRow } from './result-rows.ts'
import type { RunInput } from './run-input.ts'

export type { RunPart } from './allocate-days.ts'

/** Points and pairs × steps computed at once: a few tens of milliseconds, then other requests are served. */
const CELLS_PER_PART = 600_000

export const splitIntoMonths = ({ from, to }: Period): Period[] => {
  const months: Period[] = []
  for (let month = monthOf(from); month < to; month = addMonths(month, 1)) {
    const next = addMonths(month, 1)
    months.push({ from: month > from ? month : from, to: next < to ? next : to })
  }
  return months
}

/** Computes the run in time order; the sums of a month come with its last days. */
export async function* streamRunParts(db: Db, input: RunInput): AsyncGenerator<RunPart> {
  const whole = listDays(input.from, input.to).length
  let done = 0
  for (const month of splitIntoMonths(input)) {
    const { producers, consumers, levels } = await loadEnergies(db, input, month)
    const spans = await loadKeySpans(db, input, input.keys, month)
    const dayGroups = groupDays(input, month)
    const sums = createMonthSums(producers.length, consumers.length, month.from)
    for (const [at, days] of dayGroups.entries()) {
      const part = allocateDays(input, { producers, consumers, spans }, { days, origin: dayStart(month.from) }, sums)
      done += days.length
      if (at === 0) {
        part.counts.estimated = levels.reduce((sum, { own, profile }) => sum + own + profile, 0)
        part.members = levels
      }
      if (at === dayGroups.length - 1) Object.assign(part, toMonthRows(input, sums))
      yield { ...part, done: done / whole }
      await setImmediate()
    }
  }
}

type RunSize = Pick<RunInput, 'producers' | 'consumers' | 'step'>

/** The days of a period in groups that are computed at once. */
export function groupDays({ producers, consumers, step }: RunSize, { from, to }: Period): string[][] {
  const perDay = (producers.length + consumers.length + producers.length * consumers.length) * (1440 / step)
  const size = Math.max(1, Math.floor(CELLS_PER_PART / Math.max(1, perDay)))
  const days = listDays(from, to)
  return Array.from({ length: Math.ceil(days.length / size) }, (_, n) => days.slice(n * size, (n + 1) * size))
}

function toMonthRows({ consumers, producers }: RunInput, sums: AllocationMonthSums) {
  const { month } = sums
  const totals = [...consumers, ...producers].flatMap((pointId, n) =>
    TIME_CLASSES.flatMap((timeClass, c): TotalRow[] => {
      const at = n * TIME_CLASSES.length + c
      const row = { month, pointId, timeClass, total: sums.total[at] ?? 0, local: sums.local[at] ?? 0 }
      return row.total > 0 || row.local > 0 ? [row] : []
    }),
  )
  return { totals: totals.sort(compareTotalRows), pairs: toDailyPairs({ consumers, producers }, sums) }
}

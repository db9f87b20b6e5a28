import { dayStart } from '@voisol/energy/calendar'
import { sideBySide } from '../../../compute/side-by-side.ts'
import { keySpans } from '../../../core/spans.ts'
import type { Db } from '../../../db/client.ts'
import type { Deps } from '../../../deps.ts'
import { monthsOf, piecesOf } from './compute.ts'
import { readEnergies } from './energies.ts'
import type { RunInput } from './input.ts'
import type { MonthToCompute, Tried } from './try-task.ts'

export type { DailyPair } from './rows.ts'
export type { Tried, TriedDay } from './try-task.ts'

type Computing = Pick<Deps, 'compute'> & { signal?: AbortSignal }

/** The days as a run of this input would give them, computed in a thread, and who got them from whom if asked. Nothing is stored. */
export async function tryRun({ compute, signal }: Computing, db: Db, input: RunInput, pairs = false): Promise<Tried> {
  const { companyId, step, calendar, batteries } = input
  const months = await sideBySide(monthsOf(input), async (month, options) => {
    const { producers, consumers } = await readEnergies(db, input, month)
    const given: MonthToCompute = {
      setting: { step, calendar, producers: input.producers, batteries },
      pieces: piecesOf(input, month),
      origin: dayStart(month.from),
      producers,
      consumers,
      spans: await keySpans(db, input, input.keys, month),
      pairs,
    }
    return { done: compute('allocations.try', given, { ...options, companyId, signal, moved: buffersOf(given) }) }
  })
  return { days: months.flatMap(({ days }) => days), pairs: months.flatMap(({ pairs }) => pairs) }
}

/** Readings were made for this call: they are handed over. */
const buffersOf = ({ producers, consumers }: MonthToCompute) => [
  ...new Set([...producers, ...consumers].map(({ values }) => values.buffer as ArrayBuffer)), // never shared between threads
]

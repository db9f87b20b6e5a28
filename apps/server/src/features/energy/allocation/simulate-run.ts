import { dayStart } from '@voisol/energy/calendar'
import { loadKeySpans } from '../../../core/allocation-keys.ts'
import type { Db } from '../../../db/client.ts'
import type { Deps } from '../../../deps.ts'
import { computeInParallel } from '../../../workers/compute-in-parallel.ts'
import { loadEnergies } from './load-energies.ts'
import type { RunInput } from './run-input.ts'
import { groupDays, splitIntoMonths } from './run-parts.ts'
import type { TrialMonthInput, TrialResult } from './try-task.ts'

export type { DailyPair } from './result-rows.ts'
export type { TrialDay, TrialResult } from './try-task.ts'

type TrialDeps = Pick<Deps, 'compute'> & { signal?: AbortSignal }

/**
 * The days that a run of this input would give, computed in a worker thread, with pairs on request. Nothing is stored.
 */
export async function computeTrialRun(
  { compute, signal }: TrialDeps,
  db: Db,
  input: RunInput,
  pairs = false,
): Promise<TrialResult> {
  const { companyId, step, calendar, batteries } = input
  const months = await computeInParallel(splitIntoMonths(input), async (month, options) => {
    const { producers, consumers } = await loadEnergies(db, input, month)
    const monthInput: TrialMonthInput = {
      setting: { step, calendar, producers: input.producers, batteries },
      pieces: groupDays(input, month),
      origin: dayStart(month.from),
      producers,
      consumers,
      spans: await loadKeySpans(db, input, input.keys, month),
      pairs,
    }
    return {
      done: compute('allocations.try', monthInput, {
        ...options,
        companyId,
        signal,
        moved: listTransferableBuffers(monthInput),
      }),
    }
  })
  return { days: months.flatMap(({ days }) => days), pairs: months.flatMap(({ pairs }) => pairs) }
}

/** Buffers of readings made for this call are transferred to the thread. */
const listTransferableBuffers = ({ producers, consumers }: TrialMonthInput) => [
  ...new Set([...producers, ...consumers].map(({ values }) => values.buffer as ArrayBuffer)), // never shared between threads
]

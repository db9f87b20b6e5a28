import { Readable } from 'node:stream'
import type { FileReply } from '@voisol/contract/endpoint'
import { allocateEnergy } from '@voisol/energy/allocate'
import { sliceCurves, sliceSpans } from '@voisol/energy/allocation-input'
import { addDays, dayStart } from '@voisol/energy/calendar'
import { computeCoefficients, formatCoefficientFile } from '@voisol/energy/coefficients'
import { computePairs } from '@voisol/energy/pairs'
import { loadKeySpans } from '../../../core/allocation-keys.ts'
import type { Db } from '../../../db/client.ts'
import { AppError } from '../../../http/errors.ts'
import type { RunRow } from './allocation-runs.ts'
import { toRunInputQuery } from './execute-run.ts'
import { type AllocationEnergies, loadEnergies } from './load-energies.ts'
import { loadRunInput, type RunInput } from './run-input.ts'
import { splitIntoMonths } from './run-parts.ts'

/** Each consumer's share of the producer's output, step by step, in the distributor's format: `<prm>.csv`. */
export async function exportCoefficientFile(
  db: Db,
  run: RunRow,
  producerId: string,
  decimals: number,
): Promise<FileReply> {
  const input = await loadRunInput(db, toRunInputQuery(run))
  const producer = input.members.find(({ pointId, direction }) => pointId === producerId && direction === 'production')
  if (!producer) throw new AppError('not-found')
  if (run.staleAt)
    throw new AppError('conflict', {
      message: 'Ce calcul n’est plus à jour : lancez-en un nouveau, puis exportez ses coefficients.',
    })
  return {
    name: `${producer.prm}.csv`,
    content: Readable.from(streamCoefficientLines(db, input, producerId, decimals)),
  }
}

async function* streamCoefficientLines(
  db: Db,
  input: RunInput,
  producerId: string,
  decimals: number,
): AsyncGenerator<Buffer> {
  const prmOf = new Map(input.members.map(({ pointId, prm }) => [pointId, prm]))
  const prms = input.consumers.map((id) => prmOf.get(id) ?? '')
  let header = true
  for (const month of splitIntoMonths(input)) {
    const energies = await loadEnergies(db, input, month)
    const spans = await loadKeySpans(db, input, input.keys, month)
    for (let day = month.from; day < month.to; day = addDays(day, 1)) {
      const { produced, given } = computeDayFlows(input, energies, spans, month.from, day, producerId)
      const coefficients = computeCoefficients(produced, given, decimals)
      const text = formatCoefficientFile(
        { startsAt: dayStart(day), step: input.step, prms, coefficients },
        { decimals },
      )
      yield Buffer.from(header ? text : text.slice(text.indexOf('\n') + 1))
      header = false
    }
  }
}

type KeySpans = Awaited<ReturnType<typeof loadKeySpans>>

/** The producer's output on a day and the part of each consumer; every step is its own bucket. */
function computeDayFlows(
  input: RunInput,
  energies: AllocationEnergies,
  spans: KeySpans,
  first: string,
  day: string,
  producerId: string,
) {
  const at = (when: string) => (dayStart(when) - dayStart(first)) / input.step
  const [from, to] = [at(day), at(addDays(day, 1))]
  const steps = to - from
  const producers = sliceCurves(energies.producers, from, to)
  const consumers = sliceCurves(energies.consumers, from, to)
  const keys = sliceSpans(spans, from, to)
  const allocation = allocateEnergy({ steps, producers, consumers, keys })
  const flows = computePairs(
    { allocation, keys, producers, consumers },
    Uint16Array.from({ length: steps }, (_, n) => n),
    steps,
  )
  const j = producers.findIndex(({ id }) => id === producerId)
  const given = consumers.map((_, i) =>
    Int32Array.from({ length: steps }, (_, n) => flows[(n * producers.length + j) * consumers.length + i] ?? 0),
  )
  return { produced: allocation.produced[j] ?? new Int32Array(steps), given }
}

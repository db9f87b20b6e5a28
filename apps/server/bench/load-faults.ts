/** On a busy machine a call may wait longer than its patience: so many of them say nothing against the product. */
const MAX_UNANSWERED = 0.05
/** It says of itself that it is busy, and asks to come again. */
const BUSY = 503

/** A shorter run has not settled: its memory says nothing. */
const MIN_MINUTES_OF_MEMORY = 30
export const MAX_HEAP_GROWTH = 0.1

type Round = { calls: number; refused: Map<number, number>; thrown: Map<string, number> }

/** What a round of load shows against the server, in sentences; nothing where it held. */
export function findLoadFaults({ calls, refused, thrown }: Round): string[] {
  const broken = [...refused].filter(([status]) => status >= 500 && status !== BUSY)
  const sentences = broken.map(([status, times]) => `${times} réponses ${status}\u00a0: une erreur du serveur`)
  const unanswered = [...thrown.values()].reduce((sum, times) => sum + times, 0) + (refused.get(BUSY) ?? 0)
  if (!calls) sentences.push('aucun appel')
  else if (unanswered > calls * MAX_UNANSWERED)
    sentences.push(`${unanswered} appels sur ${calls} sont restés sans réponse ou ont été renvoyés`)
  return sentences
}

/** What a long round shows of memory: the heap after each collection, from when it has settled. */
export function findHeapFaults(minutes: number, heaps: number[]): string[] {
  const growth = computeGrowth(heaps)
  if (minutes < MIN_MINUTES_OF_MEMORY || Math.abs(growth) <= MAX_HEAP_GROWTH) return []
  const change = `${growth > 0 ? '+' : '−'}${Math.round(Math.abs(growth) * 100)}`
  return [
    `le tas a changé de ${change}\u00a0% en ${minutes} minutes (objectif\u00a0: ± ${MAX_HEAP_GROWTH * 100}\u00a0%)`,
  ]
}

export const computeGrowth = (values: number[]) => (values.at(-1) ?? 0) / (values[0] ?? 1) - 1

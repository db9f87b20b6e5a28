/** On a busy machine a call may wait longer than its patience: so many of them say nothing against the product. */
const MAX_UNANSWERED = 0.05
/** It says of itself that it is busy, and asks to come again. */
const BUSY = 503

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

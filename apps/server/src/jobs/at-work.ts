/** Longer than the queue takes to hand out again what it holds for abandoned. */
const COMPLETED_RETENTION_MS = 600_000

/**
 * A clock that jumps forward makes a job at work look abandoned, and it is handed out again. Whoever gets it in this
 * process waits for the one who has it, or finds it done; one that failed is begun anew, as it should be.
 */
export function createJobDeduplicator<T extends { status: string }>(steady = () => performance.now()) {
  const begun = new Map<string, { outcome: Promise<T>; endedAt: number | undefined }>()
  const forget = () => {
    for (const [id, { endedAt }] of begun)
      if (endedAt !== undefined && endedAt < steady() - COMPLETED_RETENTION_MS) begun.delete(id)
  }
  return (id: string, work: () => Promise<T>): Promise<T> => {
    forget()
    const known = begun.get(id)
    if (known) return known.outcome
    const own: { outcome: Promise<T>; endedAt: number | undefined } = { outcome: work(), endedAt: undefined }
    begun.set(id, own)
    const end = (outcome?: T) => {
      if (outcome?.status === 'completed') own.endedAt = steady()
      else begun.delete(id)
    }
    own.outcome.then(end, () => end())
    return own.outcome
  }
}

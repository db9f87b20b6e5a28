/** Longer than the queue takes to hand out an abandoned job again. */
const COMPLETED_RETENTION_MS = 600_000

/**
 * When the clock jumps forward, a running job looks abandoned and is handed out again. The second run in this process
 * waits for the first, or finds it done; a failed job is run again, as it should be.
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

/** So many are read or computed at a time: what they are made from is in memory, however many threads there are. */
const MAX_PARALLEL = 4

/** What a task is made from was read; it is not waited for. */
export type StartedTask<R> = { done: Promise<R> }

/**
 * Parts of one long computing, the months of a year: the next is read while those before it are computed, by as many threads as the
 * company may hold. What they gave, in their order; the first that fails is told, and nothing more begins.
 */
export async function computeInParallel<T, R>(
  parts: readonly T[],
  begin: (part: T, options: { patient: boolean }) => Promise<StartedTask<R>>,
): Promise<R[]> {
  const all: Promise<R>[] = []
  for (const part of parts) {
    await all[all.length - MAX_PARALLEL]
    // Only the first may be asked to come back: what was begun is finished.
    const { done } = await begin(part, { patient: all.length > 0 })
    // Told when its turn comes.
    done.catch(() => {})
    all.push(done)
  }
  return Promise.all(all)
}

/** Parts handled at once: the input of each is in memory, however many threads there are. */
const MAX_PARALLEL = 4

/** The input of the task was read; its result is not awaited yet. */
type StartedTask<R> = { done: Promise<R> }

/**
 * Parts of one long computation, such as the months of a year: the next is read while those before are computed, by as
 * many threads as the company may use. Results are in the order of the parts; the first failure is thrown, and no
 * further part starts.
 */
export async function computeInParallel<T, R>(
  parts: readonly T[],
  begin: (part: T, options: { patient: boolean }) => Promise<StartedTask<R>>,
): Promise<R[]> {
  const all: Promise<R>[] = []
  for (const part of parts) {
    await all[all.length - MAX_PARALLEL]
    // Only the first part may be refused for a full queue: what was started is finished.
    const { done } = await begin(part, { patient: all.length > 0 })
    // The failure is reported when its turn comes.
    done.catch(() => {})
    all.push(done)
  }
  return Promise.all(all)
}

import { availableParallelism, loadavg } from 'node:os'

const WAIT_TIMEOUT_MS = 120_000

/** How many times as long work takes as on an idle machine: the programs that want a core, per core. */
const getSlowdown = () => Math.max(1, (loadavg()[0] ?? 0) / availableParallelism())

/** Polls until there is a result. The limit only ends what hangs: a busy machine has as much longer. */
export async function waitUntil<T>(
  ask: () => Promise<T | undefined | false> | T | undefined | false,
  ms = WAIT_TIMEOUT_MS,
): Promise<T> {
  const from = Date.now()
  for (;;) {
    const answer = await ask()
    if (answer !== undefined && answer !== false) return answer
    if (Date.now() - from > ms * getSlowdown()) throw new Error(`still waiting after ${ms} ms`)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

import { watchThreadLoad } from './hostile-archives.ts'

/** What another user asks the server for; each resolves once it was answered. */
type OtherRequests = Record<string, () => Promise<void>>
export type Service = {
  /** How long each answer took, in milliseconds. */
  waits: Record<string, number[]>
  /** The longest uninterrupted computation of the server's thread, in milliseconds of its processor time. */
  longest: number
  /** By how much the memory of the process grew at most, in megabytes. */
  grown: number
  /** How many times as long as alone on the machine the server's thread took: others wait as much longer. */
  slowdown: number
}

async function askEach(requests: OtherRequests, waits: Service['waits']) {
  for (const [name, ask] of Object.entries(requests)) {
    const from = performance.now()
    await ask()
    const times = waits[name] ?? []
    times.push(performance.now() - from)
    waits[name] = times
  }
  await new Promise((resolve) => setImmediate(resolve))
}

/** How others are served while the work lasts. */
export async function measureService<T>(
  requests: OtherRequests,
  work: () => Promise<T>,
): Promise<{ result: T; service: Service }> {
  const stop = watchThreadLoad()
  const waits: Service['waits'] = {}
  let over = false
  const working = work().finally(() => {
    over = true
  })
  const asking = (async () => {
    do await askEach(requests, waits)
    while (!over)
  })()
  const [result] = await Promise.all([working, asking]).finally(() => {
    over = true
  })
  return { result, service: { waits, ...stop() } }
}

const QUIET_ROUNDS = 10

/** How others are served when nothing else is asked of the server: what the machine takes for it at this moment. */
export async function measureQuietService(requests: OtherRequests): Promise<Service> {
  const stop = watchThreadLoad()
  const waits: Service['waits'] = {}
  for (let round = 0; round < QUIET_ROUNDS; round++) await askEach(requests, waits)
  return { waits, ...stop() }
}

/** What others may wait for, or the server compute without a break, beyond what the quiet state showed. */
export const MAX_BLOCKED_MS = 250
const MAX_LATE_SHARE = 0.25

/** The part of the time that went to late answers: one that waits for the whole attack counts for more than many quick ones after it. */
function getLateShare(waits: number[], limit: number): number {
  const total = waits.reduce((sum, wait) => sum + wait, 0)
  const late = waits.filter((wait) => wait > limit).reduce((sum, wait) => sum + wait, 0)
  return total === 0 ? 0 : late / total
}

/** What others lacked, compared to the quiet state just before on the same machine, in a sentence each. */
export function findServiceFaults(quiet: Service, attacked: Service): string[] {
  const faults = Object.entries(attacked.waits).flatMap(([name, waits]) => {
    const limit = MAX_BLOCKED_MS * attacked.slowdown + Math.max(...(quiet.waits[name] ?? []))
    const share = Math.round(100 * getLateShare(waits, limit))
    const longest = Math.round(Math.max(...waits))
    return share > 100 * MAX_LATE_SHARE
      ? [`${name}: ${share} % of the time went to answers later than ${Math.round(limit)} ms, the latest ${longest} ms`]
      : []
  })
  if (attacked.longest > MAX_BLOCKED_MS + quiet.longest)
    faults.push(`nobody else was served for ${Math.round(attacked.longest)} ms of computing`)
  return faults
}

const MAX_ATTEMPTS = 3

/**
 * Attacks again while others lack something: a machine that gets busy during one attempt is no fault of the server,
 * which shows the same each time. Memory is judged by the first attempt, since what stays is no growth of the next.
 */
export async function attackService<T>(requests: OtherRequests, prepare: () => Promise<() => Promise<T>>) {
  const results: T[] = []
  let grown: number | undefined
  let faults: string[] = []
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const work = await prepare()
    const quiet = await measureQuietService(requests)
    const { result, service } = await measureService(requests, work)
    results.push(result)
    grown ??= service.grown
    faults = findServiceFaults(quiet, service)
    if (faults.length === 0) break
  }
  return { results, faults, grown: grown ?? 0 }
}

import { performance } from 'node:perf_hooks'
import type pg from 'pg'
import { type PoolConnectCallback, wrapPoolConnect } from './both-forms.ts'

/** When nobody was served for this long, the queue is stalled. */
const STALLED_QUEUE_MS = 2000
/** A longer wait would exceed the timeout of the pool. */
const MAX_WAIT_MS = 4000
/** The rate is computed from this many served callers. */
const SAMPLE_SIZE = 16

const createQueueFullError = () => Object.assign(new Error('the line for a connection is too long'), { code: '53300' })

/** A caller that would wait for a connection in vain is refused at once, while those before it are served. */
export function limitPoolQueue(pool: pg.Pool, now: () => number = () => performance.now()) {
  /** When the last callers were served since the queue exists; before them, when it began. */
  let served: number[] = []
  const waitingFor = () => pool.waitingCount
  const standsStill = () => now() - (served.at(-1) ?? now()) > STALLED_QUEUE_MS
  const isTooLong = () => {
    const [first] = served
    if (first === undefined || served.length <= SAMPLE_SIZE) return false
    return (waitingFor() * (now() - first)) / SAMPLE_SIZE > MAX_WAIT_MS
  }

  pool.on('acquire', () => {
    if (waitingFor() > 0) served = [...served, now()].slice(-SAMPLE_SIZE - 1)
  })
  const connect = pool.connect.bind(pool)
  pool.connect = wrapPoolConnect((taken: PoolConnectCallback) => {
    if (waitingFor() === 0) served = [now()]
    else if (standsStill() || isTooLong()) return taken(createQueueFullError(), undefined, () => {})
    connect(taken)
  })
}

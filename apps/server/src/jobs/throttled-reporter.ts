import type { FastifyBaseLogger } from 'fastify'
import { getSystemErrorCode } from '../db/database-errors.ts'
import { isDatabaseUnavailable } from '../db/database-unavailable.ts'

const REPEAT_INTERVAL_MS = 60_000

type Complaint = { kind: string; write: (log: FastifyBaseLogger, level: 'error' | 'warn') => void }

/**
 * While the database is unavailable every worker reports an error every second: the same one is logged once a minute.
 */
export function createThrottledReporter(log: FastifyBaseLogger, now: () => number = Date.now) {
  const written = new Map<string, number>()
  return (level: 'error' | 'warn', what: object) => {
    const { kind, write } = toComplaint(what)
    if (now() - (written.get(kind) ?? -Infinity) < REPEAT_INTERVAL_MS) return
    written.set(kind, now())
    write(log, level)
  }
}

function toComplaint(what: object): Complaint {
  const code = getSystemErrorCode(what)
  const message = 'message' in what ? String(what.message) : ''
  if (isDatabaseUnavailable(what))
    return { kind: 'away', write: (log) => log.warn({ code, message }, 'queue: the database is away') }
  return {
    // Numbers and names of queues and workers differ between otherwise equal errors.
    kind: code || message.replace(/\(Queue:.*\)|".*?"|[\d.]+/g, ''),
    write: (log, level) => log[level](what instanceof Error ? { err: what } : { queue: what }, 'queue'),
  }
}

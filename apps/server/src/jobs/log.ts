import type { FastifyBaseLogger } from 'fastify'
import { isAway } from '../db/away.ts'
import { codeOf } from '../db/causes.ts'

const AGAIN_MS = 60_000

type Complaint = { kind: string; write: (log: FastifyBaseLogger, level: 'error' | 'warn') => void }

/** While the database is away every worker complains every second: the same complaint is written once a minute. */
export function quietly(log: FastifyBaseLogger, now: () => number = Date.now) {
  const written = new Map<string, number>()
  return (level: 'error' | 'warn', what: object) => {
    const { kind, write } = read(what)
    if (now() - (written.get(kind) ?? -Infinity) < AGAIN_MS) return
    written.set(kind, now())
    write(log, level)
  }
}

function read(what: object): Complaint {
  const code = codeOf(what)
  const message = 'message' in what ? String(what.message) : ''
  if (isAway(what)) return { kind: 'away', write: (log) => log.warn({ code, message }, 'queue: the database is away') }
  return {
    // Numbers and the names of queues and workers differ from one complaint to the next.
    kind: code || message.replace(/\(Queue:.*\)|".*?"|[\d.]+/g, ''),
    write: (log, level) => log[level](what instanceof Error ? { err: what } : { queue: what }, 'queue'),
  }
}

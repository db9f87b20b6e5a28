import type { FastifyBaseLogger } from 'fastify'
import { codeOf } from '../db/causes.ts'
import { maskStatement } from './mask-statement.ts'
import { told } from './purpose.ts'
import type { Listener } from './statements.ts'

/** Writes down what the database took its time for, and who asked: never the values. Nothing where there is no limit. */
export function slowLog(log: FastifyBaseLogger, limitMs: number): Listener[] {
  if (limitMs === 0) return []
  return [
    ({ text, ms, rows, error }, purpose) => {
      if (ms < limitMs) return
      const line = { ms: Math.round(ms), rows, code: codeOf(error) || undefined, statement: maskStatement(text) }
      log.warn({ ...line, ...(purpose && told(purpose)) }, 'slow query')
    },
  ]
}

import type { FastifyBaseLogger } from 'fastify'
import { maskStatement } from './mask-statement.ts'
import { told } from './purpose.ts'
import type { Listener } from './statements.ts'

const codeOf = (error: unknown) => (typeof error === 'object' && error && 'code' in error ? error.code : undefined)

/** Writes down what the database took its time for, and who asked: never the values. Nothing where there is no limit. */
export function slowLog(log: FastifyBaseLogger, limitMs: number): Listener[] {
  if (limitMs === 0) return []
  return [
    ({ text, ms, rows, error }, purpose) => {
      if (ms < limitMs) return
      const line = { ms: Math.round(ms), rows, code: codeOf(error), statement: maskStatement(text) }
      log.warn({ ...line, ...(purpose && told(purpose)) }, 'slow query')
    },
  ]
}

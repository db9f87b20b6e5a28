import type { FastifyBaseLogger } from 'fastify'
import { getSystemErrorCode } from '../db/causes.ts'
import { maskStatement } from './mask-statement.ts'
import { toLogFields } from './purpose.ts'
import type { StatementListener } from './statements.ts'

/** Logs slow statements with who caused them, never their values. Without a limit, nothing. */
export function createSlowQueryLog(log: FastifyBaseLogger, limitMs: number): StatementListener[] {
  if (limitMs === 0) return []
  return [
    ({ text, ms, rows, error }, purpose) => {
      if (ms < limitMs) return
      const line = {
        ms: Math.round(ms),
        rows,
        code: getSystemErrorCode(error) || undefined,
        statement: maskStatement(text),
      }
      log.warn({ ...line, ...(purpose && toLogFields(purpose)) }, 'slow query')
    },
  ]
}

import type { FastifyBaseLogger } from 'fastify'
import { getSystemErrorCode } from '../db/database-errors.ts'
import type { Purpose } from './purpose.ts'
import type { StatementListener } from './statements.ts'

/** The fields of a log line. */
const toLogFields = ({ company, span, ...rest }: Purpose) => ({
  ...rest,
  companyId: company(),
  traceId: span?.place.traceId,
})

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

/** Comments, quoted names, and strings in each syntax of PostgreSQL, whichever begins first. */
const PARTS =
  /--[^\n]*|\/\*[\s\S]*?\*\/|"(?:[^"]|"")*"|\be'(?:[^'\\]|''|\\[\s\S])*(?:'|$)|'(?:[^']|'')*(?:'|$)|\$([a-z_]*)\$[\s\S]*?\$\1\$/gi
const MAX_STATEMENT_LENGTH = 2000

const maskPart = (part: string) => {
  if (part.startsWith('"')) return part
  return part.startsWith('--') || part.startsWith('/*') ? ' ' : "'?'"
}

/** The statement without its values: parameters are separate, and literals are masked. */
export const maskStatement = (text: string): string =>
  text
    .replace(PARTS, maskPart)
    .replace(/(?<![\w$.])\d{5,}\b/g, '?')
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, MAX_STATEMENT_LENGTH)

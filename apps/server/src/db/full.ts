import { codeOf } from './away.ts'

/** No room left, of PostgreSQL (53100), of a file, or of somebody's share of the disk. */
const CODES = ['53100', 'ENOSPC', 'EDQUOT']

/** What an error says, or what it came from. */
export function isFull(error: unknown): boolean {
  for (let at = error; at instanceof Error; at = at.cause) if (CODES.includes(codeOf(at))) return true
  return false
}

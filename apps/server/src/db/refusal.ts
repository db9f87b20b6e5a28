import { getErrorCauses, getSystemErrorCode } from './causes.ts'

const REFUSAL_CODES = { twin: '23505', named: '23503', standby: '25006', crowded: '53300', locked: '55P03' }

/**
 * Why the database refuses a statement: a duplicate (`twin`), a row still referenced (`named`), a read-only replica
 * (`standby`), too many connections (`crowded`), or a lock held for too long (`locked`).
 */
export function isDatabaseRefusal(error: unknown, kind: keyof typeof REFUSAL_CODES): boolean {
  return getErrorCauses(error).some((at) => getSystemErrorCode(at) === REFUSAL_CODES[kind])
}

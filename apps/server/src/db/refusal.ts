import { getErrorCauses, getSystemErrorCode } from './causes.ts'

const REFUSAL_CODES = { twin: '23505', named: '23503', standby: '25006', crowded: '53300', locked: '55P03' }

/**
 * What the database refuses because another has it already (`twin`), because something still names it (`named`), because
 * it only repeats what another writes (`standby`), because too many are there (`crowded`), or because
 * somebody held it for longer than one would wait (`locked`).
 */
export function isDatabaseRefusal(error: unknown, kind: keyof typeof REFUSAL_CODES): boolean {
  return getErrorCauses(error).some((at) => getSystemErrorCode(at) === REFUSAL_CODES[kind])
}

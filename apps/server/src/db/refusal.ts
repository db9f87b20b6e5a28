import { causesOf, codeOf } from './causes.ts'

const CODES = { twin: '23505', named: '23503', standby: '25006', crowded: '53300', locked: '55P03' }

/**
 * What the database refuses because another has it already (`twin`), because something still names it (`named`), because
 * it only repeats what another writes (`standby`), because too many are there (`crowded`), or because
 * somebody held it for longer than one would wait (`locked`).
 */
export function isRefusal(error: unknown, why: keyof typeof CODES): boolean {
  return causesOf(error).some((at) => codeOf(at) === CODES[why])
}

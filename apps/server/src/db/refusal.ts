const CODES = { twin: '23505', named: '23503' }

/** What the database refuses because another has it already (`twin`), or because something still names it (`named`). */
export function isRefusal(error: unknown, why: keyof typeof CODES): boolean {
  for (let at = error; at instanceof Error; at = at.cause) if ('code' in at && at.code === CODES[why]) return true
  return false
}

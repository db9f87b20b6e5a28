/** One thing that an entry says: how it was, how it is. */
export type AuditChange = { name: string; before: string | null; after: string | null }

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const formatAuditValue = (value: unknown): string | null => {
  if (value === undefined) return null
  if (value === null || value === '') return '—'
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** What differs between before and after; what is only there once stands on its side, and the rest of the detail after it. */
export function listAuditChanges(detail: Record<string, unknown>): AuditChange[] {
  const { before, after, ...rest } = detail
  const [old, now] = [isRecord(before) ? before : {}, isRecord(after) ? after : {}]
  const names = [...new Set([...Object.keys(old), ...Object.keys(now)])]
  const both = names
    .map((name) => ({ name, before: formatAuditValue(old[name]), after: formatAuditValue(now[name]) }))
    .filter((change) => change.before !== change.after)
  const plain = Object.entries(rest).map(([name, value]) => ({ name, before: null, after: formatAuditValue(value) }))
  return [...both, ...plain]
}

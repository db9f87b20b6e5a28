/** One thing that an entry says: how it was, how it is. */
export type Change = { name: string; before: string | null; after: string | null }

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const written = (value: unknown): string | null => {
  if (value === undefined) return null
  if (value === null || value === '') return '—'
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** What differs between before and after; what is only there once stands on its side, and the rest of the detail after it. */
export function changesOf(detail: Record<string, unknown>): Change[] {
  const { before, after, ...rest } = detail
  const [old, now] = [isRecord(before) ? before : {}, isRecord(after) ? after : {}]
  const names = [...new Set([...Object.keys(old), ...Object.keys(now)])]
  const both = names
    .map((name) => ({ name, before: written(old[name]), after: written(now[name]) }))
    .filter((change) => change.before !== change.after)
  const plain = Object.entries(rest).map(([name, value]) => ({ name, before: null, after: written(value) }))
  return [...both, ...plain]
}

/** An older page is rendered again even if nothing was published: some show the time. */
const MAX_PAGE_AGE_MS = 60_000
const MAX_CACHED_PAGES = 500

type Entry<T> = { value: T; revision: number; at: number }
/** `lasting` may be cached, `once` not, `incomplete` lacks data that could not be read. */
export type PageOutcome = 'lasting' | 'once' | 'incomplete'
type RenderedValue<T> = { value: T; outcome: PageOutcome }
type RenderWork<T> = {
  make: () => Promise<RenderedValue<T>>
  /** Whether a cached value is still valid: called when the site has changed. */
  stillTrue?: (value: T) => Promise<boolean>
}
type Options = { now?: () => number; limit?: number }

/**
 * The value of a key for one revision of the site. With an unknown revision (the database is unavailable) any cached
 * value is used, whatever its age: an old page is better than none.
 */
export function createPageCache<T>({ now = Date.now, limit = MAX_CACHED_PAGES }: Options = {}) {
  const entries = new Map<string, Entry<T>>()
  const making = new Map<string, Promise<T>>()

  function put(key: string, entry: Entry<T>) {
    entries.delete(key)
    entries.set(key, entry)
    if (entries.size <= limit) return
    for (const oldest of entries.keys()) {
      entries.delete(oldest)
      break
    }
  }

  const isCurrent = (entry: Entry<T>, revision: number | undefined) =>
    revision === undefined || (entry.revision === revision && now() - entry.at < MAX_PAGE_AGE_MS)

  async function confirm(key: string, revision: number | undefined, { stillTrue }: RenderWork<T>) {
    const entry = entries.get(key)
    if (!entry || !stillTrue || revision === undefined || now() - entry.at >= MAX_PAGE_AGE_MS) return undefined
    if (!(await stillTrue(entry.value))) return undefined
    put(key, { ...entry, revision })
    return entry
  }

  async function create(key: string, revision: number | undefined, work: RenderWork<T>): Promise<T> {
    const same = await confirm(key, revision, work)
    if (same) return same.value
    const at = now()
    const { value, outcome } = await work.make()
    if (outcome === 'incomplete') return entries.get(key)?.value ?? value
    if (outcome === 'once') entries.delete(key)
    else if (revision !== undefined) put(key, { value, revision, at })
    return value
  }

  return {
    async get(key: string, revision: number | undefined, work: RenderWork<T>): Promise<T> {
      const entry = entries.get(key)
      if (entry && isCurrent(entry, revision)) {
        put(key, entry)
        return entry.value
      }
      // A rendering started under an older revision may have read old data: it is not shared.
      const renderKey = `${revision} ${key}`
      const begun = making.get(renderKey)
      if (begun) return begun
      const made = create(key, revision, work).finally(() => making.delete(renderKey))
      making.set(renderKey, made)
      return made
    },
    size: () => entries.size,
  }
}

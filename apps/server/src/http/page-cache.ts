import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'

export type PageReply = { status: number; headers: Record<string, string>; html: string; outcome: PageOutcome }

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

type Encoding = 'br' | 'gzip' | 'identity'
/** A rendered page with its compressed forms, each made once, on first use. */
export type CachedPage = { page: PageReply; tag: string; bodies: Map<Encoding, Promise<Buffer>> }

const QUALITY = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }
const COMPRESSORS = {
  br: (html: Buffer) => promisify(brotliCompress)(html, QUALITY),
  gzip: (html: Buffer) => promisify(gzip)(html, { level: 6 }),
  identity: async (html: Buffer) => html,
}

export function createCachedPage(page: PageReply): CachedPage {
  const tag = createHash('sha256').update(page.html).digest('base64url').slice(0, 22)
  return { page, tag, bodies: new Map([['identity', Promise.resolve(Buffer.from(page.html))]]) }
}

/** The best encoding that the client accepts; `q=0` means no. */
export function chooseEncoding(accepted: string | string[] | undefined): Encoding {
  const parts = String(accepted ?? '')
    .toLowerCase()
    .split(',')
    .map((part) => part.trim().split(/\s*;\s*q=/))
  const takes = (name: string) => parts.some(([given, quality]) => given === name && Number(quality ?? 1) > 0)
  return takes('br') ? 'br' : takes('gzip') ? 'gzip' : 'identity'
}

function getEncodedBody({ bodies }: CachedPage, encoding: Encoding): Promise<Buffer> {
  const known = bodies.get(encoding)
  if (known) return known
  const made = (bodies.get('identity') ?? Promise.resolve(Buffer.alloc(0))).then(COMPRESSORS[encoding])
  bodies.set(encoding, made)
  return made
}

const matchesEtag = (header: string | undefined, tag: string) =>
  header?.split(',').some((part) => part.trim().replace(/^W\//, '') === tag) ?? false

export async function sendCachedPage(request: FastifyRequest, reply: FastifyReply, kept: CachedPage) {
  const { page } = kept
  const encoding = chooseEncoding(request.headers['accept-encoding'])
  const tag = `"${kept.tag}-${encoding}"`
  reply.headers({ 'cache-control': 'no-cache', vary: 'accept-encoding', ...page.headers })
  if (page.status === 200) {
    reply.header('etag', tag)
    if (matchesEtag(request.headers['if-none-match'], tag)) return reply.code(304).send()
  }
  if (encoding !== 'identity') reply.header('content-encoding', encoding)
  return reply.code(page.status).send(await getEncodedBody(kept, encoding))
}

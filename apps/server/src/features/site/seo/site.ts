import { and, eq, sql } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import { loadSiteRevision, SITE_OWNER_ID } from '../../../core/site-owner.ts'
import type { Db } from '../../../db/client.ts'
import { redirects, seoRecords } from '../../../db/schema/index.ts'
import type { Deps } from '../../../deps.ts'
import type { SiteState, SiteStateProvider } from '../../../http/pages.ts'
import { listPublishedPages } from './known-pages.ts'

export function createSite(app: FastifyInstance): SiteStateProvider {
  const hits = createHitCounter(app.deps)
  app.addHook('onClose', () => hits.flush())
  return { current: createSiteState(app.deps.db), count: hits.count }
}

const FLUSH_INTERVAL_MS = 3000

/** Counts who followed a redirect, without making anybody wait: written every few seconds, together. */
function createHitCounter({ db, log }: Pick<Deps, 'db' | 'log'>) {
  const counts = new Map<string, number>()
  let timer: NodeJS.Timeout | undefined
  async function write() {
    timer = undefined
    const waiting = [...counts]
    counts.clear()
    for (const [id, hits] of waiting)
      await db
        .update(redirects)
        .set({ hits: sql`${redirects.hits} + ${hits}`, lastHitAt: new Date() })
        .where(and(eq(redirects.companyId, SITE_OWNER_ID), eq(redirects.id, id)))
        .catch((err: unknown) => log.warn({ err }, 'redirect hits lost'))
  }
  return {
    count(id: string) {
      counts.set(id, (counts.get(id) ?? 0) + 1)
      timer ??= setTimeout(write, FLUSH_INTERVAL_MS).unref()
    },
    async flush() {
      clearTimeout(timer)
      await write()
    },
  }
}

/** How long a process believes what it last read: what an editor publishes is live within a second. */
const MAX_STATE_AGE_MS = 500
/** A database that does not answer keeps no reader waiting longer than this. */
const READ_TIMEOUT_MS = 250

/** A page that is published wins over a redirect made when there was none. */
async function loadRedirects(db: Db): Promise<SiteState['redirects']> {
  const rows = await db.select().from(redirects).where(eq(redirects.companyId, SITE_OWNER_ID))
  if (!rows.length) return new Map()
  const taken = new Set((await listPublishedPages(db)).map(({ path }) => path))
  return new Map(rows.filter(({ from }) => !taken.has(from)).map(({ from, ...row }) => [from, row]))
}

async function loadState(db: Db, revision: number): Promise<SiteState> {
  const records = await db.select().from(seoRecords).where(eq(seoRecords.companyId, SITE_OWNER_ID))
  return {
    revision,
    redirects: await loadRedirects(db),
    records: new Map(records.map((row) => [row.path, row])),
  }
}

const wait = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds).unref())

/** What the public pages depend on beside their own data, read again only when the site's revision has changed. */
function createSiteState(db: Db, now = Date.now) {
  let state: SiteState = { revision: undefined, redirects: new Map(), records: new Map() }
  let readAt = Number.NEGATIVE_INFINITY
  let reading: Promise<void> | undefined
  const read = async () => {
    try {
      const revision = await loadSiteRevision(db)
      if (revision !== state.revision) state = await loadState(db, revision)
    } catch {
      state = { ...state, revision: undefined }
    }
    readAt = now()
    reading = undefined
  }
  return async (): Promise<SiteState> => {
    if (now() - readAt >= MAX_STATE_AGE_MS) {
      reading ??= read()
      await Promise.race([reading, wait(READ_TIMEOUT_MS)])
    }
    return state
  }
}

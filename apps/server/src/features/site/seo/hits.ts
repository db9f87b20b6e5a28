import { and, eq, sql } from 'drizzle-orm'
import { SITE_OWNER_ID } from '../../../core/site-company.ts'
import { redirects } from '../../../db/schema/index.ts'
import type { Deps } from '../../../deps.ts'

const FLUSH_INTERVAL_MS = 3000

/** Counts who followed a redirect, without making anybody wait: written every few seconds, together. */
export function createHitCounter({ db, log }: Pick<Deps, 'db' | 'log'>) {
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

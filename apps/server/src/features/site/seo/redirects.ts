import type { ListQuery } from '@voisol/contract/primitives'
import type { Redirect } from '@voisol/contract/seo'
import { and, count, eq, sql } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import { loadSiteOwnerId, SITE_OWNER_ID } from '../../../core/site-owner.ts'
import type { Db } from '../../../db/client.ts'
import { buildOrderBy, matchesSearchWords, toLimitOffset } from '../../../db/list-query.ts'
import { redirects } from '../../../db/schema/index.ts'
import { recordEvent } from '../../../events/events.ts'
import { AppError, fieldError } from '../../../http/errors.ts'
import { listKnownPages } from './known-pages.ts'
import { normalizePath } from './seo-records.ts'

type Row = typeof redirects.$inferSelect
const NBSP = '\u00a0'

const toRedirect = (row: Row): Redirect => ({
  ...row,
  lastHitAt: row.lastHitAt?.toISOString() ?? null,
  createdAt: row.createdAt.toISOString(),
})

export async function listRedirects(db: Db, query: ListQuery) {
  const where = and(eq(redirects.companyId, SITE_OWNER_ID), matchesSearchWords(query.q, [redirects.from, redirects.to]))
  const columns = { from: redirects.from, to: redirects.to, hits: redirects.hits, createdAt: redirects.createdAt }
  const { limit, offset } = toLimitOffset(query)
  const order = [buildOrderBy(query.sort, columns, 'from'), redirects.id] as const
  const rows = await db
    .select()
    .from(redirects)
    .where(where)
    .orderBy(...order)
    .limit(limit)
    .offset(offset)
  const [sum] = await db.select({ total: count() }).from(redirects).where(where)
  return { items: rows.map(toRedirect), total: sum?.total ?? 0 }
}

/** Whoever follows one arrives: no loop, no second leap, no address that is already a page. */
function requireNoChain(rows: Row[], from: string, to: string) {
  if (from === to) throw fieldError('to', 'Une adresse ne peut pas mener à elle-même.')
  const same = rows.find((row) => row.from === from)
  if (same)
    throw fieldError('from', `${from} mène déjà à ${same.to}${NBSP}: supprimez d’abord cette redirection.`, 'conflict')
  const next = rows.find((row) => row.from === to)
  if (next?.to === from)
    throw fieldError('to', `${to} mène déjà à ${from}${NBSP}: les deux adresses se renverraient l’une à l’autre.`)
  if (next) throw fieldError('to', `${to} mène déjà à ${next.to}${NBSP}: indiquez ${next.to} comme adresse d’arrivée.`)
  const earlier = rows.find((row) => row.to === from)
  if (earlier)
    throw fieldError(
      'from',
      `${earlier.from} mène à cette adresse${NBSP}: faites d’abord mener ${earlier.from} à ${to}, puis ajoutez celle-ci.`,
    )
}

async function requireRedirectablePaths(app: FastifyInstance, db: Db, from: string, to: string) {
  const pages = new Set((await listKnownPages(db, app.web)).map(({ path }) => path))
  const screens = new Set(app.web?.screenPaths)
  if (pages.has(from) || screens.has(from))
    throw fieldError('from', `Il y a une page à l’adresse ${from}${NBSP}: une redirection la cacherait.`)
  if (/^\/(?:api|assets|dev)(?:\/|$)/.test(from) || app.hasRoute({ method: 'GET', url: from }))
    throw fieldError('from', `L’adresse ${from} sert au fonctionnement du site.`)
  // Without the built pages only what was published is known: an address cannot be said to be missing.
  if (app.web && !pages.has(to) && !screens.has(to)) throw fieldError('to', `Il n’y a pas de page à l’adresse ${to}.`)
}

export async function addRedirect(
  app: FastifyInstance,
  tx: Db,
  input: { from: string; to: string; permanent: boolean },
) {
  const [from, to] = [normalizePath(input.from), normalizePath(input.to)]
  // Held until the end: two redirects added at once would not see one another.
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended('redirects', 0))`)
  requireNoChain(await tx.select().from(redirects).where(eq(redirects.companyId, SITE_OWNER_ID)), from, to)
  await requireRedirectablePaths(app, tx, from, to)
  const [row] = await tx
    .insert(redirects)
    .values({ companyId: await loadSiteOwnerId(tx), from, to, permanent: input.permanent })
    .returning()
  if (!row) throw new AppError('conflict')
  await recordEvent(tx, { companyId: row.companyId, name: 'redirect.added', object: row.id, data: { path: from } })
  return toRedirect(row)
}

export async function removeRedirect(tx: Db, id: string) {
  const [row] = await tx
    .delete(redirects)
    .where(and(eq(redirects.companyId, SITE_OWNER_ID), eq(redirects.id, id)))
    .returning()
  if (!row) throw new AppError('not-found')
  await recordEvent(tx, {
    companyId: row.companyId,
    name: 'redirect.removed',
    object: row.id,
    data: { path: row.from },
  })
  return row
}

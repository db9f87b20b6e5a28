import type { ParsedInput } from '@voisol/contract/endpoint'
import type { requests as endpoints, SiteRequest } from '@voisol/contract/requests'
import { and, asc, count, eq, sql } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import { buildOrderBy, matchesSearchWords, toLimitOffset } from '../../../db/list.ts'
import { requests } from '../../../db/schema/index.ts'
import type { Actor } from '../../../http/actor.ts'
import type { RequestRow } from './keep.ts'
import { requestScope } from './scope.ts'

type Query = ParsedInput<typeof endpoints.list>['query']

/** From what is to be done to what is over. */
const statusOrder = sql`array_position(array['new', 'in-progress', 'answered', 'closed'], ${requests.status})`
const SORTS = {
  createdAt: requests.createdAt,
  kind: requests.kind,
  status: statusOrder,
  name: sql`fold(concat_ws(' ', ${requests.lastName}, ${requests.firstName}))`,
  email: requests.email,
  company: sql`fold(${requests.company})`,
  subject: sql`fold(${requests.subject})`,
  handledBy: sql`fold(${requests.handledBy})`,
  subscription: requests.subscription,
}

export const toSiteRequest = (row: RequestRow) => {
  const { companyId: _, about: _about, fingerprint: _print, answeredAt: _answered, ...shown } = row
  return { ...shown, createdAt: row.createdAt.toISOString() } as SiteRequest // kinds and states are those written here
}

const buildRequestFilter = (actor: Actor, { q, kind, status }: Query) => {
  const { firstName, lastName, email, phone, company, subject, message } = requests
  return and(
    requestScope(actor),
    kind && eq(requests.kind, kind),
    status && eq(requests.status, status),
    matchesSearchWords(q, [firstName, lastName, email, phone, company, subject, message]),
  )
}
const getRequestOrder = (sort: string | undefined) =>
  [buildOrderBy(sort, SORTS, '-createdAt'), asc(requests.id)] as const

export async function listRequests(db: Db, actor: Actor, query: Query) {
  const where = buildRequestFilter(actor, query)
  const { limit, offset } = toLimitOffset(query)
  const rows = await db
    .select()
    .from(requests)
    .where(where)
    .orderBy(...getRequestOrder(query.sort))
    .limit(limit)
    .offset(offset)
  const [all] = await db.select({ n: count() }).from(requests).where(where)
  return { items: rows.map(toSiteRequest), total: all?.n ?? 0 }
}

/** The same in the same order, without pages. */
export const listAllRequests = async (db: Db, actor: Actor, query: Query) =>
  (
    await db
      .select()
      .from(requests)
      .where(buildRequestFilter(actor, query))
      .orderBy(...getRequestOrder(query.sort))
  ).map(toSiteRequest)

import type { Parsed } from '@voisol/contract/endpoint'
import type { requests as endpoints, SiteRequest } from '@voisol/contract/requests'
import { and, asc, count, eq, sql } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import { matches, orderBy, pageOf } from '../../../db/list.ts'
import { requests } from '../../../db/schema/index.ts'
import type { Actor } from '../../../http/actor.ts'
import type { RequestRow } from './keep.ts'
import { requestScope } from './scope.ts'

type Query = Parsed<typeof endpoints.list>['query']

/** From what is to be done to what is over. */
const stage = sql`array_position(array['new', 'in-progress', 'answered', 'closed'], ${requests.status})`
const SORTS = {
  createdAt: requests.createdAt,
  kind: requests.kind,
  status: stage,
  name: sql`fold(concat_ws(' ', ${requests.lastName}, ${requests.firstName}))`,
  email: requests.email,
  company: sql`fold(${requests.company})`,
  subject: sql`fold(${requests.subject})`,
  handledBy: sql`fold(${requests.handledBy})`,
  subscription: requests.subscription,
}

export const toRequest = (row: RequestRow) => {
  const { companyId: _, about: _about, fingerprint: _print, answeredAt: _answered, ...shown } = row
  return { ...shown, createdAt: row.createdAt.toISOString() } as SiteRequest // kinds and states are those written here
}

const filtered = (actor: Actor, { q, kind, status }: Query) => {
  const { firstName, lastName, email, phone, company, subject, message } = requests
  return and(
    requestScope(actor),
    kind && eq(requests.kind, kind),
    status && eq(requests.status, status),
    matches(q, [firstName, lastName, email, phone, company, subject, message]),
  )
}
const ordered = (sort: string | undefined) => [orderBy(sort, SORTS, '-createdAt'), asc(requests.id)] as const

export async function listRequests(db: Db, actor: Actor, query: Query) {
  const where = filtered(actor, query)
  const { limit, offset } = pageOf(query)
  const rows = await db
    .select()
    .from(requests)
    .where(where)
    .orderBy(...ordered(query.sort))
    .limit(limit)
    .offset(offset)
  const [all] = await db.select({ n: count() }).from(requests).where(where)
  return { items: rows.map(toRequest), total: all?.n ?? 0 }
}

/** The same in the same order, without pages. */
export const allRequests = async (db: Db, actor: Actor, query: Query) =>
  (
    await db
      .select()
      .from(requests)
      .where(filtered(actor, query))
      .orderBy(...ordered(query.sort))
  ).map(toRequest)

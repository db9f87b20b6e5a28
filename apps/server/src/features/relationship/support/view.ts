import type { ParsedInput } from '@voisol/contract/endpoint'
import type { support as endpoints, Ticket, TicketRow } from '@voisol/contract/support'
import { and, count, desc, eq, type SQL } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import { buildOrderBy, matchesSearchWords, toLimitOffset } from '../../../db/list.ts'
import { tickets } from '../../../db/schema/index.ts'
import type { Actor } from '../../../http/actor.ts'
import { AppError } from '../../../http/errors.ts'
import { ownTicketScope } from './scope.ts'
import { listTicketMessages } from './thread.ts'

export type TicketRecord = typeof tickets.$inferSelect

export const toTicketRow = (row: TicketRecord): TicketRow => ({
  id: row.id,
  number: row.number,
  desk: row.desk,
  subject: row.subject,
  category: row.category,
  priority: row.priority,
  state: row.state,
  about: row.aboutKind && { kind: row.aboutKind, id: row.aboutId, day: row.aboutDay, label: row.aboutLabel },
  createdAt: row.createdAt.toISOString(),
  lastMessageAt: row.lastMessageAt.toISOString(),
  lastSide: row.lastSide,
  score: row.score,
  version: row.version,
})

const SORTS = { lastMessageAt: tickets.lastMessageAt, number: tickets.number, state: tickets.state }

export async function listOwnTickets(db: Db, actor: Actor, query: ParsedInput<typeof endpoints.list>['query']) {
  const where = and(
    ownTicketScope(actor),
    query.state && eq(tickets.state, query.state),
    matchesSearchWords(query.q, [tickets.subject, tickets.aboutLabel, tickets.number]),
  )
  const rows = await db
    .select()
    .from(tickets)
    .where(where)
    .orderBy(buildOrderBy(query.sort, SORTS, '-lastMessageAt'), desc(tickets.number))
    .limit(toLimitOffset(query).limit)
    .offset(toLimitOffset(query).offset)
  const [sum] = await db.select({ total: count() }).from(tickets).where(where)
  return { items: rows.map(toTicketRow), total: sum?.total ?? 0 }
}

/** In reach, or unknown; locked where it is about to be changed, once its company is known: Citus locks within one alone. */
export async function loadTicket(db: Db, scope: SQL | undefined, id: string, lock = false): Promise<TicketRecord> {
  const wanted = and(scope, eq(tickets.id, id))
  const [found] = await db.select().from(tickets).where(wanted)
  if (!found) throw new AppError('not-found')
  if (!lock) return found
  const here = and(eq(tickets.companyId, found.companyId), wanted)
  const [locked] = await db.select().from(tickets).where(here).for('update')
  if (!locked) throw new AppError('not-found')
  return locked
}

export async function loadMergedInto(db: Db, { companyId, mergedInto }: TicketRecord): Promise<Ticket['mergedInto']> {
  if (!mergedInto) return null
  const [into] = await db
    .select({ id: tickets.id, number: tickets.number })
    .from(tickets)
    .where(and(eq(tickets.companyId, companyId), eq(tickets.id, mergedInto)))
  return into ?? null
}

/** What the asker reads: neither what the desk notes, nor what others sent under their name. */
export async function loadOwnTicket(db: Db, actor: Actor, id: string): Promise<Ticket> {
  const row = await loadTicket(db, ownTicketScope(actor), id)
  const thread = await listTicketMessages(db, row, { held: false })
  return {
    ...toTicketRow(row),
    messages: thread.map(({ heldFrom: _, fromTicket: __, ...message }) => message),
    scoreWord: row.scoreWord,
    mergedInto: await loadMergedInto(db, row),
  }
}

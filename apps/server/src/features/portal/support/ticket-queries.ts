import type { ParsedInput } from '@voisol/contract/endpoint'
import { hasPermission } from '@voisol/contract/permissions'
import type { Attachment, support as endpoints, Ticket, TicketRow } from '@voisol/contract/support'
import type { SupportMessage } from '@voisol/contract/support-agents'
import type { SupportTeam } from '@voisol/contract/support-labels'
import { and, asc, count, desc, eq, inArray, isNull, or, type SQL } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import { buildOrderBy, matchesSearchWords, toLimitOffset } from '../../../db/list-query.ts'
import { files, ticketFiles, ticketMessages, tickets } from '../../../db/schema/index.ts'
import type { Actor } from '../../../http/actor.ts'
import { AppError } from '../../../http/errors.ts'

/** Whom one writes to: in the portal the organiser, in the back office the keeper of the installation. */
export const getDeskOfActor = ({ space }: Actor): SupportTeam => (space === 'portal' ? 'organiser' : 'keeper')

/** What one asked oneself, in the space that one is in. */
export const ownTicketScope = (actor: Actor): SQL | undefined =>
  and(
    eq(tickets.companyId, actor.companyId),
    eq(tickets.askerId, actor.userId),
    eq(tickets.desk, getDeskOfActor(actor)),
  )

/** What the participants of one's company asked; for the keeper of the installation, what organisers asked as well. */
export const deskScope = (actor: Actor): SQL | undefined =>
  or(
    and(eq(tickets.companyId, actor.companyId), eq(tickets.desk, 'organiser')),
    canManageInstallationSupport(actor) ? eq(tickets.desk, 'keeper') : undefined,
  )

/** Outside the company that keeps the installation the right does not exist. */
export const canManageInstallationSupport = (actor: Actor) => actor.keepsSite && hasPermission(actor, 'support.keep')

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

type TicketRef = { companyId: number; id: string }

async function loadAttachmentsByMessage(
  db: Db,
  companyId: number,
  messageIds: string[],
): Promise<Map<string, Attachment[]>> {
  const found = new Map<string, Attachment[]>()
  if (!messageIds.length) return found
  const rows = await db
    .select({ messageId: ticketFiles.messageId, id: ticketFiles.id, file: files })
    .from(ticketFiles)
    .innerJoin(files, and(eq(files.companyId, ticketFiles.companyId), eq(files.id, ticketFiles.fileId)))
    .where(and(eq(ticketFiles.companyId, companyId), inArray(ticketFiles.messageId, messageIds)))
    .orderBy(asc(ticketFiles.createdAt), asc(ticketFiles.id))
  for (const { messageId, id, file } of rows) {
    const { name, mediaType, size } = file
    found.set(messageId ?? '', [...(found.get(messageId ?? '') ?? []), { id, name, mediaType, size }])
  }
  return found
}

/** The messages of a ticket in their order; with those that wait to be let in, for the desk alone. */
export async function listTicketMessages(
  db: Db,
  { companyId, id }: TicketRef,
  { held }: { held: boolean },
): Promise<SupportMessage[]> {
  const rows = await db
    .select({ message: ticketMessages, fromTicket: tickets.number })
    .from(ticketMessages)
    .leftJoin(tickets, and(eq(tickets.companyId, ticketMessages.companyId), eq(tickets.id, ticketMessages.writtenIn)))
    .where(
      and(
        eq(ticketMessages.companyId, companyId),
        eq(ticketMessages.ticketId, id),
        held ? undefined : isNull(ticketMessages.heldFrom),
      ),
    )
    .orderBy(asc(ticketMessages.createdAt), asc(ticketMessages.id))
  const attached = await loadAttachmentsByMessage(
    db,
    companyId,
    rows.map(({ message }) => message.id),
  )
  return rows.map(({ message, fromTicket }) => ({
    id: message.id,
    side: message.side,
    author: message.author,
    body: message.body,
    source: message.source,
    heldFrom: message.heldFrom,
    fromTicket,
    files: attached.get(message.id) ?? [],
    createdAt: message.createdAt.toISOString(),
  }))
}

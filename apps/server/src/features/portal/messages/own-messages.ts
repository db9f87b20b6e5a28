import type { OwnMessage } from '@voisol/contract/messages'
import { and, count, desc, eq, isNull } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import { toLimitOffset } from '../../../db/list-query.ts'
import { messageRecipients, messages } from '../../../db/schema/index.ts'
import type { Actor } from '../../../http/actor.ts'
import { AppError } from '../../../http/errors.ts'
import { continueTicket, openTicket } from '../support/index.ts'
import { ownMessageScope } from './message-queries.ts'

const messageJoin = and(
  eq(messages.companyId, messageRecipients.companyId),
  eq(messages.id, messageRecipients.messageId),
)
type Recipient = typeof messageRecipients.$inferSelect

const toOwnMessage = (row: Recipient, author: string): OwnMessage => ({
  id: row.messageId,
  subject: row.subject,
  body: row.body,
  author,
  sentAt: row.createdAt.toISOString(),
  openedAt: row.openedAt?.toISOString() ?? null,
  ticketId: row.ticketId,
})

/** Reading the list does not mark messages as opened: the browser reports which one was shown. */
export async function listOwnMessages(db: Db, actor: Actor, query: { page: number; size: number }) {
  const { limit, offset } = toLimitOffset(query)
  const rows = await db
    .select({ row: messageRecipients, author: messages.author })
    .from(messageRecipients)
    .innerJoin(messages, messageJoin)
    .where(ownMessageScope(actor))
    .orderBy(desc(messageRecipients.createdAt), desc(messageRecipients.messageId))
    .limit(limit)
    .offset(offset)
  const countMessages = (more?: ReturnType<typeof isNull>) =>
    db
      .select({ n: count() })
      .from(messageRecipients)
      .where(and(ownMessageScope(actor), more))
      .then(([row]) => row?.n ?? 0)
  return {
    items: rows.map(({ row, author }) => toOwnMessage(row, author)),
    total: await countMessages(),
    unread: await countMessages(isNull(messageRecipients.openedAt)),
  }
}

/** A user who is holder of two participants gets two copies: both are theirs. */
async function lockOwnCopies(tx: Db, actor: Actor, id: string): Promise<[Recipient, ...Recipient[]]> {
  const [first, ...others] = await tx
    .select()
    .from(messageRecipients)
    .where(and(ownMessageScope(actor), eq(messageRecipients.messageId, id)))
    .orderBy(messageRecipients.participantId)
    .for('update')
  if (!first) throw new AppError('not-found')
  return [first, ...others]
}
const isOwnCopy = (actor: Actor, id: string) => and(ownMessageScope(actor), eq(messageRecipients.messageId, id))

async function loadAuthor(tx: Db, { companyId }: Actor, id: string): Promise<string> {
  const [row] = await tx
    .select({ author: messages.author })
    .from(messages)
    .where(and(eq(messages.companyId, companyId), eq(messages.id, id)))
  return row?.author ?? ''
}

/** Marks the message as opened; only the first time counts. */
export async function markOwnMessageOpened(tx: Db, actor: Actor, id: string): Promise<OwnMessage> {
  const [row] = await lockOwnCopies(tx, actor, id)
  const openedAt = row.openedAt ?? new Date()
  await tx
    .update(messageRecipients)
    .set({ openedAt })
    .where(and(isOwnCopy(actor, id), isNull(messageRecipients.openedAt)))
  return toOwnMessage({ ...row, openedAt }, await loadAuthor(tx, actor, id))
}

/** Opens a ticket with the organiser; a second answer goes to the same ticket. */
export async function answerOwnMessage(tx: Db, actor: Actor, id: string, body: string): Promise<{ ticketId: string }> {
  const [row] = await lockOwnCopies(tx, actor, id)
  if (row.ticketId) {
    await continueTicket(tx, actor, row.ticketId, { body, fileIds: [] })
    return { ticketId: row.ticketId }
  }
  const subject = `Réponse\u00a0: ${row.subject}`.slice(0, 150)
  const ticket = await openTicket(tx, actor, { subject, category: 'other', body, about: null, fileIds: [] })
  await tx
    .update(messageRecipients)
    .set({ ticketId: ticket.id, openedAt: row.openedAt ?? new Date() })
    .where(isOwnCopy(actor, id))
  return { ticketId: ticket.id }
}

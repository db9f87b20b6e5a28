import type { NewSupportMessage, NewTicket, Ticket } from '@voisol/contract/support'
import { and, eq, max, sql } from 'drizzle-orm'
import type { z } from 'zod'
import { recordEvent } from '../../../core/events.ts'
import { hasPrioritySupport } from '../../../core/plan.ts'
import type { Db } from '../../../db/client.ts'
import { ticketMessages, tickets } from '../../../db/schema/index.ts'
import { type Actor, formatActorName } from '../../../http/actor.ts'
import { AppError, fieldError } from '../../../http/errors.ts'
import { normalizePlainText, requireSingleLine } from '../../../plain-text.ts'
import { requireTicketSubject } from './about.ts'
import { attachFilesToMessage } from './attachments.ts'
import { pauseTicketClock, resumeTicketClock, startTicketClock } from './clock.ts'
import { loadTicketHours } from './hours.ts'
import { getDeskOfActor, ownTicketScope } from './scope.ts'
import { loadOwnTicket, loadTicket, type TicketRecord } from './view.ts'

type Values = typeof ticketMessages.$inferInsert
export type NewTicketMessage = Pick<Values, 'side' | 'author' | 'body'> & Partial<Values>

/** What is typed must say something. */
export function requireMessageText(text: string): string {
  const body = normalizePlainText(text)
  if (!body) throw fieldError('body', 'Écrivez votre message.')
  return body
}

export const isSameTicket = ({ companyId, id }: Pick<TicketRecord, 'companyId' | 'id'>) =>
  and(eq(tickets.companyId, companyId), eq(tickets.id, id))

/** One after the other: two questions at once have two numbers. */
async function allocateTicketNumber(tx: Db, companyId: number): Promise<number> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`tickets ${companyId}`}, 0))`)
  const [row] = await tx
    .select({ last: max(tickets.number) })
    .from(tickets)
    .where(eq(tickets.companyId, companyId))
  return (row?.last ?? 0) + 1
}

export async function insertTicketMessage(
  tx: Db,
  ticket: Pick<TicketRecord, 'companyId' | 'id'>,
  written: NewTicketMessage,
) {
  const { companyId, id: ticketId } = ticket
  const [row] = await tx
    .insert(ticketMessages)
    .values({ ...written, companyId, ticketId })
    .returning()
  if (!row) throw new AppError('internal')
  return row
}

export async function openTicket(tx: Db, actor: Actor, input: z.output<typeof NewTicket>): Promise<Ticket> {
  const { companyId, userId: askerId } = actor
  const desk = getDeskOfActor(actor)
  const body = requireMessageText(input.body)
  const subject = requireSingleLine('subject', input.subject)
  const about = await requireTicketSubject(tx, actor, input.about)
  const createdAt = new Date()
  // Organisers write to the keeper, from whom priority is bought.
  const priority = desk === 'keeper' && (await hasPrioritySupport(tx, companyId)) ? 'high' : 'normal'
  const promised = startTicketClock(createdAt, priority, await loadTicketHours(tx, { companyId, desk }))
  const number = await allocateTicketNumber(tx, companyId)
  const [row] = await tx
    .insert(tickets)
    .values({
      companyId,
      number,
      desk,
      askerId,
      subject,
      category: input.category,
      priority,
      createdAt,
      lastMessageAt: createdAt,
      ...about,
      ...promised,
    })
    .returning()
  if (!row) throw new AppError('internal')
  const author = formatActorName(actor)
  const message = await insertTicketMessage(tx, row, { side: 'asker', author, authorId: askerId, body, createdAt })
  await attachFilesToMessage(tx, message, askerId, input.fileIds)
  await recordEvent(tx, { companyId, name: 'ticket.opened', object: row.id, data: { ticketId: row.id, desk } })
  return loadOwnTicket(tx, actor, row.id)
}

/** How a ticket stands once its asker has written: nothing that was over stays over. */
export async function registerAskerMessage(tx: Db, ticket: TicketRecord, at: Date, messageId: string): Promise<void> {
  const running = resumeTicketClock(ticket, at, await loadTicketHours(tx, ticket))
  const { companyId, desk, id } = ticket
  await tx
    .update(tickets)
    .set({
      ...running,
      state: ticket.state === 'new' ? 'new' : 'open',
      solvedAt: null,
      lastMessageAt: at,
      lastSide: 'asker',
      version: ticket.version + 1,
    })
    .where(isSameTicket(ticket))
  await recordEvent(tx, { companyId, name: 'ticket.continued', object: id, data: { ticketId: id, desk, messageId } })
}

const lockOpenTicket = async (tx: Db, actor: Actor, id: string) => {
  const ticket = await loadTicket(tx, ownTicketScope(actor), id, true)
  if (!ticket.mergedInto) return ticket
  throw new AppError('conflict', { message: 'Cette demande a été réunie à une autre\u00a0: écrivez dans celle-ci.' })
}

export async function continueTicket(tx: Db, actor: Actor, id: string, input: z.output<typeof NewSupportMessage>) {
  const ticket = await lockOpenTicket(tx, actor, id)
  const body = requireMessageText(input.body)
  const at = new Date()
  const by = { authorId: actor.userId, author: formatActorName(actor) }
  const message = await insertTicketMessage(tx, ticket, { side: 'asker', ...by, body, createdAt: at })
  await attachFilesToMessage(tx, message, actor.userId, input.fileIds)
  await registerAskerMessage(tx, ticket, at, message.id)
  return loadOwnTicket(tx, actor, id)
}

/** The asker has what they need: whoever answers need not say so. */
export async function solveOwnTicket(tx: Db, actor: Actor, id: string): Promise<Ticket> {
  const ticket = await lockOpenTicket(tx, actor, id)
  if (ticket.state === 'solved' || ticket.state === 'closed') return loadOwnTicket(tx, actor, id)
  const at = new Date()
  const stopped = pauseTicketClock(ticket, at, await loadTicketHours(tx, ticket))
  await tx
    .update(tickets)
    .set({ ...stopped, state: 'solved', solvedAt: at, version: ticket.version + 1 })
    .where(isSameTicket(ticket))
  const { companyId, desk } = ticket
  await recordEvent(tx, { companyId, name: 'ticket.solved', object: id, data: { ticketId: id, desk, by: 'asker' } })
  return loadOwnTicket(tx, actor, id)
}

export async function rateTicket(tx: Db, actor: Actor, id: string, { score, word }: { score: number; word: string }) {
  const ticket = await lockOpenTicket(tx, actor, id)
  if (ticket.state !== 'solved' && ticket.state !== 'closed')
    throw new AppError('conflict', { message: 'On note une réponse une fois la demande résolue.' })
  await tx
    .update(tickets)
    .set({ score, scoreWord: normalizePlainText(word), scoredAt: new Date(), version: ticket.version + 1 })
    .where(isSameTicket(ticket))
  return loadOwnTicket(tx, actor, id)
}

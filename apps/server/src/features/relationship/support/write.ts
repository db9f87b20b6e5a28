import type { NewMessage, NewTicket, Ticket } from '@voisol/contract/support'
import { and, eq, max, sql } from 'drizzle-orm'
import type { z } from 'zod'
import { record } from '../../../core/events.ts'
import { hasPriority } from '../../../core/plan.ts'
import type { Db } from '../../../db/client.ts'
import { ticketMessages, tickets } from '../../../db/schema/index.ts'
import { type Actor, nameOfActor } from '../../../http/actor.ts'
import { AppError, fieldError } from '../../../http/errors.ts'
import { plainText, requiredLine } from '../../../plain-text.ts'
import { requireAbout } from './about.ts'
import { takeFiles } from './attachments.ts'
import { paused, resumed, started } from './clock.ts'
import { hoursOf } from './hours.ts'
import { deskOf, mineScope } from './scope.ts'
import { findTicket, readMine, type TicketRecord } from './view.ts'

type Values = typeof ticketMessages.$inferInsert
export type Written = Pick<Values, 'side' | 'author' | 'body'> & Partial<Values>

/** What is typed must say something. */
export function requiredText(text: string): string {
  const body = plainText(text)
  if (!body) throw fieldError('body', 'Écrivez votre message.')
  return body
}

export const ofTicket = ({ companyId, id }: Pick<TicketRecord, 'companyId' | 'id'>) =>
  and(eq(tickets.companyId, companyId), eq(tickets.id, id))

/** One after the other: two questions at once have two numbers. */
async function nextNumber(tx: Db, companyId: number): Promise<number> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`tickets ${companyId}`}, 0))`)
  const [row] = await tx
    .select({ last: max(tickets.number) })
    .from(tickets)
    .where(eq(tickets.companyId, companyId))
  return (row?.last ?? 0) + 1
}

export async function addMessage(tx: Db, ticket: Pick<TicketRecord, 'companyId' | 'id'>, written: Written) {
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
  const desk = deskOf(actor)
  const body = requiredText(input.body)
  const subject = requiredLine('subject', input.subject)
  const about = await requireAbout(tx, actor, input.about)
  const createdAt = new Date()
  // Organisers write to the keeper, from whom priority is bought.
  const priority = desk === 'keeper' && (await hasPriority(tx, companyId)) ? 'high' : 'normal'
  const promised = started(createdAt, priority, await hoursOf(tx, { companyId, desk }))
  const number = await nextNumber(tx, companyId)
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
  const author = nameOfActor(actor)
  const message = await addMessage(tx, row, { side: 'asker', author, authorId: askerId, body, createdAt })
  await takeFiles(tx, message, askerId, input.fileIds)
  await record(tx, { companyId, name: 'ticket.opened', object: row.id, data: { ticketId: row.id, desk } })
  return readMine(tx, actor, row.id)
}

/** How a ticket stands once its asker has written: nothing that was over stays over. */
export async function continued(tx: Db, ticket: TicketRecord, at: Date, messageId: string): Promise<void> {
  const running = resumed(ticket, at, await hoursOf(tx, ticket))
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
    .where(ofTicket(ticket))
  await record(tx, { companyId, name: 'ticket.continued', object: id, data: { ticketId: id, desk, messageId } })
}

const open = async (tx: Db, actor: Actor, id: string) => {
  const ticket = await findTicket(tx, mineScope(actor), id, true)
  if (!ticket.mergedInto) return ticket
  throw new AppError('conflict', { message: 'Cette demande a été réunie à une autre\u00a0: écrivez dans celle-ci.' })
}

export async function continueTicket(tx: Db, actor: Actor, id: string, input: z.output<typeof NewMessage>) {
  const ticket = await open(tx, actor, id)
  const body = requiredText(input.body)
  const at = new Date()
  const by = { authorId: actor.userId, author: nameOfActor(actor) }
  const message = await addMessage(tx, ticket, { side: 'asker', ...by, body, createdAt: at })
  await takeFiles(tx, message, actor.userId, input.fileIds)
  await continued(tx, ticket, at, message.id)
  return readMine(tx, actor, id)
}

/** The asker has what they need: whoever answers need not say so. */
export async function solveMine(tx: Db, actor: Actor, id: string): Promise<Ticket> {
  const ticket = await open(tx, actor, id)
  if (ticket.state === 'solved' || ticket.state === 'closed') return readMine(tx, actor, id)
  const at = new Date()
  const stopped = paused(ticket, at, await hoursOf(tx, ticket))
  await tx
    .update(tickets)
    .set({ ...stopped, state: 'solved', solvedAt: at, version: ticket.version + 1 })
    .where(ofTicket(ticket))
  const { companyId, desk } = ticket
  await record(tx, { companyId, name: 'ticket.solved', object: id, data: { ticketId: id, desk, by: 'asker' } })
  return readMine(tx, actor, id)
}

export async function rate(tx: Db, actor: Actor, id: string, { score, word }: { score: number; word: string }) {
  const ticket = await open(tx, actor, id)
  if (ticket.state !== 'solved' && ticket.state !== 'closed')
    throw new AppError('conflict', { message: 'On note une réponse une fois la demande résolue.' })
  await tx
    .update(tickets)
    .set({ score, scoreWord: plainText(word), scoredAt: new Date(), version: ticket.version + 1 })
    .where(ofTicket(ticket))
  return readMine(tx, actor, id)
}

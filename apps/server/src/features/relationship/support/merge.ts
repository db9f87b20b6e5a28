import type { SupportTicket } from '@voisol/contract/support-desk'
import { and, eq, isNull } from 'drizzle-orm'
import { recordEvent } from '../../../core/events.ts'
import type { Db } from '../../../db/client.ts'
import { ticketMessages, tickets } from '../../../db/schema/index.ts'
import type { Actor } from '../../../http/actor.ts'
import { AppError, fieldError } from '../../../http/errors.ts'
import { deleteMessageFiles } from './attachments.ts'
import { pauseTicketClock, resumeTicketClock } from './clock.ts'
import { withLockedTicket, writeInTicketCompany } from './desk.ts'
import { loadDeskTicket } from './desk-view.ts'
import { loadTicketHours } from './hours.ts'
import { FINISHED_TICKET_STATES } from './queue.ts'
import { deskScope } from './scope.ts'
import { loadTicket, type TicketRecord } from './view.ts'
import { isSameTicket, registerAskerMessage } from './write.ts'

/** Two of one asker: the messages of somebody else are never shown to them. */
function requireMergeable(from: TicketRecord, into: TicketRecord) {
  if (from.id === into.id) throw fieldError('into', 'Choisissez une autre demande que celle-ci.')
  if (from.companyId !== into.companyId || from.askerId !== into.askerId || from.desk !== into.desk)
    throw fieldError('into', 'On ne réunit que deux demandes de la même personne.')
  if (from.mergedInto || into.mergedInto)
    throw fieldError('into', 'L’une de ces demandes a déjà été réunie à une autre.')
}

/** Always in the same order: two who put the same two together do not wait for each other in a ring. */
async function lockTicketPair(tx: Db, actor: Actor, id: string, intoId: string) {
  const found = new Map<string, TicketRecord>()
  for (const one of [id, intoId].toSorted()) found.set(one, await loadTicket(tx, deskScope(actor), one, true))
  const [from, into] = [found.get(id), found.get(intoId)]
  if (!from || !into) throw new AppError('not-found')
  return { from, into }
}

async function moveMessages(tx: Db, { companyId, id }: TicketRecord, intoId: string) {
  const ofFirst = and(eq(ticketMessages.companyId, companyId), eq(ticketMessages.ticketId, id))
  const first = and(ofFirst, isNull(ticketMessages.writtenIn))
  await tx.update(ticketMessages).set({ writtenIn: id }).where(first)
  await tx.update(ticketMessages).set({ ticketId: intoId }).where(ofFirst)
}

async function storeMerge(tx: Db, from: TicketRecord, into: TicketRecord) {
  const { companyId, desk, id } = from
  const at = new Date()
  const hours = await loadTicketHours(tx, from)
  await moveMessages(tx, from, into.id)
  await tx
    .update(tickets)
    .set({ ...pauseTicketClock(from, at, hours), state: 'closed', mergedInto: into.id, version: from.version + 1 })
    .where(isSameTicket(from))
  const reopens = !FINISHED_TICKET_STATES.includes(from.state) && FINISHED_TICKET_STATES.includes(into.state)
  const { lastMessageAt, lastSide } = from.lastMessageAt > into.lastMessageAt ? from : into
  await tx
    .update(tickets)
    .set({
      ...(reopens && { ...resumeTicketClock(into, at, hours), state: 'open' as const, solvedAt: null }),
      lastMessageAt,
      lastSide,
      version: into.version + 1,
    })
    .where(isSameTicket(into))
  await recordEvent(tx, { companyId, name: 'ticket.merged', object: id, data: { ticketId: id, desk, intoId: into.id } })
}

/** Every message of the first goes to the second, which is open again if the first was. */
export async function mergeTickets(tx: Db, actor: Actor, id: string, intoId: string): Promise<SupportTicket> {
  const [first, second] = [await loadTicket(tx, deskScope(actor), id), await loadTicket(tx, deskScope(actor), intoId)]
  requireMergeable(first, second)
  await writeInTicketCompany(tx, actor, first.companyId, async () => {
    const { from, into } = await lockTicketPair(tx, actor, id, intoId)
    requireMergeable(from, into)
    await storeMerge(tx, from, into)
  })
  return loadDeskTicket(tx, actor, intoId)
}

/** A message by mail from somebody else: taken as the asker's, or thrown away with its files. */
export async function decideHeldMessage(
  tx: Db,
  actor: Actor,
  id: string,
  decision: 'accept' | 'drop',
): Promise<SupportTicket> {
  const [found] = await tx
    .select({ message: ticketMessages })
    .from(ticketMessages)
    .innerJoin(tickets, and(eq(tickets.companyId, ticketMessages.companyId), eq(tickets.id, ticketMessages.ticketId)))
    .where(and(deskScope(actor), eq(ticketMessages.id, id)))
  if (!found?.message.heldFrom) throw new AppError('not-found')
  const { companyId, ticketId } = found.message
  const mine = and(eq(ticketMessages.companyId, companyId), eq(ticketMessages.id, id))
  await withLockedTicket(tx, actor, ticketId, async (ticket) => {
    if (decision === 'drop') {
      await deleteMessageFiles(tx, companyId, id)
      await tx.delete(ticketMessages).where(mine)
      return
    }
    await tx.update(ticketMessages).set({ heldFrom: null }).where(mine)
    await registerAskerMessage(tx, ticket, new Date(), id)
  })
  return loadDeskTicket(tx, actor, ticketId)
}

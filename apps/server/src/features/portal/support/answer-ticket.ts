import type { SupportReplyInput, SupportTicket, TicketUpdate } from '@voisol/contract/support-agents'
import { and, eq, isNull } from 'drizzle-orm'
import type { z } from 'zod'
import { type Db, setWriteCompany } from '../../../db/client.ts'
import { ticketMessages, ticketNotes, tickets } from '../../../db/schema/index.ts'
import { recordEvent } from '../../../events/events.ts'
import { type Actor, formatActorName } from '../../../http/actor.ts'
import { AppError, fieldError } from '../../../http/errors.ts'
import { requireCurrentVersion } from '../../../http/record-version.ts'
import { FINISHED_TICKET_STATES, listDeskAgents, loadDeskTicket } from './agent-queries.ts'
import { attachFilesToMessage, deleteMessageFiles } from './attachments.ts'
import { insertTicketMessage, isSameTicket, registerAskerMessage, requireMessageText } from './open-ticket.ts'
import { loadTicketHours, pauseTicketClock, recomputeDeadlines, resumeTicketClock } from './support-hours.ts'
import { deskScope, loadTicket, type TicketRecord } from './ticket-queries.ts'

/** A ticket that the keeper answers is another company's: its rows are written there, and the rest of the call here. */
export async function writeInTicketCompany<T>(
  tx: Db,
  actor: Actor,
  companyId: number,
  work: () => Promise<T>,
): Promise<T> {
  if (companyId === actor.companyId) return work()
  await setWriteCompany(tx, companyId)
  const result = await work()
  await setWriteCompany(tx, actor.companyId)
  return result
}

/** Whether the clock runs in that state. */
const isClockRunning = (state: TicketRecord['state']) => state === 'new' || state === 'open'

type TicketStateName = TicketRecord['state']
async function computeStateChange(tx: Db, ticket: TicketRecord, state: TicketStateName, at: Date) {
  const hours = await loadTicketHours(tx, ticket)
  const solved = FINISHED_TICKET_STATES.includes(state) ? (ticket.solvedAt ?? at) : null
  return {
    state,
    solvedAt: solved,
    ...(isClockRunning(state) ? resumeTicketClock(ticket, at, hours) : pauseTicketClock(ticket, at, hours)),
  }
}

const requireNotMerged = ({ mergedInto }: TicketRecord) => {
  if (mergedInto) throw new AppError('conflict', { message: 'Cette demande a été réunie à une autre.' })
}

/** Locked where it lives: the database hands a row of another company to nobody who did not say whose they write. */
async function withLockedTicket<T>(
  tx: Db,
  actor: Actor,
  id: string,
  work: (ticket: TicketRecord) => Promise<T>,
): Promise<T> {
  const { companyId } = await loadTicket(tx, deskScope(actor), id)
  return writeInTicketCompany(tx, actor, companyId, async () => work(await loadTicket(tx, deskScope(actor), id, true)))
}

type AnswerTicketInput = z.output<typeof SupportReplyInput>

async function storeAnswer(
  tx: Db,
  actor: Actor,
  ticket: TicketRecord,
  { body: text, fileIds, leaves }: AnswerTicketInput,
) {
  requireNotMerged(ticket)
  const body = requireMessageText(text)
  const at = new Date()
  const { companyId, desk, id } = ticket
  const data = { ticketId: id, desk }
  const by = { authorId: actor.userId, author: formatActorName(actor) }
  const message = await insertTicketMessage(tx, ticket, { side: 'desk', ...by, body, createdAt: at })
  await attachFilesToMessage(tx, message, actor.userId, fileIds)
  await tx
    .update(tickets)
    .set({
      ...(await computeStateChange(tx, ticket, leaves, at)),
      firstAnswerAt: ticket.firstAnswerAt ?? at,
      assigneeId: ticket.assigneeId ?? actor.userId,
      lastMessageAt: at,
      lastSide: 'desk',
      version: ticket.version + 1,
    })
    .where(isSameTicket(ticket))
  await recordEvent(tx, { companyId, name: 'ticket.answered', object: id, data: { ...data, messageId: message.id } })
  if (leaves === 'solved' && !FINISHED_TICKET_STATES.includes(ticket.state))
    await recordEvent(tx, { companyId, name: 'ticket.solved', object: id, data: { ...data, by: 'answer' } })
}

export async function answerTicket(tx: Db, actor: Actor, id: string, input: AnswerTicketInput): Promise<SupportTicket> {
  await withLockedTicket(tx, actor, id, (ticket) => storeAnswer(tx, actor, ticket, input))
  return loadDeskTicket(tx, actor, id)
}

/** In the company of whoever notes it: the asker's never holds it. */
export async function addTicketNote(tx: Db, actor: Actor, id: string, text: string): Promise<SupportTicket> {
  const ticket = await loadTicket(tx, deskScope(actor), id)
  const body = requireMessageText(text)
  const author = formatActorName(actor)
  const about = { ticketCompanyId: ticket.companyId, ticketId: id }
  await tx.insert(ticketNotes).values({ companyId: actor.companyId, ...about, author, body })
  return loadDeskTicket(tx, actor, id)
}

async function requireAssignee(tx: Db, actor: Actor, assigneeId: string | null | undefined) {
  if (!assigneeId) return
  const people = await listDeskAgents(tx, actor)
  if (!people.some(({ id }) => id === assigneeId))
    throw fieldError('assigneeId', 'Cette personne ne peut pas répondre à cette demande. Choisissez-en une autre.')
}

type UpdateTicketInput = z.output<typeof TicketUpdate>

async function computeTicketChanges(
  tx: Db,
  ticket: TicketRecord,
  { priority, category, assigneeId, state }: UpdateTicketInput,
) {
  const at = new Date()
  const again =
    priority && priority !== ticket.priority && recomputeDeadlines(ticket, priority, await loadTicketHours(tx, ticket))
  const first = { ...ticket, ...again }
  return {
    ...again,
    ...(await computeStateChange(tx, first, state ?? ticket.state, at)),
    priority: priority ?? ticket.priority,
    category: category ?? ticket.category,
    assigneeId: assigneeId === undefined ? ticket.assigneeId : assigneeId,
  }
}

const pickAuditedFields = ({ priority, category, assigneeId, state }: TicketRecord) => ({
  priority,
  category,
  assigneeId,
  state,
})

async function storeUpdate(tx: Db, actor: Actor, ticket: TicketRecord, input: UpdateTicketInput) {
  requireCurrentVersion(ticket, input)
  if (input.state) requireNotMerged(ticket)
  await requireAssignee(tx, actor, input.assigneeId)
  const { companyId, desk, id } = ticket
  const data = { ticketId: id, desk }
  const values = await computeTicketChanges(tx, ticket, input)
  await tx
    .update(tickets)
    .set({ ...values, version: ticket.version + 1 })
    .where(isSameTicket(ticket))
  const { assigneeId } = values
  if (assigneeId && assigneeId !== ticket.assigneeId)
    await recordEvent(tx, { companyId, name: 'ticket.assigned', object: id, data: { ...data, assigneeId } })
  if (FINISHED_TICKET_STATES.includes(values.state) && !FINISHED_TICKET_STATES.includes(ticket.state))
    await recordEvent(tx, { companyId, name: 'ticket.solved', object: id, data: { ...data, by: 'desk' } })
  return pickAuditedFields(ticket)
}

export async function updateTicket(tx: Db, actor: Actor, id: string, input: UpdateTicketInput) {
  const before = await withLockedTicket(tx, actor, id, (ticket) => storeUpdate(tx, actor, ticket, input))
  return { before, after: await loadDeskTicket(tx, actor, id) }
}

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

import type { DeskAnswer, DeskTicket, TicketUpdate } from '@voisol/contract/support-desk'
import type { z } from 'zod'
import { record } from '../../../core/events.ts'
import { type Db, writeFor } from '../../../db/client.ts'
import { ticketNotes, tickets } from '../../../db/schema/index.ts'
import { type Actor, nameOfActor } from '../../../http/actor.ts'
import { AppError, fieldError } from '../../../http/errors.ts'
import { requireVersion } from '../../../http/record-version.ts'
import { takeFiles } from './attachments.ts'
import { paused, repriced, resumed } from './clock.ts'
import { readAtDesk } from './desk-view.ts'
import { hoursOf } from './hours.ts'
import { deskPeople, OVER } from './queue.ts'
import { deskScope } from './scope.ts'
import { findTicket, type TicketRecord } from './view.ts'
import { addMessage, ofTicket, requiredText } from './write.ts'

/** A ticket that the keeper answers is another company's: its rows are written there, and the rest of the call here. */
export async function inItsCompany<T>(tx: Db, actor: Actor, companyId: number, work: () => Promise<T>): Promise<T> {
  if (companyId === actor.companyId) return work()
  await writeFor(tx, companyId)
  const result = await work()
  await writeFor(tx, actor.companyId)
  return result
}

/** Whether the clock runs in that state. */
const runs = (state: TicketRecord['state']) => state === 'new' || state === 'open'

type State = TicketRecord['state']
async function moved(tx: Db, ticket: TicketRecord, state: State, at: Date) {
  const hours = await hoursOf(tx, ticket)
  const solved = OVER.includes(state) ? (ticket.solvedAt ?? at) : null
  return { state, solvedAt: solved, ...(runs(state) ? resumed(ticket, at, hours) : paused(ticket, at, hours)) }
}

const requireOpen = ({ mergedInto }: TicketRecord) => {
  if (mergedInto) throw new AppError('conflict', { message: 'Cette demande a été réunie à une autre.' })
}

/** Locked where it lives: the database hands a row of another company to nobody who did not say whose they write. */
export async function atDesk<T>(
  tx: Db,
  actor: Actor,
  id: string,
  work: (ticket: TicketRecord) => Promise<T>,
): Promise<T> {
  const { companyId } = await findTicket(tx, deskScope(actor), id)
  return inItsCompany(tx, actor, companyId, async () => work(await findTicket(tx, deskScope(actor), id, true)))
}

type Answer = z.output<typeof DeskAnswer>

async function writeAnswer(tx: Db, actor: Actor, ticket: TicketRecord, { body: text, fileIds, leaves }: Answer) {
  requireOpen(ticket)
  const body = requiredText(text)
  const at = new Date()
  const { companyId, desk, id } = ticket
  const data = { ticketId: id, desk }
  const by = { authorId: actor.userId, author: nameOfActor(actor) }
  const message = await addMessage(tx, ticket, { side: 'desk', ...by, body, createdAt: at })
  await takeFiles(tx, message, actor.userId, fileIds)
  await tx
    .update(tickets)
    .set({
      ...(await moved(tx, ticket, leaves, at)),
      firstAnswerAt: ticket.firstAnswerAt ?? at,
      assigneeId: ticket.assigneeId ?? actor.userId,
      lastMessageAt: at,
      lastSide: 'desk',
      version: ticket.version + 1,
    })
    .where(ofTicket(ticket))
  await record(tx, { companyId, name: 'ticket.answered', object: id, data: { ...data, messageId: message.id } })
  if (leaves === 'solved' && !OVER.includes(ticket.state))
    await record(tx, { companyId, name: 'ticket.solved', object: id, data: { ...data, by: 'answer' } })
}

export async function answer(tx: Db, actor: Actor, id: string, input: Answer): Promise<DeskTicket> {
  await atDesk(tx, actor, id, (ticket) => writeAnswer(tx, actor, ticket, input))
  return readAtDesk(tx, actor, id)
}

/** In the company of whoever notes it: the asker's never holds it. */
export async function addNote(tx: Db, actor: Actor, id: string, text: string): Promise<DeskTicket> {
  const ticket = await findTicket(tx, deskScope(actor), id)
  const body = requiredText(text)
  const author = nameOfActor(actor)
  const about = { ticketCompanyId: ticket.companyId, ticketId: id }
  await tx.insert(ticketNotes).values({ companyId: actor.companyId, ...about, author, body })
  return readAtDesk(tx, actor, id)
}

async function requireAssignee(tx: Db, actor: Actor, assigneeId: string | null | undefined) {
  if (!assigneeId) return
  const people = await deskPeople(tx, actor)
  if (!people.some(({ id }) => id === assigneeId))
    throw fieldError('assigneeId', 'Cette personne ne peut pas répondre à cette demande. Choisissez-en une autre.')
}

type Update = z.output<typeof TicketUpdate>

async function changes(tx: Db, ticket: TicketRecord, { priority, category, assigneeId, state }: Update) {
  const at = new Date()
  const again = priority && priority !== ticket.priority && repriced(ticket, priority, await hoursOf(tx, ticket))
  const first = { ...ticket, ...again }
  return {
    ...again,
    ...(await moved(tx, first, state ?? ticket.state, at)),
    priority: priority ?? ticket.priority,
    category: category ?? ticket.category,
    assigneeId: assigneeId === undefined ? ticket.assigneeId : assigneeId,
  }
}

const told = ({ priority, category, assigneeId, state }: TicketRecord) => ({ priority, category, assigneeId, state })

async function writeUpdate(tx: Db, actor: Actor, ticket: TicketRecord, input: Update) {
  requireVersion(ticket, input)
  if (input.state) requireOpen(ticket)
  await requireAssignee(tx, actor, input.assigneeId)
  const { companyId, desk, id } = ticket
  const data = { ticketId: id, desk }
  const values = await changes(tx, ticket, input)
  await tx
    .update(tickets)
    .set({ ...values, version: ticket.version + 1 })
    .where(ofTicket(ticket))
  const { assigneeId } = values
  if (assigneeId && assigneeId !== ticket.assigneeId)
    await record(tx, { companyId, name: 'ticket.assigned', object: id, data: { ...data, assigneeId } })
  if (OVER.includes(values.state) && !OVER.includes(ticket.state))
    await record(tx, { companyId, name: 'ticket.solved', object: id, data: { ...data, by: 'desk' } })
  return told(ticket)
}

export async function updateTicket(tx: Db, actor: Actor, id: string, input: Update) {
  const before = await atDesk(tx, actor, id, (ticket) => writeUpdate(tx, actor, ticket, input))
  return { before, after: await readAtDesk(tx, actor, id) }
}

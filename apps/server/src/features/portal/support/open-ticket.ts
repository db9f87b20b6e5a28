import type { NewSupportMessage, NewTicket, Ticket, TicketSubject, TicketSubjectView } from '@voisol/contract/support'
import { and, desc, eq, max, sql } from 'drizzle-orm'
import type { z } from 'zod'
import { operationScope } from '../../../core/access-scopes.ts'
import { hasPrioritySupport } from '../../../core/plan.ts'
import type { Db } from '../../../db/client.ts'
import { invoices, operations, points, ticketMessages, tickets } from '../../../db/schema/index.ts'
import { recordEvent } from '../../../events/events.ts'
import { type Actor, formatActorName } from '../../../http/actor.ts'
import { AppError, fieldError } from '../../../http/errors.ts'
import { normalizePlainText, requireSingleLine } from '../../../plain-text.ts'
import { invoiceScope } from '../../billing/invoices/index.ts'
import { pointScope } from '../../energy/participants/index.ts'
import { attachFilesToMessage } from './attachments.ts'
import { loadTicketHours, pauseTicketClock, resumeTicketClock, startTicketClock } from './support-hours.ts'
import { getDeskOfActor, loadOwnTicket, loadTicket, ownTicketScope, type TicketRecord } from './ticket-queries.ts'

type Values = typeof ticketMessages.$inferInsert
type NewTicketMessage = Pick<Values, 'side' | 'author' | 'body'> & Partial<Values>

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

const LONG_DATE_FORMAT = new Intl.DateTimeFormat('fr-FR', { dateStyle: 'long', timeZone: 'UTC' })
const formatDayLabel = (day: string) => `Le ${LONG_DATE_FORMAT.format(new Date(`${day}T12:00:00Z`))}`
const formatPointLabel = (prm: string, label: string) => (label ? `${label} (${prm})` : `Point ${prm}`)

/** What one's last invoices, points and operations are called: as many as one chooses from at a glance. */
const MAX_CHOICES = 12
type TicketSubjectColumns = {
  aboutKind: TicketSubjectView['kind'] | null
  aboutId: string | null
  aboutDay: string | null
  aboutLabel: string
}
export const NO_TICKET_SUBJECT: TicketSubjectColumns = {
  aboutKind: null,
  aboutId: null,
  aboutDay: null,
  aboutLabel: '',
}

const SUBJECT_LOADERS = {
  invoice: (db: Db, actor: Actor, id?: string) =>
    db
      .select({ id: invoices.id, number: invoices.number })
      .from(invoices)
      .where(and(invoiceScope(actor), id ? eq(invoices.id, id) : undefined))
      .orderBy(desc(invoices.issuedOn), desc(invoices.number))
      .limit(MAX_CHOICES)
      .then((rows) => rows.map((row) => ({ id: row.id, label: `Facture ${row.number}` }))),
  point: (db: Db, actor: Actor, id?: string) =>
    db
      .select({ id: points.id, prm: points.prm, label: points.label })
      .from(points)
      .where(and(pointScope(actor), id ? eq(points.id, id) : undefined))
      .orderBy(points.prm, points.direction)
      .limit(MAX_CHOICES)
      .then((rows) => rows.map((row) => ({ id: row.id, label: formatPointLabel(row.prm, row.label) }))),
  operation: (db: Db, actor: Actor, id?: string) =>
    db
      .select({ id: operations.id, name: operations.name })
      .from(operations)
      .where(and(operationScope(actor), id ? eq(operations.id, id) : undefined))
      .orderBy(operations.name)
      .limit(MAX_CHOICES)
      .then((rows) => rows.map((row) => ({ id: row.id, label: row.name }))),
}

/** In the asker's own reach, or unknown: naming somebody else's would already tell that it is there. */
async function requireTicketSubject(db: Db, actor: Actor, about: TicketSubject | null): Promise<TicketSubjectColumns> {
  if (!about) return NO_TICKET_SUBJECT
  if (about.kind === 'day')
    return { ...NO_TICKET_SUBJECT, aboutKind: 'day', aboutDay: about.day, aboutLabel: formatDayLabel(about.day) }
  const [found] = await SUBJECT_LOADERS[about.kind](db, actor, about.id)
  if (!found) throw fieldError('about', 'Cet objet n’est pas à vous, ou n’existe plus. Choisissez-en un autre.')
  return { ...NO_TICKET_SUBJECT, aboutKind: about.kind, aboutId: found.id, aboutLabel: found.label }
}

/** What one may name: of one's own in the portal; to the keeper of the installation, the operations. */
export async function listTicketSubjects(db: Db, actor: Actor): Promise<TicketSubjectView[]> {
  const kinds =
    getDeskOfActor(actor) === 'organiser' ? (['invoice', 'point', 'operation'] as const) : (['operation'] as const)
  const lists = await Promise.all(
    kinds.map(async (kind) => (await SUBJECT_LOADERS[kind](db, actor)).map((one) => ({ kind, day: null, ...one }))),
  )
  return lists.flat()
}

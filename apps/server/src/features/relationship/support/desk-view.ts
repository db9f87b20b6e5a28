import type { RequesterContext, SupportTicket, TicketNote } from '@voisol/contract/support-desk'
import { and, asc, desc, eq, inArray, ne, type SQL, sql } from 'drizzle-orm'
import { isParticipantOfUser } from '../../../core/held.ts'
import type { Db } from '../../../db/client.ts'
import { companies, invoices, participants, ticketNotes, tickets } from '../../../db/schema/index.ts'
import { type Actor, formatActorName } from '../../../http/actor.ts'
import { AppError } from '../../../http/errors.ts'
import { type QueuedTicket, selectQueue, toQueueRow } from './queue.ts'
import { deskScope } from './scope.ts'
import { listTicketMessages } from './thread.ts'
import { loadMergedInto, type TicketRecord } from './view.ts'

const MAX_CONTEXT_ROWS = 5

/** Only what the reader's own company noted: the keeper's notes are not the organiser's, nor the other way round. */
async function listNotes(db: Db, actor: Actor, ticket: TicketRecord): Promise<TicketNote[]> {
  const rows = await db
    .select()
    .from(ticketNotes)
    .where(
      and(
        eq(ticketNotes.companyId, actor.companyId),
        eq(ticketNotes.ticketCompanyId, ticket.companyId),
        eq(ticketNotes.ticketId, ticket.id),
      ),
    )
    .orderBy(asc(ticketNotes.createdAt), asc(ticketNotes.id))
  return rows.map(({ id, author, body, createdAt }) => ({ id, author, body, createdAt: createdAt.toISOString() }))
}

async function listAskerParticipants(db: Db, { companyId, askerId }: TicketRecord) {
  const rows = await db
    .select({
      id: participants.id,
      name: participants.name,
      operations: sql<string[]>`array(select distinct o.name from participations m
        join operations o on o.company_id = m.company_id and o.id = m.operation_id
       where m.company_id = ${companyId} and m.participant_id = participants.id order by 1)`,
    })
    .from(participants)
    .where(and(eq(participants.companyId, companyId), isParticipantOfUser({ companyId, userId: askerId })))
    .orderBy(participants.name)
    .limit(MAX_CONTEXT_ROWS)
  return rows
}

async function listRecentInvoices(db: Db, companyId: number, buyerIds: string[]) {
  if (!buyerIds.length) return []
  const rows = await db
    .select({ id: invoices.id, number: invoices.number, issuedOn: invoices.issuedOn, gross: invoices.gross })
    .from(invoices)
    .where(and(eq(invoices.companyId, companyId), inArray(invoices.buyerId, buyerIds)))
    .orderBy(desc(invoices.issuedOn), desc(invoices.number))
    .limit(MAX_CONTEXT_ROWS)
  return rows.map(({ gross, ...row }) => ({ ...row, totalCents: gross }))
}

const listOtherTickets = (db: Db, scope: SQL | undefined, ticket: TicketRecord) =>
  db
    .select({ id: tickets.id, number: tickets.number, subject: tickets.subject, state: tickets.state })
    .from(tickets)
    .where(
      and(
        scope,
        eq(tickets.companyId, ticket.companyId),
        eq(tickets.askerId, ticket.askerId),
        eq(tickets.desk, ticket.desk),
        ne(tickets.id, ticket.id),
      ),
    )
    .orderBy(desc(tickets.lastMessageAt))
    .limit(MAX_CONTEXT_ROWS * 2)

/** A keeper answers an organiser as such: what the organiser's own participants are and pay is none of it. */
async function loadAskerContext(db: Db, actor: Actor, found: QueuedTicket): Promise<RequesterContext> {
  const { ticket } = found
  const own = ticket.desk === 'organiser' ? await listAskerParticipants(db, ticket) : []
  return {
    name: found.asker || found.email,
    email: found.email,
    company: found.company,
    participants: own,
    invoices: await listRecentInvoices(
      db,
      ticket.companyId,
      own.map(({ id }) => id),
    ),
    tickets: await listOtherTickets(db, deskScope(actor), ticket),
  }
}

async function loadReplyFields(
  db: Db,
  actor: Actor,
  { ticket, firstName, lastName }: QueuedTicket,
  context: RequesterContext,
) {
  const [company] = await db.select({ name: companies.name }).from(companies).where(eq(companies.id, actor.companyId))
  return {
    prenom: firstName,
    nom: lastName,
    numero: String(ticket.number),
    objet: ticket.subject,
    operation: ticket.aboutKind === 'operation' ? ticket.aboutLabel : (context.participants[0]?.operations[0] ?? ''),
    facture:
      ticket.aboutKind === 'invoice' ? ticket.aboutLabel.replace(/^Facture /, '') : (context.invoices[0]?.number ?? ''),
    organisation: company?.name ?? '',
    agent: formatActorName(actor),
  }
}

export async function loadDeskTicket(db: Db, actor: Actor, id: string): Promise<SupportTicket> {
  const [found] = await selectQueue(db).where(and(deskScope(actor), eq(tickets.id, id)))
  if (!found) throw new AppError('not-found')
  const { ticket } = found
  const context = await loadAskerContext(db, actor, found)
  return {
    ...toQueueRow(found),
    messages: await listTicketMessages(db, ticket, { held: true }),
    notes: await listNotes(db, actor, ticket),
    scoreWord: ticket.scoreWord,
    mergedInto: await loadMergedInto(db, ticket),
    context,
    fields: await loadReplyFields(db, actor, found, context),
  }
}

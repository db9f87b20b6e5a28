import type { AskerContext, DeskTicket, TicketNote } from '@voisol/contract/support-desk'
import { and, asc, desc, eq, inArray, ne, type SQL, sql } from 'drizzle-orm'
import { isHeldBy } from '../../../core/held.ts'
import type { Db } from '../../../db/client.ts'
import { companies, invoices, participants, ticketNotes, tickets } from '../../../db/schema/index.ts'
import { type Actor, nameOfActor } from '../../../http/actor.ts'
import { AppError } from '../../../http/errors.ts'
import { type Queued, readQueue, toQueueRow } from './queue.ts'
import { deskScope } from './scope.ts'
import { threadOf } from './thread.ts'
import { mergedOf, type TicketRecord } from './view.ts'

const FEW = 5

/** Only what the reader's own company noted: the keeper's notes are not the organiser's, nor the other way round. */
async function notesOf(db: Db, actor: Actor, ticket: TicketRecord): Promise<TicketNote[]> {
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

async function participantsOf(db: Db, { companyId, askerId }: TicketRecord) {
  const rows = await db
    .select({
      id: participants.id,
      name: participants.name,
      operations: sql<string[]>`array(select distinct o.name from participations m
        join operations o on o.company_id = m.company_id and o.id = m.operation_id
       where m.company_id = ${companyId} and m.participant_id = participants.id order by 1)`,
    })
    .from(participants)
    .where(and(eq(participants.companyId, companyId), isHeldBy({ companyId, userId: askerId })))
    .orderBy(participants.name)
    .limit(FEW)
  return rows
}

async function invoicesOf(db: Db, companyId: number, buyerIds: string[]) {
  if (!buyerIds.length) return []
  const rows = await db
    .select({ id: invoices.id, number: invoices.number, issuedOn: invoices.issuedOn, gross: invoices.gross })
    .from(invoices)
    .where(and(eq(invoices.companyId, companyId), inArray(invoices.buyerId, buyerIds)))
    .orderBy(desc(invoices.issuedOn), desc(invoices.number))
    .limit(FEW)
  return rows.map(({ gross, ...row }) => ({ ...row, totalCents: gross }))
}

const othersOf = (db: Db, scope: SQL | undefined, ticket: TicketRecord) =>
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
    .limit(FEW * 2)

/** A keeper answers an organiser as such: what the organiser's own participants are and pay is none of it. */
async function contextOf(db: Db, actor: Actor, found: Queued): Promise<AskerContext> {
  const { ticket } = found
  const own = ticket.desk === 'organiser' ? await participantsOf(db, ticket) : []
  return {
    name: found.asker || found.email,
    email: found.email,
    company: found.company,
    participants: own,
    invoices: await invoicesOf(
      db,
      ticket.companyId,
      own.map(({ id }) => id),
    ),
    tickets: await othersOf(db, deskScope(actor), ticket),
  }
}

async function fieldsOf(db: Db, actor: Actor, { ticket, firstName, lastName }: Queued, context: AskerContext) {
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
    agent: nameOfActor(actor),
  }
}

export async function readAtDesk(db: Db, actor: Actor, id: string): Promise<DeskTicket> {
  const [found] = await readQueue(db).where(and(deskScope(actor), eq(tickets.id, id)))
  if (!found) throw new AppError('not-found')
  const { ticket } = found
  const context = await contextOf(db, actor, found)
  return {
    ...toQueueRow(found),
    messages: await threadOf(db, ticket, { held: true }),
    notes: await notesOf(db, actor, ticket),
    scoreWord: ticket.scoreWord,
    mergedInto: await mergedOf(db, ticket),
    context,
    fields: await fieldsOf(db, actor, found, context),
  }
}

import { and, asc, desc, eq, isNotNull, like, ne } from 'drizzle-orm'
import { type Db, scopeToCompany, transaction } from '../../../db/client.ts'
import {
  cannedReplies,
  companies,
  invoices,
  memberships,
  operations,
  participants,
  participations,
  tickets,
  users,
} from '../../../db/schema/index.ts'
import type { Deps } from '../../../deps.ts'
import { type Actor, formatActorName } from '../../../http/actor.ts'
import { seedTicket } from '../../relationship/support/support.ts'
import { DEMO_CANNED_REPLIES, ORGANISER_TICKETS, PARTICIPANT_TICKETS, type TicketStory } from './support-stories.ts'

const PARIS = 'Europe/Paris'

/**
 * A quarter past ten on that day, or on the Friday before a weekend, or an hour ago when that would be in the future.
 */
function chooseAskedAt(today: string, daysAgo: number): Date {
  const wanted = Temporal.PlainDate.from(today).subtract({ days: daysAgo })
  const day = wanted.subtract({ days: Math.max(0, wanted.dayOfWeek - 5) })
  const at = day.toZonedDateTime({ timeZone: PARIS, plainTime: '10:15' }).epochMilliseconds
  return new Date(Math.min(at, Date.now() - 3_600_000))
}

/** The published demo account asks most questions, a few others ask some. */
const MAX_ASKERS = 4
/** Users who can open the portal of a participant, the published demo account first. */
const listAskers = (tx: Db, companyId: number) =>
  tx
    .select({ id: users.id, firstName: users.firstName, lastName: users.lastName, participantId: participants.id })
    .from(participants)
    .innerJoin(users, eq(users.id, participants.userId))
    .where(eq(participants.companyId, companyId))
    .orderBy(desc(like(users.email, 'client@%')), asc(users.email))
    .limit(MAX_ASKERS)
type TicketAuthor = Awaited<ReturnType<typeof listAskers>>[number]

async function findTicketSubject(
  tx: Db,
  companyId: number,
  { participantId }: TicketAuthor,
  kind: TicketStory['about'],
) {
  if (kind === 'invoice') {
    const [row] = await tx
      .select({ id: invoices.id, number: invoices.number })
      .from(invoices)
      .where(and(eq(invoices.companyId, companyId), eq(invoices.buyerId, participantId)))
      .orderBy(desc(invoices.issuedOn))
      .limit(1)
    return row && { aboutKind: kind, aboutId: row.id, aboutLabel: `Facture ${row.number}` }
  }
  if (kind !== 'operation') return undefined
  const [row] = await tx
    .select({ id: operations.id, name: operations.name })
    .from(participations)
    .innerJoin(
      operations,
      and(eq(operations.companyId, participations.companyId), eq(operations.id, participations.operationId)),
    )
    .where(and(eq(participations.companyId, companyId), eq(participations.participantId, participantId)))
    .limit(1)
  return row && { aboutKind: kind, aboutId: row.id, aboutLabel: row.name }
}

async function fillParticipantTickets(tx: Db, actor: Actor, today: string) {
  const { companyId } = actor
  const people = await listAskers(tx, companyId)
  const agent = { id: actor.userId, name: formatActorName(actor), companyId }
  for (const [at, { daysAgo, about: kind, ...tale }] of PARTICIPANT_TICKETS.entries()) {
    const person = people[at % Math.max(1, people.length)]
    if (!person) return
    const asker = { id: person.id, name: `${person.firstName} ${person.lastName}` }
    const about = await findTicketSubject(tx, companyId, person, kind)
    await seedTicket(
      tx,
      { companyId, asker, agent },
      { ...tale, askedAt: chooseAskedAt(today, daysAgo), ...(about && { about }) },
    )
  }
}

/** The second company of the demo asks its questions to the first, which operates the installation. */
async function findOtherOrganiser(tx: Db, companyId: number) {
  const [row] = await tx
    .select({ companyId: companies.id, id: users.id, firstName: users.firstName, lastName: users.lastName })
    .from(companies)
    .innerJoin(memberships, and(eq(memberships.companyId, companies.id), eq(memberships.role, 'admin')))
    .innerJoin(users, eq(users.id, memberships.userId))
    .where(and(eq(companies.isDemo, true), ne(companies.id, companyId), isNotNull(memberships.acceptedAt)))
    .orderBy(asc(companies.id))
    .limit(1)
  return row
}

const isFilled = async (tx: Db, companyId: number) =>
  (await tx.select({ id: tickets.id }).from(tickets).where(eq(tickets.companyId, companyId)).limit(1)).length > 0

/** Creates a dozen tickets for participants and organisers, some answered, some not. */
export async function fillSupport(deps: Deps, actor: Actor, today: string): Promise<void> {
  const { companyId } = actor
  await transaction(scopeToCompany(deps.db, companyId), async (tx) => {
    if (await isFilled(tx, companyId)) return
    await fillParticipantTickets(tx, actor, today)
    const replies = DEMO_CANNED_REPLIES.map((reply) => ({ companyId, desk: 'organiser' as const, ...reply }))
    // The canned replies exist already when a company has no tickets yet.
    await tx.insert(cannedReplies).values(replies).onConflictDoNothing()
  })
  const other = await findOtherOrganiser(deps.db, companyId)
  if (!other) return
  await transaction(scopeToCompany(deps.db, other.companyId), async (tx) => {
    if (await isFilled(tx, other.companyId)) return
    const asker = { id: other.id, name: `${other.firstName} ${other.lastName}` }
    const agent = { id: actor.userId, name: formatActorName(actor), companyId }
    for (const { daysAgo, about: _, ...tale } of ORGANISER_TICKETS)
      await seedTicket(
        tx,
        { companyId: other.companyId, asker, agent },
        { ...tale, askedAt: chooseAskedAt(today, daysAgo) },
      )
  })
}

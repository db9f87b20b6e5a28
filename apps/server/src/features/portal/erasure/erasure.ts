import type { ErasureFacts } from '@voisol/contract/erasure'
import { RETENTION_RULES } from '@voisol/contract/retention-kinds'
import { addMonths } from '@voisol/energy/calendar'
import { and, eq, inArray, isNotNull, isNull, sql } from 'drizzle-orm'
import { listUserIdsOfOnlyThisParticipant } from '../../../core/access-scopes.ts'
import { deleteUnreferencedFiles } from '../../../core/stored-files.ts'
import { type Db, transaction } from '../../../db/client.ts'
import { memberships, participants } from '../../../db/schema/index.ts'
import { recordEvent } from '../../../events/events.ts'
import type { Actor } from '../../../http/actor.ts'
import { AppError } from '../../../http/errors.ts'
import { requireCurrentVersion } from '../../../http/record-version.ts'
import { getToday } from '../../../today.ts'
import { loadOpenAmounts } from '../../billing/invoices/index.ts'
import { participantScope } from '../../energy/participants/index.ts'
import { anonymizeAccount, isActiveMembership } from '../../identity/auth/index.ts'

const isParticipant = (companyId: number, id: string) =>
  and(eq(participants.companyId, companyId), eq(participants.id, id))

export async function loadErasureFactsById(db: Db, actor: Actor, id: string): Promise<ErasureFacts> {
  const [row] = await db
    .select()
    .from(participants)
    .where(and(participantScope(actor), eq(participants.id, id)))
  if (!row) throw new AppError('not-found')
  return loadErasureFacts(db, row)
}

const isDue = ({ possibleOn, open }: ErasureFacts) => possibleOn !== null && possibleOn <= getToday() && open === 0

/** Erases at once, or schedules it for the first possible day. */
async function eraseOrSchedule(tx: Db, participant: ErasableParticipant): Promise<unknown> {
  const facts = await loadErasureFacts(tx, participant)
  if (isDue(facts)) return erasePerson(tx, participant)
  return tx
    .update(participants)
    .set({ erasureAskedOn: participant.erasureAskedOn ?? getToday(), version: sql`${participants.version} + 1` })
    .where(isParticipant(participant.companyId, participant.id))
}

export async function requestErasure(tx: Db, actor: Actor, id: string, version: number): Promise<ErasureFacts> {
  const [row] = await tx
    .select()
    .from(participants)
    .where(and(participantScope(actor), eq(participants.id, id)))
    .for('update')
  if (!row) throw new AppError('not-found')
  requireCurrentVersion(row, { version })
  if (row.erasedOn) throw new AppError('conflict', { message: 'Cette personne est déjà effacée.' })
  const { running } = await loadErasureFacts(tx, row)
  if (running.length)
    throw new AppError('conflict', {
      message: `Cette personne prend encore part à ${running.join(', ')}\u00a0: mettez d’abord fin à sa participation.`,
    })
  await eraseOrSchedule(tx, row)
  return loadErasureFactsById(tx, actor, id)
}

/**
 * Requested by the person while closing the account: messages are erased at once, the rest once nothing prevents it.
 */
export async function requestOwnErasure(tx: Db, { companyId, userId }: Actor, ids: string[]): Promise<void> {
  await deleteUnreferencedFiles(tx, companyId, await eraseMessages(tx, companyId, userId))
  if (!ids.length) return
  await tx
    .update(participants)
    .set({ erasureAskedOn: getToday() })
    .where(and(eq(participants.companyId, companyId), inArray(participants.id, ids), isNull(participants.erasedOn)))
}

/** Erases the due participants, one by one, so that a failure does not block the others. */
export async function eraseDueParticipants(db: Db, companyId: number): Promise<void> {
  const waiting = await db
    .select({ id: participants.id })
    .from(participants)
    .where(
      and(eq(participants.companyId, companyId), isNotNull(participants.erasureAskedOn), isNull(participants.erasedOn)),
    )
  for (const { id } of waiting)
    await transaction(db, async (tx) => {
      const [row] = await tx.select().from(participants).where(isParticipant(companyId, id)).for('update')
      if (row && !row.erasedOn && isDue(await loadErasureFacts(tx, row))) await erasePerson(tx, row)
    })
}

const ERASED_PERSON_NAME = 'Personne effacée'
const ERASED_MESSAGE_BODY = 'Message effacé à la demande de la personne.'

/** Replaces the identity by a placeholder and a number. Points that nobody took over lose their address. */
async function anonymizeParticipant(tx: Db, { companyId, id }: ErasableParticipant) {
  const nothing = {
    firstName: '',
    lastName: '',
    siren: '',
    email: '',
    phone: '',
    address: '',
    postalCode: '',
    city: '',
  }
  const bank = { iban: null, ibanEnd: '', mandateReference: '', mandateSignedOn: null }
  await tx
    .update(participants)
    .set({
      ...nothing,
      ...bank,
      name: ERASED_PERSON_NAME,
      notes: '',
      tags: [],
      userId: null,
      erasedOn: getToday(),
      version: sql`${participants.version} + 1`,
    })
    .where(and(eq(participants.companyId, companyId), eq(participants.id, id)))
  await tx.execute(sql`
    update buyers set legal_name = '', joint_holders = '{}', siret = '', vat_number = '', service_code = '',
           engagement = '', address = '', postal_code = '', city = '', email = '', delivery = 'portal', version = version + 1
     where company_id = ${companyId} and participant_id = ${id}`)
  await tx.execute(sql`
    update points p set label = '', address = '', latitude = null, longitude = null, version = version + 1
     where p.company_id = ${companyId} and exists (select 1 from participations s where s.company_id = p.company_id
        and s.point_id = p.id and s.participant_id = ${id})
       and not exists (select 1 from participations s where s.company_id = p.company_id and s.point_id = p.id
        and s.participant_id <> ${id})`)
}

/** The proof of a consent stays, without IP address and mail address. */
const anonymizeConsents = (tx: Db, { companyId, id, email }: ErasableParticipant) =>
  tx.execute(sql`
    update consents set ip = '', withdrawn_at = coalesce(withdrawn_at, ${new Date()}),
           recorded_by = case when method = 'portal' or recorded_by = ${email} then ${ERASED_PERSON_NAME} else recorded_by end
     where company_id = ${companyId} and participant_id = ${id}`)

/** Erases messages to and from the person. The ticket counts and response times stay in the statistics. */
async function eraseMessages(tx: Db, companyId: number, userId: string): Promise<string[]> {
  const asked = sql`(select id from tickets where company_id = ${companyId} and asker_id = ${userId})`
  const { rows } = await tx.execute<{ id: string }>(sql`
    delete from ticket_files where company_id = ${companyId} and (added_by = ${userId} or message_id in (
      select id from ticket_messages where company_id = ${companyId} and ticket_id in ${asked})) returning file_id as id`)
  await tx.execute(sql`
    update ticket_messages set body = ${ERASED_MESSAGE_BODY}, held_from = null,
           author = case when side = 'asker' then ${ERASED_PERSON_NAME} else author end
     where company_id = ${companyId} and ticket_id in ${asked}`)
  await tx.execute(sql`
    update tickets set subject = 'Demande effacée', score_word = '', about_label = ''
     where company_id = ${companyId} and asker_id = ${userId}`)
  await tx.execute(sql`delete from ticket_notes where ticket_company_id = ${companyId} and ticket_id in ${asked}`)
  for (const table of ['notifications', 'portal_visits'])
    await tx.execute(sql`delete from ${sql.identifier(table)} where company_id = ${companyId} and user_id = ${userId}`)
  return rows.map(({ id }) => id)
}

/** Tables about a single participant that are not needed as evidence; messages come after their recipients. */
const PARTICIPANT_TABLES = [
  'lot_spreads',
  'report_schedules',
  'message_recipients',
  'messages',
  'portal_letters',
  'portal_views',
  'portal_holders',
]

/** Deletes documents about the person: the participation contract and letters. */
async function deleteDocuments(tx: Db, { companyId, id }: ErasableParticipant): Promise<string[]> {
  for (const table of PARTICIPANT_TABLES)
    await tx.execute(
      sql`delete from ${sql.identifier(table)} where company_id = ${companyId} and participant_id = ${id}`,
    )
  const { rows } = await tx.execute<{ id: string }>(
    sql`delete from documents where company_id = ${companyId} and owner_id = ${id} returning file_id as id`,
  )
  const { rows: asked } = await tx.execute<{ id: string | null }>(sql`
    delete from applications where company_id = ${companyId} and participant_id = ${id}
      returning file_id as id`)
  const { rows: made } = await tx.execute<{ id: string }>(
    sql`select file_id as id from reports where company_id = ${companyId} and participant_id = ${id}`,
  )
  return [...rows, ...asked, ...made].flatMap(({ id }) => id ?? [])
}

/** Removes access to this organisation, and the account itself if no other organisation uses it. */
async function closeAccess(tx: Db, companyId: number, userId: string) {
  const here = and(eq(memberships.companyId, companyId), eq(memberships.userId, userId))
  const [membership] = await tx.select().from(memberships).where(here)
  // A back office role stays.
  if (membership?.role !== 'client') return
  await tx.update(memberships).set({ disabledAt: new Date() }).where(here)
  const elsewhere = await tx
    .select({ companyId: memberships.companyId })
    .from(memberships)
    .where(and(eq(memberships.userId, userId), isActiveMembership))
  if (!elsewhere.length) await anonymizeAccount(tx, userId)
}

/**
 * Runs in the caller's transaction. Invoices, payments, accounts, mandates and the audit log stay as required by law;
 * readings and allocations stay under a number, so that the totals of others remain valid.
 */
async function erasePerson(tx: Db, participant: ErasableParticipant): Promise<void> {
  const { companyId, id } = participant
  const accounts = await listUserIdsOfOnlyThisParticipant(tx, companyId, id)
  const fileIds = await deleteDocuments(tx, participant)
  await anonymizeConsents(tx, participant)
  for (const userId of accounts) {
    fileIds.push(...(await eraseMessages(tx, companyId, userId)))
    await closeAccess(tx, companyId, userId)
  }
  await anonymizeParticipant(tx, participant)
  await tx.execute(sql`select forget_person(${companyId}, ${id}::uuid)`)
  await deleteUnreferencedFiles(tx, companyId, fileIds)
  await recordEvent(tx, { companyId, name: 'participant.updated', object: id, data: { participantId: id } })
}

type ErasableParticipant = typeof participants.$inferSelect

/** As long as Enedis may correct a month, an invoice may follow, and its buyer must be known. */
const CORRECTION_WINDOW_MONTHS = RETENTION_RULES.curves.least
const INVOICE_YEARS = 10

type ErasureCounts = {
  running: string[]
  lastDay: string | null
  tickets: number
  notifications: number
  documents: number
  invoices: number
  lastInvoice: string | null
}

async function loadErasureCounts(db: Db, { companyId, id }: ErasableParticipant): Promise<ErasureCounts> {
  const accounts = sql`any(${sql.param(await listUserIdsOfOnlyThisParticipant(db, companyId, id))}::uuid[])`
  const { rows } = await db.execute<ErasureCounts>(sql`select
    array(select distinct o.name from participations s
            join operations o on o.company_id = s.company_id and o.id = s.operation_id
           where s.company_id = ${companyId} and s.participant_id = ${id}
             and (s.ends_on is null or s.ends_on > ${getToday()}) order by 1) as running,
    (select max(ends_on)::text from participations where company_id = ${companyId} and participant_id = ${id}) as "lastDay",
    (select count(*)::int from tickets where company_id = ${companyId} and asker_id = ${accounts}) as tickets,
    (select count(*)::int from notifications where company_id = ${companyId} and user_id = ${accounts}) as notifications,
    (select count(*)::int from documents where company_id = ${companyId} and owner_id = ${id}) as documents,
    (select count(*)::int from invoices where company_id = ${companyId} and buyer_id = ${id}) as invoices,
    (select max(issued_on)::text from invoices where company_id = ${companyId} and buyer_id = ${id}) as "lastInvoice"`)
  const [found] = rows
  if (!found) throw new Error('nothing was counted')
  return found
}

/** The first day after which no correction can concern the person. */
const getErasableFrom = ({ running, lastDay }: Pick<ErasureCounts, 'running' | 'lastDay'>): string | null => {
  if (running.length) return null
  return lastDay ? addMonths(lastDay, CORRECTION_WINDOW_MONTHS) : getToday()
}

async function loadErasureFacts(db: Db, participant: ErasableParticipant): Promise<ErasureFacts> {
  const { companyId, id, name, userId, erasureAskedOn, erasedOn, version } = participant
  const { lastDay, lastInvoice, ...found } = await loadErasureCounts(db, participant)
  // Open amounts in both directions: a refund due also needs its recipient.
  const open = [...(await loadOpenAmounts(db, companyId, [id])).values()].reduce(
    (sum, cents) => sum + Math.abs(cents),
    0,
  )
  return {
    name,
    ...found,
    open,
    possibleOn: getErasableFrom({ running: found.running, lastDay }),
    account: userId !== null,
    invoicesUntil: lastInvoice && addMonths(lastInvoice, 12 * INVOICE_YEARS),
    askedOn: erasureAskedOn,
    erasedOn,
    version,
  }
}

import { and, eq, sql } from 'drizzle-orm'
import { recordEvent } from '../../../core/events.ts'
import { listUserIdsOfOnlyThisParticipant } from '../../../core/held.ts'
import { deleteUnreferencedFiles } from '../../../core/kept-files.ts'
import type { Db } from '../../../db/client.ts'
import { memberships, participants } from '../../../db/schema/index.ts'
import { getToday } from '../../../today.ts'
import { anonymizeAccount, isActiveMembership } from '../../people/auth/auth.ts'
import type { ErasableParticipant } from './facts.ts'

export const ERASED_PERSON_NAME = 'Personne effacée'
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
export async function eraseMessages(tx: Db, companyId: number, userId: string): Promise<string[]> {
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
export async function erasePerson(tx: Db, participant: ErasableParticipant): Promise<void> {
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

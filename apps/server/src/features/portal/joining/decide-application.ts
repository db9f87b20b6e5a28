import type { ApplicationDetail } from '@voisol/contract/joining-management'
import { dayOf } from '@voisol/energy/calendar'
import { formatFrenchDay } from '@voisol/file-formats/french'
import { and, asc, eq } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import { applications, joinPages, participants, participations } from '../../../db/schema/index.ts'
import type { Deps } from '../../../deps.ts'
import { recordEvent, recordEvents } from '../../../events/events.ts'
import { type Actor, formatActorName } from '../../../http/actor.ts'
import { AppError, fieldError } from '../../../http/errors.ts'
import { requireCurrentVersion } from '../../../http/record-version.ts'
import { recordConsentEvents, storeSignedConsents } from '../../energy/consents/index.ts'
import {
  enrolParticipants,
  inviteParticipant,
  lockEnrolments,
  updateParticipation,
} from '../../energy/participants/index.ts'
import { sendDecisionMail, sendSuccessorMail } from './application-mails.ts'
import {
  loadApplication,
  loadApplicationOperation,
  loadFirstPossibleDay,
  lockApplication,
} from './application-queries.ts'
import { type ApplicationRow, moveApplication } from './application-state.ts'

type MailDeps = Pick<Deps, 'secrets' | 'config'>
type Decision = { state: 'accepted' | 'refused' | 'withdrawn'; effectiveOn: string | null }

/** Called last, because recording an event locks the event log of the company until the end of the transaction. */
export const recordDecision = (tx: Db, { companyId, id, operationId, kind }: ApplicationRow, done: Decision) =>
  recordEvent(tx, {
    companyId,
    name: 'application.decided',
    object: id,
    data: { applicationId: id, operationId, kind: kind as 'join' | 'leave' | 'move', ...done }, // the contract lets nothing else in
  })

async function requirePossibleDay(tx: Db, row: ApplicationRow, on: string) {
  const first = await loadFirstPossibleDay(tx, row)
  if (on < first)
    throw fieldError(
      'on',
      `Le premier jour possible est le ${formatFrenchDay(first)}\u00a0: le gestionnaire de réseau doit être prévenu avant.`,
    )
}

async function inviteSuccessor(tx: Db, post: MailDeps, row: ApplicationRow, name: string) {
  if (row.kind !== 'move' || !row.successorEmail) return
  const own = and(eq(joinPages.companyId, row.companyId), eq(joinPages.operationId, row.operationId))
  const [page] = await tx.select().from(joinPages).where(own)
  if (page?.isOpen) await sendSuccessorMail(tx, post, row, { name, slug: page.slug })
}

/** Accepts the entry or departure on that day, once even for concurrent calls, because the first one locks the row. */
export async function acceptApplication(
  tx: Db,
  post: MailDeps,
  actor: Actor,
  id: string,
  { on, version }: { on: string; version: number },
): Promise<ApplicationDetail> {
  const row = await lockApplication(tx, actor, id)
  requireCurrentVersion(row, { version })
  const decided = { effectiveOn: on, decidedAt: new Date(), decidedBy: formatActorName(actor) }
  const after = await moveApplication(tx, row, 'accepted', decided)
  await requirePossibleDay(tx, row, on)
  const { name } = await loadApplicationOperation(tx, row)
  if (row.kind === 'join') await enrolApplicant(tx, post, actor, after, on)
  else await endAppliedParticipation(tx, actor, after, on)
  await sendDecisionMail(tx, post, after, { name, on })
  await inviteSuccessor(tx, post, after, name)
  const detail = await loadApplication(tx, actor, id)
  await recordDecision(tx, after, { state: 'accepted', effectiveOn: on })
  return detail
}

export async function refuseApplication(
  tx: Db,
  post: MailDeps,
  actor: Actor,
  id: string,
  { reason, version }: { reason: string; version: number },
): Promise<ApplicationDetail> {
  const row = await lockApplication(tx, actor, id)
  requireCurrentVersion(row, { version })
  const after = await moveApplication(tx, row, 'refused', {
    reason,
    decidedAt: new Date(),
    decidedBy: formatActorName(actor),
  })
  const { name } = await loadApplicationOperation(tx, row)
  await sendDecisionMail(tx, post, after, { name, reason })
  const detail = await loadApplication(tx, actor, id)
  await recordDecision(tx, after, { state: 'refused', effectiveOn: null })
  return detail
}

type EnrolledPerson = { id: string; userId: string | null; isNew: boolean }

/**
 * A known person is recognised by their proved mail address only: a typed name, address or SIREN could give a stranger
 * access to somebody's account.
 */
async function findOrCreateParticipant(tx: Db, row: ApplicationRow): Promise<EnrolledPerson> {
  const { companyId, email, participantKind: kind, name, firstName, lastName, siren } = row
  const [known] = await tx
    .select({ id: participants.id, userId: participants.userId })
    .from(participants)
    .where(and(eq(participants.companyId, companyId), eq(participants.email, email)))
    .orderBy(asc(participants.createdAt), asc(participants.id))
    .limit(1)
    .for('update')
  if (known) return { ...known, isNew: false }
  const { phone, address, postalCode, city } = row
  const [added] = await tx
    .insert(participants)
    .values({ companyId, kind, name, firstName, lastName, siren, email, phone, address, postalCode, city })
    .returning({ id: participants.id })
  if (!added) throw new AppError('conflict')
  return { id: added.id, userId: null, isNew: true }
}

/** Same code as the file import, which identifies people by mail address. */
async function enrolPoint(
  tx: Db,
  actor: Actor,
  row: ApplicationRow,
  { isNew }: EnrolledPerson,
  on: string,
): Promise<string> {
  const { participantKind, name, firstName, lastName, email, prm, address, postalCode, city, proof } = row
  const kind = participantKind === 'organisation' ? ('organisation' as const) : ('person' as const)
  const line = {
    kind,
    name,
    firstName,
    lastName,
    email,
    prm,
    direction: 'consumption' as const,
    pointAddress: `${address}, ${postalCode} ${city}`,
    agreementSignedOn: proof ? dayOf(Math.floor(Date.parse(proof.at) / 60_000)) : null,
    // The address of a known participant stays unchanged.
    ...(isNew && { address, postalCode, city }),
  }
  try {
    const points = await enrolParticipants(tx, actor, row.operationId, [line], on)
    return points.get(`${prm} consumption`) ?? ''
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'invalid') throw error
    throw new AppError('conflict', { message: (error.issues ?? []).map(({ message }) => message).join(' ') })
  }
}

/** Creates the participant, the point, a dated participation, the consents and the invitation to the portal. */
async function enrolApplicant(tx: Db, post: MailDeps, actor: Actor, row: ApplicationRow, on: string) {
  const { companyId, id, operationId } = row
  await lockEnrolments(tx, companyId)
  const person = await findOrCreateParticipant(tx, row)
  const pointId = await enrolPoint(tx, actor, row, person, on)
  const [participation] = await tx
    .select({ id: participations.id })
    .from(participations)
    .where(
      and(
        eq(participations.companyId, companyId),
        eq(participations.operationId, operationId),
        eq(participations.pointId, pointId),
        eq(participations.startsOn, on),
      ),
    )
  const given = row.proof
    ? await storeSignedConsents(tx, { companyId, participantId: person.id, given: row.consents, proof: row.proof })
    : []
  if (person.userId === null) await inviteParticipant(tx, post, actor, person.id)
  await tx
    .update(applications)
    .set({ participantId: person.id, participationId: participation?.id ?? null })
    .where(and(eq(applications.companyId, companyId), eq(applications.id, id)))
  const kind = row.participantKind === 'organisation' ? ('organisation' as const) : ('person' as const)
  if (person.isNew)
    await recordEvents(tx, companyId, 'participant.created', [
      { object: person.id, data: { participantId: person.id, kind } },
    ])
  await recordConsentEvents(tx, companyId, 'given', given)
}

/** Ends the participation on that day; one that ended earlier meanwhile is refused and not prolonged. */
async function endAppliedParticipation(
  tx: Db,
  actor: Actor,
  { companyId, participationId }: ApplicationRow,
  on: string,
) {
  const [participation] = participationId
    ? await tx
        .select()
        .from(participations)
        .where(and(eq(participations.companyId, companyId), eq(participations.id, participationId)))
    : []
  if (!participation)
    throw new AppError('conflict', { message: 'Cette participation n’existe plus\u00a0: refusez plutôt la demande.' })
  if (participation.endsOn !== null && participation.endsOn <= on)
    throw new AppError('conflict', {
      message: `Cette participation s’arrête déjà le ${formatFrenchDay(participation.endsOn)}\u00a0: il n’y a plus rien à accepter.`,
    })
  const { startsOn, noticeOn, agreementSignedOn, version } = participation
  await updateParticipation(tx, actor, participation.id, { startsOn, endsOn: on, noticeOn, agreementSignedOn, version })
}

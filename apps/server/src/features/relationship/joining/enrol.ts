import { dayOf } from '@voisol/energy/calendar'
import { and, asc, eq } from 'drizzle-orm'
import { recordEvents } from '../../../core/events.ts'
import type { Db } from '../../../db/client.ts'
import { applications, participants, participations } from '../../../db/schema/index.ts'
import type { Deps } from '../../../deps.ts'
import type { Actor } from '../../../http/actor.ts'
import { AppError } from '../../../http/errors.ts'
import { recordConsentEvents, storeSignedConsents } from '../../energy/consents/consents.ts'
import { enrolParticipants, inviteParticipant, lockEnrolments } from '../../energy/participants/participants.ts'
import type { ApplicationRow } from './life-cycle.ts'

type MailDeps = Pick<Deps, 'secrets' | 'config'>
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
export async function enrolApplicant(tx: Db, post: MailDeps, actor: Actor, row: ApplicationRow, on: string) {
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

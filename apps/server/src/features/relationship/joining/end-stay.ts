import { and, eq } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import { participations } from '../../../db/schema/index.ts'
import { formatFrenchDay } from '../../../french.ts'
import type { Actor } from '../../../http/actor.ts'
import { AppError } from '../../../http/errors.ts'
import { updateParticipation } from '../../energy/participants/participants.ts'
import type { ApplicationRow } from './life-cycle.ts'

/** Ends the participation on that day; one that ended earlier meanwhile is refused and not prolonged. */
export async function endAppliedParticipation(
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

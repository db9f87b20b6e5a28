import type { ParticipationTransfer } from '@voisol/contract/points'
import type { z } from 'zod'
import type { Db } from '../../../db/client.ts'
import { participations } from '../../../db/schema/index.ts'
import { frenchDay } from '../../../french.ts'
import type { Actor } from '../../../http/actor.ts'
import { fieldError } from '../../../http/errors.ts'
import { getParticipation } from './participation-view.ts'
import { lockSides, saveDates } from './participations.ts'
import type { Span } from './periods.ts'
import { tellMembers } from './tell.ts'
import { requireParticipant } from './write.ts'

type Transfer = z.output<typeof ParticipationTransfer>

function requireInside(on: string, { startsOn, endsOn }: Span) {
  if (on <= startsOn)
    throw fieldError('on', `Le changement doit suivre l’entrée du titulaire actuel (${frenchDay(startsOn)}).`)
  if (endsOn && on >= endsOn)
    throw fieldError('on', `Le changement doit précéder la sortie du titulaire actuel (${frenchDay(endsOn)}).`)
}

/** The one leaves on the day the other comes in; the point stays in the operation without a gap. */
export async function transferPoint(tx: Db, actor: Actor, id: string, input: Transfer) {
  const sides = await lockSides(tx, actor, id)
  const [row] = sides
  const { participantId, on, agreementSignedOn } = input
  await requireParticipant(tx, actor, participantId)
  if (participantId === row.participantId)
    throw fieldError('participantId', 'Ce participant est déjà le titulaire de ce point.')
  requireInside(on, row)
  const before = await getParticipation(tx, actor, id)
  const { companyId, operationId, endsOn } = row
  const added: { id: string }[] = []
  for (const { id: side, pointId } of sides) {
    await saveDates(tx, actor, side, { endsOn: on })
    const values = { companyId, operationId, pointId, participantId, startsOn: on, endsOn, agreementSignedOn }
    added.push(...(await tx.insert(participations).values(values).returning({ id: participations.id })))
  }
  const after = await getParticipation(tx, actor, added[0]?.id ?? '')
  const changed = [{ from: on, to: endsOn }]
  const participationIds = sides.flatMap((side, at) => [side.id, added[at]?.id ?? []].flat())
  await tellMembers(tx, 'transferred', { companyId, operationId, participationIds, changed })
  return { before, after }
}

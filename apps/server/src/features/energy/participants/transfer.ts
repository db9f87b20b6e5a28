import type { ParticipationTransfer } from '@voisol/contract/points'
import type { z } from 'zod'
import type { Db } from '../../../db/client.ts'
import { participations } from '../../../db/schema/index.ts'
import { formatFrenchDay } from '../../../french.ts'
import type { Actor } from '../../../http/actor.ts'
import { fieldError } from '../../../http/errors.ts'
import { loadParticipation } from './participation-view.ts'
import { lockWithCounterparts, updateParticipationRow } from './participations.ts'
import type { ParticipationDays } from './periods.ts'
import { recordParticipationChange } from './tell.ts'
import { requireParticipant } from './write.ts'

type TransferPointInput = z.output<typeof ParticipationTransfer>

function requireWithinParticipation(on: string, { startsOn, endsOn }: ParticipationDays) {
  if (on <= startsOn)
    throw fieldError('on', `Le changement doit suivre l’entrée du titulaire actuel (${formatFrenchDay(startsOn)}).`)
  if (endsOn && on >= endsOn)
    throw fieldError('on', `Le changement doit précéder la sortie du titulaire actuel (${formatFrenchDay(endsOn)}).`)
}

/** Changes the holder on a day: the point stays in the operation without a gap. */
export async function transferPoint(tx: Db, actor: Actor, id: string, input: TransferPointInput) {
  const sides = await lockWithCounterparts(tx, actor, id)
  const [row] = sides
  const { participantId, on, agreementSignedOn } = input
  await requireParticipant(tx, actor, participantId)
  if (participantId === row.participantId)
    throw fieldError('participantId', 'Ce participant est déjà le titulaire de ce point.')
  requireWithinParticipation(on, row)
  const before = await loadParticipation(tx, actor, id)
  const { companyId, operationId, endsOn } = row
  const added: { id: string }[] = []
  for (const { id: side, pointId } of sides) {
    await updateParticipationRow(tx, actor, side, { endsOn: on })
    const values = { companyId, operationId, pointId, participantId, startsOn: on, endsOn, agreementSignedOn }
    added.push(...(await tx.insert(participations).values(values).returning({ id: participations.id })))
  }
  const after = await loadParticipation(tx, actor, added[0]?.id ?? '')
  const changed = [{ from: on, to: endsOn }]
  const participationIds = sides.flatMap((side, at) => [side.id, added[at]?.id ?? []].flat())
  await recordParticipationChange(tx, 'transferred', { companyId, operationId, participationIds, changed })
  return { before, after }
}

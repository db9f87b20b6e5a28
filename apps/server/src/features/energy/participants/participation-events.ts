import type { EventName } from '@voisol/contract/events'
import { requirePointsWithinPlan } from '../../../core/plan.ts'
import type { Db } from '../../../db/client.ts'
import { recordEvent } from '../../../events/events.ts'
import { getToday } from '../../../today.ts'
import { requireBatteryDirectionsAligned } from './batteries.ts'
import { mergeIntoOneRange } from './participation-rules.ts'

type ParticipationEventName = Exclude<EventName, 'participation.enrolled'>
type ParticipationChange =
  Extract<ParticipationEventName, `participation.${string}`> extends `participation.${infer C}` ? C : never
type ChangedRange = { from: string; to: string | null } | null
type RecordParticipationsInput = {
  companyId: number
  operationId: string
  participationIds: string[]
  changed: ChangedRange[]
}

/** Whether a participant may become current: a new start, or a postponed end. */
const mayAddParticipant = (change: ParticipationChange, changed: ChangedRange[]) => {
  const day = getToday()
  const back = (span: ChangedRange) => span !== null && span.from <= day && (span.to === null || span.to > day)
  return change === 'started' || (change === 'changed' && changed.some(back))
}

/** Records participations of an operation that changed together, with the days affected. */
export async function recordParticipationChange(
  tx: Db,
  change: ParticipationChange,
  { companyId, operationId, participationIds, changed }: RecordParticipationsInput,
) {
  await requireBatteryDirectionsAligned(tx, companyId, operationId)
  if (mayAddParticipant(change, changed)) await requirePointsWithinPlan(tx, companyId, participationIds)
  const days = mergeIntoOneRange(changed.flatMap((span) => span ?? []))
  const data = { operationId, participationIds, days }
  return recordEvent(tx, { companyId, name: `participation.${change}`, object: operationId, data })
}

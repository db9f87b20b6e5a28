import type { EventName } from '@voisol/contract/events'
import { record } from '../../../core/events.ts'
import { requireRoom } from '../../../core/plan.ts'
import type { Db } from '../../../db/client.ts'
import { today } from '../../../today.ts'
import { requireInStep } from './batteries.ts'
import { cover } from './periods.ts'

type Name = Exclude<EventName, 'participation.enrolled'>
type Change = Extract<Name, `participation.${string}`> extends `participation.${infer C}` ? C : never
type Days = { from: string; to: string | null } | null
type Told = { companyId: number; operationId: string; participationIds: string[]; changed: Days[] }

/** Whether somebody may be there today who was not: whoever begins, or whose end is put off. */
const comesIn = (change: Change, changed: Days[]) => {
  const day = today()
  const back = (span: Days) => span !== null && span.from <= day && (span.to === null || span.to > day)
  return change === 'started' || (change === 'changed' && changed.some(back))
}

/** Tells of participations of an operation that changed together, with the days over which it is no longer the same. */
export async function tellMembers(tx: Db, change: Change, { companyId, operationId, participationIds, changed }: Told) {
  await requireInStep(tx, companyId, operationId)
  if (comesIn(change, changed)) await requireRoom(tx, companyId, participationIds)
  const days = cover(changed.flatMap((span) => span ?? []))
  const data = { operationId, participationIds, days }
  return record(tx, { companyId, name: `participation.${change}`, object: operationId, data })
}

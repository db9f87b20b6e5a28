import type { EventName } from '@voisol/contract/events'
import { record } from '../../../core/events.ts'
import type { Db } from '../../../db/client.ts'
import { requireInStep } from './batteries.ts'
import { cover } from './periods.ts'

type Name = Exclude<EventName, 'participation.enrolled'>
type Change = Extract<Name, `participation.${string}`> extends `participation.${infer C}` ? C : never
type Days = { from: string; to: string | null } | null
type Told = { companyId: number; operationId: string; participationIds: string[]; changed: Days[] }

/** Tells of participations of an operation that changed together, with the days over which it is no longer the same. */
export async function tellMembers(tx: Db, change: Change, { companyId, operationId, participationIds, changed }: Told) {
  await requireInStep(tx, companyId, operationId)
  const days = cover(changed.flatMap((span) => span ?? []))
  const data = { operationId, participationIds, days }
  return record(tx, { companyId, name: `participation.${change}`, object: operationId, data })
}

import type { EventData, EventName } from '@voisol/contract/events'
import type { Db } from '../db/client.ts'
import { type Change, markStale } from './stale.ts'
import { markSums } from './sum-marks.ts'

type Days = { from: string; to: string | null }

const READINGS = 'Des relevés de cette période ont changé.'
/** Month by month, so that a correction of one day does not age a whole year of results. */
const newReadings = ({ readings }: Pick<EventData<'curves.received'>, 'readings'>): Change[] =>
  readings.flatMap(({ pointIds, days }) => days.map((span) => ({ pointIds, ...span, reason: READINGS })))

const ofOperation = (operationId: string, days: Days | null, reason: string): Change[] =>
  days ? [{ operationIds: [operationId], ...days, reason }] : []

const newMembers = ({ operationId, days }: EventData<'participation.changed'>) =>
  ofOperation(operationId, days, 'Des participations ont changé.')

const newKey = ({ operationId, number, days }: EventData<'key.changed'>) =>
  ofOperation(operationId, days, `La version ${number} de la clé de répartition a changé.`)

/** Which results no longer follow from their input. */
const AGED: { [N in EventName]?: (data: EventData<N>) => Change[] } = {
  'curves.imported': newReadings,
  'curves.received': newReadings,
  'participation.started': newMembers,
  'participation.enrolled': newMembers,
  'participation.changed': newMembers,
  'participation.removed': newMembers,
  'participation.transferred': newMembers,
  'key.adopted': newKey,
  'key.changed': newKey,
  'operation.updated': ({ operationId, days }) =>
    ofOperation(operationId, days, 'Le pas ou les plages horaires de l’opération ont changé.'),
  'operation.status-changed': ({ operationId, status, on }) =>
    ofOperation(operationId, status === 'closed' ? { from: on, to: null } : null, 'L’opération a été clôturée.'),
}

/** Who takes part and by which step is summed too; readings and runs mark their own days where they are written. */
const isSummed = (name: string) => name.startsWith('participation.') || name.startsWith('operation.')

export async function ageRuns<N extends EventName>(tx: Db, companyId: number, name: N, data: EventData<N>) {
  const changes = AGED[name]?.(data) ?? []
  for (const change of changes) await markStale(tx, companyId, change)
  if (isSummed(name)) await markSums(tx, companyId, changes)
}

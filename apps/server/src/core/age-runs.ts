import type { EventData, EventName } from '@voisol/contract/events'
import type { Db } from '../db/client.ts'
import { markRunsOutdated, type RunInvalidation } from './stale.ts'
import { markRollupsStale } from './sum-marks.ts'

type Days = { from: string; to: string | null }

const READINGS_CHANGED = 'Des relevés de cette période ont changé.'
/** Month by month, so that a correction of one day does not invalidate the results of a year. */
const toReadingChanges = ({ readings }: Pick<EventData<'curves.received'>, 'readings'>): RunInvalidation[] =>
  readings.flatMap(({ pointIds, days }) => days.map((span) => ({ pointIds, ...span, reason: READINGS_CHANGED })))

const toOperationChange = (operationId: string, days: Days | null, reason: string): RunInvalidation[] =>
  days ? [{ operationIds: [operationId], ...days, reason }] : []

const toMemberChanges = ({ operationId, days }: EventData<'participation.changed'>) =>
  toOperationChange(operationId, days, 'Des participations ont changé.')

const toKeyChanges = ({ operationId, number, days }: EventData<'key.changed'>) =>
  toOperationChange(operationId, days, `La version ${number} de la clé de répartition a changé.`)

/** The results that each event makes outdated. */
const CHANGES_BY_EVENT: { [N in EventName]?: (data: EventData<N>) => RunInvalidation[] } = {
  'curves.imported': toReadingChanges,
  'curves.received': toReadingChanges,
  'participation.started': toMemberChanges,
  'participation.enrolled': toMemberChanges,
  'participation.changed': toMemberChanges,
  'participation.removed': toMemberChanges,
  'participation.transferred': toMemberChanges,
  'key.adopted': toKeyChanges,
  'key.changed': toKeyChanges,
  'operation.updated': ({ operationId, days }) =>
    toOperationChange(operationId, days, 'Le pas ou les plages horaires de l’opération ont changé.'),
  'operation.status-changed': ({ operationId, status, on }) =>
    toOperationChange(operationId, status === 'closed' ? { from: on, to: null } : null, 'L’opération a été clôturée.'),
}

/** Members and step also affect the rollups; readings and runs mark their own days where they are written. */
const changesRollups = (name: string) => name.startsWith('participation.') || name.startsWith('operation.')

export async function invalidateAllocationRuns<N extends EventName>(
  tx: Db,
  companyId: number,
  name: N,
  data: EventData<N>,
) {
  const changes = CHANGES_BY_EVENT[name]?.(data) ?? []
  for (const change of changes) await markRunsOutdated(tx, companyId, change)
  if (changesRollups(name)) await markRollupsStale(tx, companyId, changes)
}

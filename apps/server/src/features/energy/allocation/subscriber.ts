import type { EventData } from '@voisol/contract/events'
import { formatCount, formatFrenchDay } from '@voisol/file-formats/french'
import { and, eq } from 'drizzle-orm'
import { formatMemberName as nameOfMeter } from '../../../core/operation-members.ts'
import { formatGaps } from '../../../core/readings.ts'
import type { Db } from '../../../db/client.ts'
import { operations } from '../../../db/schema/index.ts'
import type { Deps } from '../../../deps.ts'
import { defineSubscriber, type SubscribedEvent } from '../../../events/subscriber.ts'
import { notify } from '../../identity/notifications/index.ts'
import { findAllocationRun } from './allocation-runs.ts'
import { loadRunCompleteness } from './run-completeness.ts'

const formatPeriod = ({ from, to }: { from: string; to: string }) => {
  const last = Temporal.PlainDate.from(to).subtract({ days: 1 }).toString()
  return `du ${formatFrenchDay(from)} au ${formatFrenchDay(last)}`
}
const NUMBER_FORMAT = new Intl.NumberFormat('fr-FR')
const buildRunsAction = (operationId: string) => ({
  label: 'Voir la répartition',
  url: `/acc-operations/${operationId}/energy-distribution`,
})

async function loadOperationName(tx: Db, companyId: number, id: string): Promise<string | undefined> {
  const [row] = await tx
    .select({ name: operations.name })
    .from(operations)
    .where(and(eq(operations.companyId, companyId), eq(operations.id, id)))
  return row?.name
}

const MAX_NAMED_METERS = 3

/** Names the meters with missing data, so that the reader knows which ones to ask for. */
async function describeMetersWithoutData(tx: Db, companyId: number, runId: string): Promise<string> {
  const run = await findAllocationRun(tx, companyId, runId)
  const { members } = run ? await loadRunCompleteness(tx, run) : { members: null }
  const membersWithGaps = (members ?? []).filter(({ missing }) => missing > 0)
  if (!membersWithGaps.length) return ''
  const more = membersWithGaps.length - MAX_NAMED_METERS
  const named = membersWithGaps
    .slice(0, MAX_NAMED_METERS)
    .map((member) => `${nameOfMeter(member)}, ${formatGaps(member.gaps)}`)
  const rest = more > 0 ? `\u00a0; et ${formatCount(more, 'autre', 'autres')}` : ''
  return ` Sans relevé, ${membersWithGaps.length < 2 ? 'ce compteur n’a pas pris' : 'ces compteurs n’ont pas pris'} part au partage\u00a0: ${named.join('\u00a0; ')}${rest}.`
}

async function buildCompletedNotification(
  tx: Db,
  companyId: number,
  data: EventData<'allocation.completed'>,
  name: string,
) {
  const { excluded, steps, operationId, runId, ...period } = data
  const metersWithoutData = await describeMetersWithoutData(tx, companyId, runId)
  const excludedSentence =
    excluded === 0
      ? 'Tous les pas de temps ont été répartis.'
      : `${NUMBER_FORMAT.format(excluded)} pas de temps sur ${NUMBER_FORMAT.format(steps)} n’ont pas pu être répartis, faute de données.`
  return {
    type: excluded === 0 && !metersWithoutData ? 'success' : 'warning',
    priority: 'normal',
    title: `Répartition définitive calculée\u00a0: ${name}`,
    message: `La répartition ${formatPeriod(period)} est calculée. ${excludedSentence}${metersWithoutData}`,
    action: buildRunsAction(operationId),
    key: `allocation-done ${runId}`,
  } as const
}

const buildInvalidatedNotification = (
  { operationId, runId, reason, ...period }: EventData<'allocation.invalidated'>,
  name: string,
) =>
  ({
    type: 'warning',
    priority: 'high',
    title: `Répartition définitive à refaire\u00a0: ${name}`,
    message: `La répartition ${formatPeriod(period)} n’est plus à jour. ${reason} Un nouveau calcul montrera l’écart.`,
    action: buildRunsAction(operationId),
    key: `allocation-stale ${runId}`,
  }) as const

type AllocationEvent = SubscribedEvent<'allocation.completed' | 'allocation.invalidated'>

/** Provisional runs change often; only definitive ones are announced. */
async function notifyDefinitiveRun(tx: Db, deps: Deps, event: AllocationEvent) {
  const { companyId, at, data } = event
  const name = data.kind === 'definitive' ? await loadOperationName(tx, companyId, data.operationId) : undefined
  if (name === undefined) return
  const notification =
    event.name === 'allocation.completed'
      ? await buildCompletedNotification(tx, companyId, event.data, name)
      : buildInvalidatedNotification(event.data, name)
  const to = { permission: 'allocations.read', operationId: data.operationId } as const
  await notify(tx, deps, { companyId, at, to, category: 'operations', ...notification })
}

export const allocationSubscriber = defineSubscriber({
  name: 'allocations',
  on: ['allocation.completed', 'allocation.invalidated'],
  handle: notifyDefinitiveRun,
})

import type { EventData } from '@voisol/contract/events'
import { and, eq } from 'drizzle-orm'
import { gapWords } from '../../../core/gaps.ts'
import { nameOf as nameOfMeter } from '../../../core/members.ts'
import { type Heard, subscriber } from '../../../core/subscriber.ts'
import type { Db } from '../../../db/client.ts'
import { operations } from '../../../db/schema/index.ts'
import type { Deps } from '../../../deps.ts'
import { frenchDay, plural } from '../../../french.ts'
import { notify } from '../../people/notifications/notifications.ts'
import { runCompleteness } from './completeness.ts'
import { findRun } from './runs.ts'

const periodOf = ({ from, to }: { from: string; to: string }) => {
  const last = Temporal.PlainDate.from(to).subtract({ days: 1 }).toString()
  return `du ${frenchDay(from)} au ${frenchDay(last)}`
}
const number = new Intl.NumberFormat('fr-FR')
const action = (operationId: string) => ({
  label: 'Voir la répartition',
  url: `/acc-operations/${operationId}/energy-distribution`,
})

async function nameOf(tx: Db, companyId: number, id: string): Promise<string | undefined> {
  const [row] = await tx
    .select({ name: operations.name })
    .from(operations)
    .where(and(eq(operations.companyId, companyId), eq(operations.id, id)))
  return row?.name
}

const MOST = 3

/** The meters that had no figure at some time, by name: whoever reads it knows which one to ask for. */
async function silentOnes(tx: Db, companyId: number, runId: string): Promise<string> {
  const run = await findRun(tx, companyId, runId)
  const { members } = run ? await runCompleteness(tx, run) : { members: null }
  const silent = (members ?? []).filter(({ missing }) => missing > 0)
  if (!silent.length) return ''
  const more = silent.length - MOST
  const named = silent.slice(0, MOST).map((member) => `${nameOfMeter(member)}, ${gapWords(member.gaps)}`)
  const rest = more > 0 ? `\u00a0; et ${plural(more, 'autre', 'autres')}` : ''
  return ` Sans relevé, ${silent.length < 2 ? 'ce compteur n’a pas pris' : 'ces compteurs n’ont pas pris'} part au partage\u00a0: ${named.join('\u00a0; ')}${rest}.`
}

async function done(tx: Db, companyId: number, data: EventData<'allocation.completed'>, name: string) {
  const { excluded, steps, operationId, runId, ...period } = data
  const silent = await silentOnes(tx, companyId, runId)
  const left =
    excluded === 0
      ? 'Tous les pas de temps ont été répartis.'
      : `${number.format(excluded)} pas de temps sur ${number.format(steps)} n’ont pas pu être répartis, faute de données.`
  return {
    type: excluded === 0 && !silent ? 'success' : 'warning',
    priority: 'normal',
    title: `Répartition définitive calculée\u00a0: ${name}`,
    message: `La répartition ${periodOf(period)} est calculée. ${left}${silent}`,
    action: action(operationId),
    key: `allocation-done ${runId}`,
  } as const
}

const toRedo = ({ operationId, runId, reason, ...period }: EventData<'allocation.invalidated'>, name: string) =>
  ({
    type: 'warning',
    priority: 'high',
    title: `Répartition définitive à refaire\u00a0: ${name}`,
    message: `La répartition ${periodOf(period)} n’est plus à jour. ${reason} Un nouveau calcul montrera l’écart.`,
    action: action(operationId),
    key: `allocation-stale ${runId}`,
  }) as const

type Told = Heard<'allocation.completed' | 'allocation.invalidated'>

/** Provisional figures come and go; those that bills will rest on are announced. */
async function tell(tx: Db, deps: Deps, event: Told) {
  const { companyId, at, data } = event
  const name = data.kind === 'definitive' ? await nameOf(tx, companyId, data.operationId) : undefined
  if (name === undefined) return
  const words =
    event.name === 'allocation.completed' ? await done(tx, companyId, event.data, name) : toRedo(event.data, name)
  const to = { permission: 'allocations.read', operationId: data.operationId } as const
  await notify(tx, deps, { companyId, at, to, category: 'operations', ...words })
}

export const allocationSubscriber = subscriber({
  name: 'allocations',
  on: ['allocation.completed', 'allocation.invalidated'],
  handle: tell,
})

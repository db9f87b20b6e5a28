import { withDe } from '@voisol/contract/elision'
import type { EventData } from '@voisol/contract/events'
import { formatCount, formatFrenchDay, NBSP } from '@voisol/file-formats/french'
import { and, eq } from 'drizzle-orm'
import { loadPointName } from '../../../core/point-names.ts'
import type { Db } from '../../../db/client.ts'
import { participants } from '../../../db/schema/index.ts'
import type { Deps } from '../../../deps.ts'
import { defineSubscriber, type SubscribedEvent } from '../../../events/subscriber.ts'
import { notify } from '../../identity/notifications/index.ts'
import { DOUBTFUL_FAULT_CODE } from './blocked-points.ts'
import { formatRemedy } from './sync-errors.ts'

const LOG_ACTION = { label: 'Voir le journal', url: '/enedis-error-logs' }

async function findParticipantName(tx: Db, companyId: number, id: string): Promise<string | undefined> {
  const [row] = await tx
    .select({ name: participants.name })
    .from(participants)
    .where(and(eq(participants.companyId, companyId), eq(participants.id, id)))
  return row?.name
}

async function describeBlockedPoint(tx: Db, companyId: number, data: EventData<'point.blocked'>) {
  const point = await loadPointName(tx, companyId, data.pointId)
  const again =
    data.code === DOUBTFUL_FAULT_CODE && !data.retried ? ' Un nouvel essai sera fait dans vingt-quatre heures.' : ''
  return {
    type: 'error',
    priority: 'high',
    title: `Enedis ne donne plus les données du point ${point}`,
    message: `${data.explanation} Voisol n’interroge plus Enedis pour ce point.${again}\n${formatRemedy(data)}`,
    action: LOG_ACTION,
    key: `enedis-blocked ${data.pointId} ${data.code} ${data.since}`,
  } as const
}

const describeRefusedCredential = (data: EventData<'credential.refused'>) =>
  ({
    type: 'error',
    priority: 'high',
    title: 'Enedis refuse les identifiants enregistrés',
    message: `${data.explanation} La synchronisation est arrêtée.\n${formatRemedy(data)}`,
    action: LOG_ACTION,
    key: `enedis-refused ${data.credentialId} ${data.version} ${data.on}`,
  }) as const

async function describeExpiry(tx: Db, companyId: number, data: EventData<'expiry.approached'>) {
  const { kind, id, on, left, warning } = data
  const name = (await findParticipantName(tx, companyId, data.participantId)) ?? 'ce participant'
  const when = left === 0 ? 'aujourd’hui' : `dans ${formatCount(left, 'jour', 'jours')}, le ${formatFrenchDay(on)}`
  const what =
    kind === 'access'
      ? `L’accès aux données du point ${await loadPointName(tx, companyId, id)}`
      : `L’accord ${withDe(name ?? '')} pour la collecte de ses mesures`
  return {
    ...(left <= 7
      ? ({ type: 'error', priority: 'high' } as const)
      : ({ type: 'warning', priority: 'normal' } as const)),
    title: `${kind === 'access' ? 'Accès Enedis' : 'Accord'} bientôt terminé${NBSP}: ${name}`,
    message: `${what} se termine ${when}.\nÀ faire${NBSP}: demandez au participant de le renouveler avant cette date, sinon ses données n’arriveront plus.`,
    action: { label: 'Voir les participants', url: '/participants' },
    key: `expiry ${kind} ${id} ${kind === 'access' ? `${on} ` : ''}${warning}`,
  }
}

type SyncEvent = SubscribedEvent<'point.blocked' | 'credential.refused' | 'expiry.approached'>

const describeSyncEvent = (tx: Db, { companyId, ...event }: SyncEvent) =>
  event.name === 'point.blocked'
    ? describeBlockedPoint(tx, companyId, event.data)
    : event.name === 'credential.refused'
      ? describeRefusedCredential(event.data)
      : describeExpiry(tx, companyId, event.data)

export const syncSubscriber = defineSubscriber({
  name: 'sync',
  on: ['point.blocked', 'credential.refused', 'expiry.approached'],
  async handle(tx: Db, deps: Deps, event: SyncEvent) {
    const notification = await describeSyncEvent(tx, event)
    await notify(tx, deps, {
      companyId: event.companyId,
      at: event.at,
      to: { permission: 'sync.read' },
      category: 'distributor',
      ...notification,
    })
  },
})

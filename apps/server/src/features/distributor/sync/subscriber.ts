import { of } from '@voisol/contract/elision'
import type { EventData } from '@voisol/contract/events'
import { and, eq } from 'drizzle-orm'
import { namePoint } from '../../../core/point-label.ts'
import { type Heard, subscriber } from '../../../core/subscriber.ts'
import type { Db } from '../../../db/client.ts'
import { participants } from '../../../db/schema/index.ts'
import type { Deps } from '../../../deps.ts'
import { frenchDay, NBSP, plural } from '../../../french.ts'
import { notify } from '../../people/notifications/notifications.ts'
import { DOUBTFUL } from './block.ts'
import { toDo } from './errors.ts'

const LOG = { label: 'Voir le journal', url: '/enedis-error-logs' }

async function nameOf(tx: Db, companyId: number, id: string): Promise<string | undefined> {
  const [row] = await tx
    .select({ name: participants.name })
    .from(participants)
    .where(and(eq(participants.companyId, companyId), eq(participants.id, id)))
  return row?.name
}

async function blocked(tx: Db, companyId: number, data: EventData<'point.blocked'>) {
  const point = await namePoint(tx, companyId, data.pointId)
  const again = data.code === DOUBTFUL && !data.retried ? ' Un nouvel essai sera fait dans vingt-quatre heures.' : ''
  return {
    type: 'error',
    priority: 'high',
    title: `Enedis ne donne plus les données du point ${point}`,
    message: `${data.explanation} Voisol n’interroge plus Enedis pour ce point.${again}\n${toDo(data)}`,
    action: LOG,
    key: `enedis-blocked ${data.pointId} ${data.code} ${data.since}`,
  } as const
}

const refused = (data: EventData<'credential.refused'>) =>
  ({
    type: 'error',
    priority: 'high',
    title: 'Enedis refuse les identifiants enregistrés',
    message: `${data.explanation} La synchronisation est arrêtée.\n${toDo(data)}`,
    action: LOG,
    key: `enedis-refused ${data.credentialId} ${data.version} ${data.on}`,
  }) as const

async function expiring(tx: Db, companyId: number, data: EventData<'expiry.approached'>) {
  const { kind, id, on, left, warning } = data
  const name = (await nameOf(tx, companyId, data.participantId)) ?? 'ce participant'
  const when = left === 0 ? 'aujourd’hui' : `dans ${plural(left, 'jour', 'jours')}, le ${frenchDay(on)}`
  const what =
    kind === 'access'
      ? `L’accès aux données du point ${await namePoint(tx, companyId, id)}`
      : `L’accord ${of(name ?? '')} pour la collecte de ses mesures`
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

type Told = Heard<'point.blocked' | 'credential.refused' | 'expiry.approached'>

const wordsOf = (tx: Db, { companyId, ...event }: Told) =>
  event.name === 'point.blocked'
    ? blocked(tx, companyId, event.data)
    : event.name === 'credential.refused'
      ? refused(event.data)
      : expiring(tx, companyId, event.data)

export const syncSubscriber = subscriber({
  name: 'sync',
  on: ['point.blocked', 'credential.refused', 'expiry.approached'],
  async handle(tx: Db, deps: Deps, event: Told) {
    const words = await wordsOf(tx, event)
    await notify(tx, deps, {
      companyId: event.companyId,
      at: event.at,
      to: { permission: 'sync.read' },
      category: 'distributor',
      ...words,
    })
  },
})

import { APPLICATION_KIND_LABELS } from '@voisol/contract/joining-labels'
import { formatFrenchDay } from '@voisol/file-formats/french'
import { and, eq } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import { applications } from '../../../db/schema/index.ts'
import type { Deps } from '../../../deps.ts'
import { defineSubscriber } from '../../../events/subscriber.ts'
import { notify } from '../../identity/notifications/index.ts'
import { loadApplicationOperation } from './application-queries.ts'
import type { ApplicationRow } from './application-state.ts'

type ApplicationEvent = { row: ApplicationRow; operation: string; at: Date; seq: number }

const notifyOrganiser = (
  tx: Db,
  deps: Deps,
  { row, operation, at, seq }: ApplicationEvent,
  words: { title: string; message: string },
) =>
  notify(tx, deps, {
    companyId: row.companyId,
    at,
    to: { permission: 'participants.write', operationId: row.operationId },
    category: 'operations',
    type: 'info',
    priority: 'high',
    title: words.title,
    message: `${row.name}, ${operation}. ${words.message}`,
    key: `application ${row.id} ${seq}`,
    action: { label: 'Étudier la demande', url: `/applications?demande=${row.id}` },
  })

const DECISION_MESSAGES = {
  accepted: ({ effectiveOn }: ApplicationRow) => ({
    title: 'Votre départ est accepté',
    message: `Votre participation s’arrête le ${formatFrenchDay(effectiveOn ?? '')}.`,
  }),
  refused: ({ reason }: ApplicationRow) => ({
    title: 'Votre départ n’est pas accepté',
    message: reason,
  }),
}

/** An applicant has no portal yet and was informed by mail; a leaving member is also notified in the portal. */
async function notifyLeaver(
  tx: Db,
  deps: Deps,
  { row, at, seq }: ApplicationEvent,
  state: keyof typeof DECISION_MESSAGES,
) {
  if (!row.userId) return
  await notify(tx, deps, {
    companyId: row.companyId,
    at,
    to: [row.userId],
    category: 'account',
    type: 'info',
    priority: 'normal',
    ...DECISION_MESSAGES[state](row),
    key: `application ${row.id} ${seq}`,
    action: { label: 'Voir ma demande', url: '/client-portal/departure' },
  })
}

export const joiningSubscriber = defineSubscriber({
  name: 'joining',
  on: ['application.received', 'application.decided'],
  async handle(tx, deps, event) {
    const { companyId, at, seq, data } = event
    const one = and(eq(applications.companyId, companyId), eq(applications.id, data.applicationId))
    const [row] = await tx.select().from(applications).where(one)
    if (!row) return
    const told = { row, operation: (await loadApplicationOperation(tx, row)).name, at, seq }
    const kind = APPLICATION_KIND_LABELS[data.kind].toLowerCase()
    if (event.name === 'application.received')
      return notifyOrganiser(tx, deps, told, {
        title: data.kind === 'join' ? 'Une demande d’entrée' : 'Une demande de départ',
        message: `La demande (${kind}) est signée et attend votre décision.`,
      })
    if (event.data.state === 'withdrawn')
      return notifyOrganiser(tx, deps, told, {
        title: 'Une demande est retirée',
        message: `La demande (${kind}) n’attend plus de décision.`,
      })
    return notifyLeaver(tx, deps, told, event.data.state)
  },
})

import { EVENTS, type EventName } from '@voisol/contract/events'
import type { Destination, DestinationKind } from '@voisol/contract/flow-rules'
import { and, asc, eq, isNotNull, isNull } from 'drizzle-orm'
import type { z } from 'zod'
import type { Db } from '../../../db/client.ts'
import { connections, memberships, users, webhooks } from '../../../db/schema/index.ts'
import type { Deps } from '../../../deps.ts'
import { toStableId } from '../../../jobs/job.ts'
import { enqueue } from '../../../jobs/queue.ts'
import { buildBrandUrl, loadMailBrand, renderMail, sendMail } from '../../identity/mail/index.ts'
import { notify } from '../../identity/notifications/index.ts'
import { describeDeliveryBlock } from '../connections/index.ts'
import { addWebhookDelivery } from '../webhooks/index.ts'

type DestinationChoice = { id: string; label: string }
type FlowMessage = {
  companyId: number
  deliveryId: string
  rule: { id: string; name: string }
  event: EventName
  seq: number
  occurredAt: Date
  payload: object
}
type DestinationHandler = {
  /** The destinations of this kind that exist in a company. */
  all(db: Db, companyId: number): Promise<DestinationChoice[]>
  /** Delivers within `tx`; returns an error sentence when it cannot. */
  send(tx: Db, deps: Pick<Deps, 'secrets' | 'config'>, id: string, parcel: FlowMessage): Promise<string>
}

const listPeople = async (db: Db, companyId: number) => {
  const rows = await db
    .select({ id: users.id, email: users.email, firstName: users.firstName, lastName: users.lastName })
    .from(memberships)
    .innerJoin(users, eq(users.id, memberships.userId))
    .where(and(eq(memberships.companyId, companyId), isNotNull(memberships.acceptedAt), isNull(memberships.disabledAt)))
    .orderBy(asc(users.lastName), asc(users.firstName), asc(users.id))
  return rows.map((row) => ({ ...row, label: `${row.firstName} ${row.lastName}`.trim() || row.email }))
}

/** The connections that can send files. */
const listFileConnections = async (db: Db, companyId: number) => {
  const rows = await db
    .select({ id: connections.id, label: connections.name, kind: connections.kind, state: connections.state })
    .from(connections)
    .where(eq(connections.companyId, companyId))
    .orderBy(asc(connections.name), asc(connections.id))
  return rows.filter((row) => !describeDeliveryBlock({ ...row, state: 'active' }))
}

const PERSON_LEFT = 'Cette personne n’est plus dans votre organisation\u00a0: choisissez-en une autre dans la règle.'
const formatValue = (value: unknown) => (typeof value === 'object' ? JSON.stringify(value) : String(value))
const formatPayloadLines = (payload: object) =>
  Object.entries(payload).map(([key, value]) => `${key}\u00a0: ${formatValue(value)}`)
const buildParagraphs = ({ event, seq, payload }: FlowMessage) => [
  `Événement ${event}, numéro ${seq}.`,
  formatPayloadLines(payload).join('\n').slice(0, 4000),
]

/** Event subscribers must not open network connections: a job sends the file. */
const connectionHandler: DestinationHandler = {
  all: listFileConnections,
  async send(tx, _, id, { companyId, deliveryId }) {
    const blockReason = describeDeliveryBlock((await listFileConnections(tx, companyId)).find((one) => one.id === id))
    if (!blockReason) await enqueue(tx, 'flows.ship', { companyId, deliveryId })
    return blockReason
  },
}

/** The registry of destination kinds; a new kind needs one entry here and one in the contract. */
export const DESTINATION_HANDLERS: Record<DestinationKind, DestinationHandler> = {
  webhook: {
    all: async (db, companyId) => {
      const rows = await db
        .select({ id: webhooks.id, label: webhooks.url })
        .from(webhooks)
        .where(eq(webhooks.companyId, companyId))
        .orderBy(asc(webhooks.url), asc(webhooks.id))
      return rows
    },
    async send(tx, _, id, { companyId, event, seq, occurredAt, payload, rule }) {
      const where = and(eq(webhooks.companyId, companyId), eq(webhooks.id, id))
      const [row] = await tx.select({ status: webhooks.status }).from(webhooks).where(where)
      if (!row) return 'Ce webhook n’existe plus\u00a0: choisissez-en un autre dans la règle.'
      if (row.status === 'disabled') return 'Ce webhook est arrêté\u00a0: reprenez-le, puis rejouez.'
      await addWebhookDelivery(tx, companyId, id, { event, sequence: seq, occurredAt, data: payload, rule: rule.name })
      return ''
    },
  },
  mail: {
    all: listPeople,
    async send(tx, { secrets, config }, id, parcel) {
      const { companyId, rule, event, seq } = parcel
      const person = (await listPeople(tx, companyId)).find((one) => one.id === id)
      if (!person) return PERSON_LEFT
      const brand = await loadMailBrand(tx, config, companyId)
      const content = renderMail({
        title: EVENTS[event].label,
        paragraphs: buildParagraphs(parcel),
        action: { label: 'Voir les flux', url: buildBrandUrl(config, brand, '/admin/esb') },
        footer: `Vous recevez ce message par la règle «\u00a0${rule.name}\u00a0» de votre organisation.`,
        brand,
      })
      const mail = { to: person.email, subject: `${EVENTS[event].label} — ${rule.name}`, ...content }
      await sendMail(tx, secrets, mail, { id: toStableId(`flow ${companyId} ${rule.id} ${seq}`), companyId })
      return ''
    },
  },
  notification: {
    all: listPeople,
    async send(tx, deps, id, parcel) {
      const { companyId, rule, event, seq, occurredAt } = parcel
      if (!(await listPeople(tx, companyId)).some((one) => one.id === id)) return PERSON_LEFT
      await notify(tx, deps, {
        companyId,
        at: occurredAt,
        to: [id],
        category: 'system',
        type: 'info',
        priority: 'normal',
        title: `${EVENTS[event].label} — ${rule.name}`,
        message: buildParagraphs(parcel).join('\n'),
        action: { label: 'Voir les flux', url: '/admin/esb' },
        key: `flow ${rule.id} ${seq}`,
      })
      return ''
    },
  },
  connection: connectionHandler,
  job: connectionHandler,
}

/** Every destination that a rule of the company can use. */
export async function listDestinations(db: Db, companyId: number): Promise<z.output<typeof Destination>[]> {
  const found: z.output<typeof Destination>[] = []
  for (const kind of Object.keys(DESTINATION_HANDLERS) as DestinationKind[]) // the keys of the table
    for (const { id, label } of await DESTINATION_HANDLERS[kind].all(db, companyId)) found.push({ kind, id, label })
  return found
}

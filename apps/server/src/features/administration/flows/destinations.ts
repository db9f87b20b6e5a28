import { EVENTS, type EventName } from '@voisol/contract/events'
import type { Destination, DestinationKind } from '@voisol/contract/flow-rules'
import { and, asc, eq, isNotNull, isNull } from 'drizzle-orm'
import type { z } from 'zod'
import type { Db } from '../../../db/client.ts'
import { connections, memberships, users, webhooks } from '../../../db/schema/index.ts'
import type { Deps } from '../../../deps.ts'
import { jobId } from '../../../jobs/job.ts'
import { enqueue } from '../../../jobs/queue.ts'
import { brandUrl, mailBrandOf, mailLayout, sendMail } from '../../people/mail/mail.ts'
import { notify } from '../../people/notifications/notifications.ts'
import { troubleOf } from '../connections/connections.ts'
import { addDelivery } from '../webhooks/webhooks.ts'

type Place = { id: string; label: string }
export type Parcel = {
  companyId: number
  deliveryId: string
  rule: { id: string; name: string }
  event: EventName
  seq: number
  occurredAt: Date
  payload: object
}
type Kind = {
  /** What can be chosen in a company. */
  all(db: Db, companyId: number): Promise<Place[]>
  /** Hands it over in `tx`; a sentence where it cannot be. */
  send(tx: Db, deps: Pick<Deps, 'secrets' | 'config'>, id: string, parcel: Parcel): Promise<string>
}

const people = async (db: Db, companyId: number) => {
  const rows = await db
    .select({ id: users.id, email: users.email, firstName: users.firstName, lastName: users.lastName })
    .from(memberships)
    .innerJoin(users, eq(users.id, memberships.userId))
    .where(and(eq(memberships.companyId, companyId), isNotNull(memberships.acceptedAt), isNull(memberships.disabledAt)))
    .orderBy(asc(users.lastName), asc(users.firstName), asc(users.id))
  return rows.map((row) => ({ ...row, label: `${row.firstName} ${row.lastName}`.trim() || row.email }))
}

/** Those that carry files. */
const carriers = async (db: Db, companyId: number) => {
  const rows = await db
    .select({ id: connections.id, label: connections.name, kind: connections.kind, state: connections.state })
    .from(connections)
    .where(eq(connections.companyId, companyId))
    .orderBy(asc(connections.name), asc(connections.id))
  return rows.filter((row) => !troubleOf({ ...row, state: 'active' }))
}

const LEFT = 'Cette personne n’est plus dans votre organisation\u00a0: choisissez-en une autre dans la règle.'
const shown = (value: unknown) => (typeof value === 'object' ? JSON.stringify(value) : String(value))
const linesOf = (payload: object) => Object.entries(payload).map(([key, value]) => `${key}\u00a0: ${shown(value)}`)
const textOf = ({ event, seq, payload }: Parcel) => [
  `Événement ${event}, numéro ${seq}.`,
  linesOf(payload).join('\n').slice(0, 4000),
]

/** A line to somebody else's machine is not opened where events are heard: a job does it. */
const byConnection: Kind = {
  all: carriers,
  async send(tx, _, id, { companyId, deliveryId }) {
    const trouble = troubleOf((await carriers(tx, companyId)).find((one) => one.id === id))
    if (!trouble) await enqueue(tx, 'flows.ship', { companyId, deliveryId })
    return trouble
  },
}

/** The table of destinations: another kind is one row here and one in the contract. */
export const DESTINATIONS: Record<DestinationKind, Kind> = {
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
      await addDelivery(tx, companyId, id, { event, sequence: seq, occurredAt, data: payload, rule: rule.name })
      return ''
    },
  },
  mail: {
    all: people,
    async send(tx, { secrets, config }, id, parcel) {
      const { companyId, rule, event, seq } = parcel
      const person = (await people(tx, companyId)).find((one) => one.id === id)
      if (!person) return LEFT
      const brand = await mailBrandOf(tx, config, companyId)
      const content = mailLayout({
        title: EVENTS[event].label,
        paragraphs: textOf(parcel),
        action: { label: 'Voir les flux', url: brandUrl(config, brand, '/admin/esb') },
        footer: `Vous recevez ce message par la règle «\u00a0${rule.name}\u00a0» de votre organisation.`,
        brand,
      })
      const mail = { to: person.email, subject: `${EVENTS[event].label} — ${rule.name}`, ...content }
      await sendMail(tx, secrets, mail, { id: jobId(`flow ${companyId} ${rule.id} ${seq}`), companyId })
      return ''
    },
  },
  notification: {
    all: people,
    async send(tx, deps, id, parcel) {
      const { companyId, rule, event, seq, occurredAt } = parcel
      if (!(await people(tx, companyId)).some((one) => one.id === id)) return LEFT
      await notify(tx, deps, {
        companyId,
        at: occurredAt,
        to: [id],
        category: 'system',
        type: 'info',
        priority: 'normal',
        title: `${EVENTS[event].label} — ${rule.name}`,
        message: textOf(parcel).join('\n'),
        action: { label: 'Voir les flux', url: '/admin/esb' },
        key: `flow ${rule.id} ${seq}`,
      })
      return ''
    },
  },
  connection: byConnection,
  job: byConnection,
}

/** Everything a rule of the company may lead to. */
export async function destinationsOf(db: Db, companyId: number): Promise<z.output<typeof Destination>[]> {
  const found: z.output<typeof Destination>[] = []
  for (const kind of Object.keys(DESTINATIONS) as DestinationKind[]) // the keys of the table
    for (const { id, label } of await DESTINATIONS[kind].all(db, companyId)) found.push({ kind, id, label })
  return found
}

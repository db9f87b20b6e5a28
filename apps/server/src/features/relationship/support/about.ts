import type { TicketSubject, TicketSubjectView } from '@voisol/contract/support'
import { and, desc, eq } from 'drizzle-orm'
import { operationScope } from '../../../core/operation.ts'
import type { Db } from '../../../db/client.ts'
import { invoices, operations, points } from '../../../db/schema/index.ts'
import type { Actor } from '../../../http/actor.ts'
import { fieldError } from '../../../http/errors.ts'
import { pointScope } from '../../energy/participants/participants.ts'
import { invoiceScope } from '../../money/invoices/invoices.ts'
import { getDeskOfActor } from './scope.ts'

const LONG_DATE_FORMAT = new Intl.DateTimeFormat('fr-FR', { dateStyle: 'long', timeZone: 'UTC' })
const formatDayLabel = (day: string) => `Le ${LONG_DATE_FORMAT.format(new Date(`${day}T12:00:00Z`))}`
const formatPointLabel = (prm: string, label: string) => (label ? `${label} (${prm})` : `Point ${prm}`)

/** What one's last invoices, points and operations are called: as many as one chooses from at a glance. */
const MAX_CHOICES = 12
type TicketSubjectColumns = {
  aboutKind: TicketSubjectView['kind'] | null
  aboutId: string | null
  aboutDay: string | null
  aboutLabel: string
}
export const NO_TICKET_SUBJECT: TicketSubjectColumns = {
  aboutKind: null,
  aboutId: null,
  aboutDay: null,
  aboutLabel: '',
}

const SUBJECT_LOADERS = {
  invoice: (db: Db, actor: Actor, id?: string) =>
    db
      .select({ id: invoices.id, number: invoices.number })
      .from(invoices)
      .where(and(invoiceScope(actor), id ? eq(invoices.id, id) : undefined))
      .orderBy(desc(invoices.issuedOn), desc(invoices.number))
      .limit(MAX_CHOICES)
      .then((rows) => rows.map((row) => ({ id: row.id, label: `Facture ${row.number}` }))),
  point: (db: Db, actor: Actor, id?: string) =>
    db
      .select({ id: points.id, prm: points.prm, label: points.label })
      .from(points)
      .where(and(pointScope(actor), id ? eq(points.id, id) : undefined))
      .orderBy(points.prm, points.direction)
      .limit(MAX_CHOICES)
      .then((rows) => rows.map((row) => ({ id: row.id, label: formatPointLabel(row.prm, row.label) }))),
  operation: (db: Db, actor: Actor, id?: string) =>
    db
      .select({ id: operations.id, name: operations.name })
      .from(operations)
      .where(and(operationScope(actor), id ? eq(operations.id, id) : undefined))
      .orderBy(operations.name)
      .limit(MAX_CHOICES)
      .then((rows) => rows.map((row) => ({ id: row.id, label: row.name }))),
}

/** In the asker's own reach, or unknown: naming somebody else's would already tell that it is there. */
export async function requireTicketSubject(
  db: Db,
  actor: Actor,
  about: TicketSubject | null,
): Promise<TicketSubjectColumns> {
  if (!about) return NO_TICKET_SUBJECT
  if (about.kind === 'day')
    return { ...NO_TICKET_SUBJECT, aboutKind: 'day', aboutDay: about.day, aboutLabel: formatDayLabel(about.day) }
  const [found] = await SUBJECT_LOADERS[about.kind](db, actor, about.id)
  if (!found) throw fieldError('about', 'Cet objet n’est pas à vous, ou n’existe plus. Choisissez-en un autre.')
  return { ...NO_TICKET_SUBJECT, aboutKind: about.kind, aboutId: found.id, aboutLabel: found.label }
}

/** What one may name: of one's own in the portal; to the keeper of the installation, the operations. */
export async function listTicketSubjects(db: Db, actor: Actor): Promise<TicketSubjectView[]> {
  const kinds =
    getDeskOfActor(actor) === 'organiser' ? (['invoice', 'point', 'operation'] as const) : (['operation'] as const)
  const lists = await Promise.all(
    kinds.map(async (kind) => (await SUBJECT_LOADERS[kind](db, actor)).map((one) => ({ kind, day: null, ...one }))),
  )
  return lists.flat()
}

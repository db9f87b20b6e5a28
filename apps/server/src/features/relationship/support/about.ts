import type { About, AboutShown } from '@voisol/contract/support'
import { and, desc, eq } from 'drizzle-orm'
import { operationScope } from '../../../core/operation.ts'
import type { Db } from '../../../db/client.ts'
import { invoices, operations, points } from '../../../db/schema/index.ts'
import type { Actor } from '../../../http/actor.ts'
import { fieldError } from '../../../http/errors.ts'
import { pointScope } from '../../energy/participants/participants.ts'
import { invoiceScope } from '../../money/invoices/invoices.ts'
import { deskOf } from './scope.ts'

const LONG = new Intl.DateTimeFormat('fr-FR', { dateStyle: 'long', timeZone: 'UTC' })
const dayLabel = (day: string) => `Le ${LONG.format(new Date(`${day}T12:00:00Z`))}`
const prmLabel = (prm: string, label: string) => (label ? `${label} (${prm})` : `Point ${prm}`)

/** What one's last invoices, points and operations are called: as many as one chooses from at a glance. */
const MOST = 12
type Kept = {
  aboutKind: AboutShown['kind'] | null
  aboutId: string | null
  aboutDay: string | null
  aboutLabel: string
}
export const NOTHING: Kept = { aboutKind: null, aboutId: null, aboutDay: null, aboutLabel: '' }

const READERS = {
  invoice: (db: Db, actor: Actor, id?: string) =>
    db
      .select({ id: invoices.id, number: invoices.number })
      .from(invoices)
      .where(and(invoiceScope(actor), id ? eq(invoices.id, id) : undefined))
      .orderBy(desc(invoices.issuedOn), desc(invoices.number))
      .limit(MOST)
      .then((rows) => rows.map((row) => ({ id: row.id, label: `Facture ${row.number}` }))),
  point: (db: Db, actor: Actor, id?: string) =>
    db
      .select({ id: points.id, prm: points.prm, label: points.label })
      .from(points)
      .where(and(pointScope(actor), id ? eq(points.id, id) : undefined))
      .orderBy(points.prm, points.direction)
      .limit(MOST)
      .then((rows) => rows.map((row) => ({ id: row.id, label: prmLabel(row.prm, row.label) }))),
  operation: (db: Db, actor: Actor, id?: string) =>
    db
      .select({ id: operations.id, name: operations.name })
      .from(operations)
      .where(and(operationScope(actor), id ? eq(operations.id, id) : undefined))
      .orderBy(operations.name)
      .limit(MOST)
      .then((rows) => rows.map((row) => ({ id: row.id, label: row.name }))),
}

/** In the asker's own reach, or unknown: naming somebody else's would already tell that it is there. */
export async function requireAbout(db: Db, actor: Actor, about: About | null): Promise<Kept> {
  if (!about) return NOTHING
  if (about.kind === 'day')
    return { ...NOTHING, aboutKind: 'day', aboutDay: about.day, aboutLabel: dayLabel(about.day) }
  const [found] = await READERS[about.kind](db, actor, about.id)
  if (!found) throw fieldError('about', 'Cet objet n’est pas à vous, ou n’existe plus. Choisissez-en un autre.')
  return { ...NOTHING, aboutKind: about.kind, aboutId: found.id, aboutLabel: found.label }
}

/** What one may name: of one's own in the portal; to the keeper of the installation, the operations. */
export async function choicesFor(db: Db, actor: Actor): Promise<AboutShown[]> {
  const kinds = deskOf(actor) === 'organiser' ? (['invoice', 'point', 'operation'] as const) : (['operation'] as const)
  const lists = await Promise.all(
    kinds.map(async (kind) => (await READERS[kind](db, actor)).map((one) => ({ kind, day: null, ...one }))),
  )
  return lists.flat()
}

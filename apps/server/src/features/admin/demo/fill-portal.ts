import { and, asc, desc, eq, isNull, like, ne } from 'drizzle-orm'
import { type Db, scopeToCompany, transaction } from '../../../db/client.ts'
import {
  messages,
  messageTemplates,
  operations,
  participants,
  participations,
  points,
} from '../../../db/schema/index.ts'
import type { Deps } from '../../../deps.ts'
import type { Actor } from '../../../http/actor.ts'
import { seedApplication, seedJoinPage } from '../../portal/joining/index.ts'
import { seedMessage } from '../../portal/messages/index.ts'

const JOIN_ENTRIES = [
  {
    name: 'Camille Fayolle',
    firstName: 'Camille',
    lastName: 'Fayolle',
    email: 'camille.fayolle@demo.voisol.fr',
    phone: '06 12 00 34 56',
    address: '18 rue des Tilleuls',
    postalCode: '69007',
    city: 'Lyon',
    prm: '19388120475610',
    message: 'Nous venons d’emménager au troisième étage, et la gardienne nous a parlé des panneaux.',
  },
  {
    name: 'Rachid Benali',
    firstName: 'Rachid',
    lastName: 'Benali',
    email: 'rachid.benali@demo.voisol.fr',
    phone: '',
    address: '4 impasse du Verger',
    postalCode: '69007',
    city: 'Lyon',
    prm: '19388120475733',
    message: '',
  },
]
const DAY_MS = 86_400_000

/** Finds a consumer of the operation other than the published demo account. */
async function findLeaver(tx: Db, companyId: number, operationId: string) {
  const [row] = await tx
    .select({ id: participations.id, prm: points.prm, startsOn: participations.startsOn, person: participants })
    .from(participations)
    .innerJoin(points, and(eq(points.companyId, participations.companyId), eq(points.id, participations.pointId)))
    .innerJoin(
      participants,
      and(eq(participants.companyId, participations.companyId), eq(participants.id, participations.participantId)),
    )
    .where(
      and(
        eq(participations.companyId, companyId),
        eq(participations.operationId, operationId),
        eq(points.direction, 'consumption'),
        eq(points.storage, false),
        eq(participants.kind, 'person'),
        isNull(participations.endsOn),
        isNull(participants.userId),
        ne(participants.email, ''),
      ),
    )
    .orderBy(asc(participants.name), asc(points.prm))
    .limit(1)
  return row
}

/** Creates one operation open to applications, two applicants and one member who moves out. */
export async function fillJoining({ db, compute, files }: Deps, { companyId }: Actor): Promise<void> {
  await transaction(scopeToCompany(db, companyId), async (tx) => {
    const [operation] = await tx
      .select()
      .from(operations)
      .where(and(eq(operations.companyId, companyId), eq(operations.status, 'active')))
      .orderBy(desc(like(operations.name, '%Tilleuls%')), asc(operations.name))
      .limit(1)
    const page = operation && (await seedJoinPage(tx, operation))
    if (!page) return
    const making = { db: tx, compute, files }
    const daysAgo = (days: number) => new Date(Date.now() - days * DAY_MS)
    for (const [at, entry] of JOIN_ENTRIES.entries())
      await seedApplication(making, operation, page, { entry, at: daysAgo(at + 2) })
    const participation = await findLeaver(tx, companyId, operation.id)
    if (participation) await seedApplication(making, operation, page, { stay: participation, at: daysAgo(1) })
  })
}

const toParisDate = (today: string, days: number, plainTime: string) =>
  new Date(
    Temporal.PlainDate.from(today).add({ days }).toZonedDateTime({ timeZone: 'Europe/Paris', plainTime })
      .epochMilliseconds,
  )

/** Even when the demo is dated in the past, the scheduled message stays scheduled. */
const keepInFuture = (moment: Date) => new Date(Math.max(moment.getTime(), Date.now() + 9 * 86_400_000))

const SENT_MESSAGE = {
  subject: 'Entretien du toit de {{operation}}',
  body: 'Bonjour {{prenom}},\n\nLes panneaux de {{operation}} seront nettoyés jeudi entre 9 h et 12 h. La production locale baissera ce matin-là\u00a0; votre électricité, elle, ne sera pas coupée.\n\n{{agent}}, {{organisation}}',
}
const SCHEDULED_MESSAGE = {
  subject: 'Réunion des participants de {{operation}}',
  body: 'Bonjour {{prenom}},\n\nNous nous retrouvons le mois prochain pour regarder ensemble les chiffres de {{operation}}. Répondez à ce message pour dire si vous venez.\n\n{{agent}}',
}

/** Creates one message read by some recipients, one scheduled message and one template. */
export async function fillMessages(deps: Deps, actor: Actor, today: string): Promise<void> {
  const { companyId } = actor
  await transaction(scopeToCompany(deps.db, companyId), async (tx) => {
    const [known] = await tx
      .select({ id: messages.id })
      .from(messages)
      .where(eq(messages.companyId, companyId))
      .limit(1)
    const [operation] = await tx
      .select({ id: operations.id })
      .from(operations)
      .where(and(eq(operations.companyId, companyId), eq(operations.status, 'active')))
      .orderBy(asc(operations.name))
      .limit(1)
    if (known || !operation) return
    const place = { operationId: operation.id }
    await seedMessage(tx, actor, { ...SENT_MESSAGE, ...place, sendAt: toParisDate(today, -6, '10:20'), sent: true })
    await seedMessage(tx, actor, {
      ...SCHEDULED_MESSAGE,
      ...place,
      sendAt: keepInFuture(toParisDate(today, 9, '09:00')),
      sent: false,
    })
    await tx
      .insert(messageTemplates)
      .values({ companyId, name: 'Entretien du toit', ...SENT_MESSAGE })
      .onConflictDoNothing()
  })
}

import { and, asc, desc, eq, isNull, like, ne } from 'drizzle-orm'
import { type Db, scopeToCompany, transaction } from '../../../db/client.ts'
import { operations, participants, participations, points } from '../../../db/schema/index.ts'
import type { Deps } from '../../../deps.ts'
import type { Actor } from '../../../http/actor.ts'
import { seedApplication, seedJoinPage } from '../../relationship/joining/joining.ts'

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

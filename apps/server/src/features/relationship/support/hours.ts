import { DEFAULT_HOURS, type SupportHours } from '@voisol/contract/support-desk'
import type { Desk } from '@voisol/contract/support-words'
import { and, eq } from 'drizzle-orm'
import { siteCompany } from '../../../core/site-company.ts'
import type { Db } from '../../../db/client.ts'
import { supportHours } from '../../../db/schema/index.ts'
import type { Actor } from '../../../http/actor.ts'
import { AppError } from '../../../http/errors.ts'
import { requireVersion } from '../../../http/record-version.ts'
import { keeps } from './scope.ts'

/** The company that answers what is asked of a desk. */
export const answering = async (db: Db, { companyId, desk }: { companyId: number; desk: Desk }): Promise<number> =>
  desk === 'organiser' ? companyId : siteCompany(db)

async function readHours(db: Db, companyId: number, desk: Desk) {
  const [row] = await db
    .select()
    .from(supportHours)
    .where(and(eq(supportHours.companyId, companyId), eq(supportHours.desk, desk)))
  return { ...(row?.hours ?? DEFAULT_HOURS), version: row?.version ?? 0 }
}

/** When those who answer this ticket are open, and what they promise. */
export async function hoursOf(db: Db, ticket: { companyId: number; desk: Desk }): Promise<SupportHours> {
  return readHours(db, await answering(db, ticket), ticket.desk)
}

const requireDesk = (actor: Actor, desk: Desk) => {
  if (desk === 'keeper' && !keeps(actor)) throw new AppError('not-found')
}

export function ownHours(db: Db, actor: Actor, desk: Desk) {
  requireDesk(actor, desk)
  return readHours(db, actor.companyId, desk)
}

type Wanted = SupportHours & { desk: Desk; version: number }

/** What was promised already stays promised: other hours count for what is opened, or moves, from now on. */
export async function setHours(tx: Db, actor: Actor, { desk, version, ...hours }: Wanted) {
  requireDesk(actor, desk)
  const { companyId } = actor
  const before = await readHours(tx, companyId, desk)
  requireVersion(before, { ...hours, version })
  const value = { ...hours, days: [...new Set(hours.days)].sort() }
  await tx
    .insert(supportHours)
    .values({ companyId, desk, hours: value, version: 1 })
    .onConflictDoUpdate({
      target: [supportHours.companyId, supportHours.desk],
      set: { hours: value, version: version + 1 },
    })
  return { before, after: { ...value, version: version + 1 } }
}

import { DEFAULT_HOURS, type SupportHours } from '@voisol/contract/support-desk'
import type { SupportTeam } from '@voisol/contract/support-words'
import { and, eq } from 'drizzle-orm'
import { loadSiteOwnerId } from '../../../core/site-company.ts'
import type { Db } from '../../../db/client.ts'
import { supportHours } from '../../../db/schema/index.ts'
import type { Actor } from '../../../http/actor.ts'
import { AppError } from '../../../http/errors.ts'
import { requireCurrentVersion } from '../../../http/record-version.ts'
import { canManageInstallationSupport } from './scope.ts'

/** The company that answers what is asked of a desk. */
export const loadAnsweringCompanyId = async (
  db: Db,
  { companyId, desk }: { companyId: number; desk: SupportTeam },
): Promise<number> => (desk === 'organiser' ? companyId : loadSiteOwnerId(db))

async function loadHours(db: Db, companyId: number, desk: SupportTeam) {
  const [row] = await db
    .select()
    .from(supportHours)
    .where(and(eq(supportHours.companyId, companyId), eq(supportHours.desk, desk)))
  return { ...(row?.hours ?? DEFAULT_HOURS), version: row?.version ?? 0 }
}

/** When those who answer this ticket are open, and what they promise. */
export async function loadTicketHours(db: Db, ticket: { companyId: number; desk: SupportTeam }): Promise<SupportHours> {
  return loadHours(db, await loadAnsweringCompanyId(db, ticket), ticket.desk)
}

const requireDeskAccess = (actor: Actor, desk: SupportTeam) => {
  if (desk === 'keeper' && !canManageInstallationSupport(actor)) throw new AppError('not-found')
}

export function loadOwnSupportHours(db: Db, actor: Actor, desk: SupportTeam) {
  requireDeskAccess(actor, desk)
  return loadHours(db, actor.companyId, desk)
}

type SetSupportHoursInput = SupportHours & { desk: SupportTeam; version: number }

/** What was promised already stays promised: other hours count for what is opened, or moves, from now on. */
export async function setSupportHours(tx: Db, actor: Actor, { desk, version, ...hours }: SetSupportHoursInput) {
  requireDeskAccess(actor, desk)
  const { companyId } = actor
  const before = await loadHours(tx, companyId, desk)
  requireCurrentVersion(before, { ...hours, version })
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

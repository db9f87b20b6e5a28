import { and, eq, gt, inArray, isNull, or } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import { participations } from '../../../db/schema/index.ts'
import { getToday } from '../../../today.ts'
import { loadBuyers } from '../parties/parties.ts'
import { loadSettingsOn } from '../settings/settings.ts'
import type { CorrectionTerms, MonthComparison } from './judge.ts'

/** Buyers with no participation still running. */
async function loadDepartedBuyers(db: Db, companyId: number, buyers: string[], day: string): Promise<Set<string>> {
  if (!buyers.length) return new Set()
  const rows = await db
    .selectDistinct({ id: participations.participantId })
    .from(participations)
    .where(
      and(
        eq(participations.companyId, companyId),
        inArray(participations.participantId, buyers),
        or(isNull(participations.endsOn), gt(participations.endsOn, day)),
      ),
    )
  const here = new Set(rows.map(({ id }) => id))
  return new Set(buyers.filter((id) => !here.has(id)))
}

/** Whether the month is past the time limit for claiming more from a person. */
const isClaimExpired = (month: string, claimMonths: number, day: string) =>
  Temporal.PlainDate.from(`${month}-01`)
    .add({ months: 1 + claimMonths })
    .toString() <= day

/** Today's rules on withheld cents, buyers who left, and claims that are too old. */
export async function loadCorrectionTerms(
  db: Db,
  companyId: number,
  months: readonly MonthComparison[],
): Promise<CorrectionTerms> {
  const day = getToday()
  const settings = await loadSettingsOn(db, companyId, day)
  const pairs = months.flatMap(({ standing, clean }) => [...standing, ...clean])
  const ids = [...new Set(pairs.map(({ buyer }) => buyer))]
  const buyers = await loadBuyers(db, companyId, ids)
  const claimMonths = settings['correction.claimMonths'].value
  return {
    thresholdCents: settings['correction.heldCents'].value,
    left: await loadDepartedBuyers(db, companyId, ids, day),
    isOver: (month) => month.slice(0, 4) < day.slice(0, 4),
    isBarred: (month, buyer) => buyers.get(buyer)?.kind === 'person' && isClaimExpired(month, claimMonths, day),
  }
}

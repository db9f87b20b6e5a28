import { addDays } from '@voisol/energy/calendar'
import type { Db } from '../../../db/client.ts'
import { getToday } from '../../../today.ts'
import { loadSettingsOn } from '../../money/settings/settings.ts'

/** Days of notice that the distributor needs for a change of members, from the company's settings. */
async function loadDistributorNoticeDays(db: Db, companyId: number): Promise<number> {
  return (await loadSettingsOn(db, companyId, getToday()))['duty.movementDays'].value
}

type OperationStart = { startsOn: string | null }

/** The first day for which the distributor can still be notified, and not before the operation starts. */
export async function loadFirstEntryDay(db: Db, companyId: number, { startsOn }: OperationStart): Promise<string> {
  const earliest = addDays(getToday(), await loadDistributorNoticeDays(db, companyId))
  return startsOn && startsOn > earliest ? startsOn : earliest
}

type ExitNotice = { startsOn: string; noticeDays: number }

/** The notice period of the operation, or that of the distributor if longer. */
export async function loadFirstExitDay(
  db: Db,
  companyId: number,
  { startsOn, noticeDays }: ExitNotice,
): Promise<string> {
  const days = Math.max(noticeDays, await loadDistributorNoticeDays(db, companyId))
  const first = addDays(getToday(), days)
  return first > startsOn ? first : addDays(startsOn, 1)
}

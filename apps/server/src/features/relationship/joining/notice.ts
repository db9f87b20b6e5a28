import { addDays } from '@voisol/energy/calendar'
import type { Db } from '../../../db/client.ts'
import { getToday } from '../../../today.ts'
import { loadSettingsOn } from '../../money/settings/settings.ts'

/** The distributor is told of whoever comes or goes some days before, as the company's settings say. */
async function loadDistributorNoticeDays(db: Db, companyId: number): Promise<number> {
  return (await loadSettingsOn(db, companyId, getToday()))['duty.movementDays'].value
}

type OperationStart = { startsOn: string | null }

/** Nobody comes in before the distributor could be told, nor before the operation begins. */
export async function loadFirstEntryDay(db: Db, companyId: number, { startsOn }: OperationStart): Promise<string> {
  const earliest = addDays(getToday(), await loadDistributorNoticeDays(db, companyId))
  return startsOn && startsOn > earliest ? startsOn : earliest
}

type ExitNotice = { startsOn: string; noticeDays: number }

/** Whoever leaves gives the operation's notice, which is never shorter than the distributor's. */
export async function loadFirstExitDay(
  db: Db,
  companyId: number,
  { startsOn, noticeDays }: ExitNotice,
): Promise<string> {
  const days = Math.max(noticeDays, await loadDistributorNoticeDays(db, companyId))
  const first = addDays(getToday(), days)
  return first > startsOn ? first : addDays(startsOn, 1)
}

import { addDays } from '@voisol/energy/calendar'
import type { Db } from '../../../db/client.ts'
import { today } from '../../../today.ts'
import { settingsOn } from '../../money/settings/settings.ts'

/** The distributor is told of whoever comes or goes some days before, as the company's settings say. */
async function distributorDays(db: Db, companyId: number): Promise<number> {
  return (await settingsOn(db, companyId, today()))['duty.movementDays'].value
}

type Frame = { startsOn: string | null }

/** Nobody comes in before the distributor could be told, nor before the operation begins. */
export async function firstEntry(db: Db, companyId: number, { startsOn }: Frame): Promise<string> {
  const told = addDays(today(), await distributorDays(db, companyId))
  return startsOn && startsOn > told ? startsOn : told
}

type Stay = { startsOn: string; noticeDays: number }

/** Whoever leaves gives the operation's notice, which is never shorter than the distributor's. */
export async function firstExit(db: Db, companyId: number, { startsOn, noticeDays }: Stay): Promise<string> {
  const days = Math.max(noticeDays, await distributorDays(db, companyId))
  const first = addDays(today(), days)
  return first > startsOn ? first : addDays(startsOn, 1)
}

import type { RegulatoryObligation } from '@voisol/contract/regulatory'
import { and, eq } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import { dutyMarks } from '../../../db/schema/index.ts'
import { type Actor, formatActorName } from '../../../http/actor.ts'
import { AppError, fieldError } from '../../../http/errors.ts'
import { getToday } from '../../../today.ts'
import { loadSettingsOn } from '../../money/settings/settings.ts'
import { buildDuties, type DutyTerms } from './duties.ts'
import { loadDutyFacts } from './duty-facts.ts'

async function loadDutyTerms(db: Db, companyId: number, day: string): Promise<DutyTerms> {
  const settings = await loadSettingsOn(db, companyId, day)
  return {
    movementDays: settings['duty.movementDays'].value,
    coefficientDays: settings['duty.coefficientDays'].value,
    consentDays: settings['duty.consentDays'].value,
    vatDay: settings['duty.vatDay'].value,
    yearlyDays: settings['duty.yearlyDays'].value,
  }
}

/** The obligations of a company in a year, done or not. */
export async function loadDutyCalendar(db: Db, companyId: number, year: number): Promise<RegulatoryObligation[]> {
  const day = getToday()
  const terms = await loadDutyTerms(db, companyId, day)
  return buildDuties(await loadDutyFacts(db, companyId, year, terms, day), terms, year, day)
}

/** Finds an obligation by its key, in the surrounding years. */
async function requireDuty(db: Db, companyId: number, key: string): Promise<RegulatoryObligation> {
  const now = Number(getToday().slice(0, 4))
  for (const year of [now, now + 1, now - 1, now - 2]) {
    const found = (await loadDutyCalendar(db, companyId, year)).find((duty) => duty.key === key)
    if (found) return found
  }
  throw new AppError('not-found')
}

type MarkDutyInput = { key: string; doneOn: string; note: string }

export async function markDuty(tx: Db, actor: Actor, { key, doneOn, note }: MarkDutyInput) {
  const { companyId } = actor
  await requireDuty(tx, companyId, key)
  if (doneOn > getToday())
    throw fieldError('doneOn', 'Une obligation se note une fois remplie\u00a0: cette date est à venir.')
  const values = { doneOn, note, createdBy: formatActorName(actor) }
  await tx
    .insert(dutyMarks)
    .values({ companyId, duty: key, ...values })
    .onConflictDoUpdate({ target: [dutyMarks.companyId, dutyMarks.duty], set: values })
  return requireDuty(tx, companyId, key)
}

export async function unmarkDuty(tx: Db, actor: Actor, key: string) {
  const [removedMark] = await tx
    .delete(dutyMarks)
    .where(and(eq(dutyMarks.companyId, actor.companyId), eq(dutyMarks.duty, key)))
    .returning()
  if (!removedMark) throw new AppError('not-found')
  return removedMark
}

import type { Duty } from '@voisol/contract/regulatory'
import { and, eq } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import { dutyMarks } from '../../../db/schema/index.ts'
import { type Actor, nameOfActor } from '../../../http/actor.ts'
import { AppError, fieldError } from '../../../http/errors.ts'
import { today } from '../../../today.ts'
import { settingsOn } from '../../money/settings/settings.ts'
import { dutiesOf, type Terms } from './duties.ts'
import { factsOf } from './duty-facts.ts'

async function termsOn(db: Db, companyId: number, day: string): Promise<Terms> {
  const held = await settingsOn(db, companyId, day)
  return {
    movementDays: held['duty.movementDays'].value,
    coefficientDays: held['duty.coefficientDays'].value,
    consentDays: held['duty.consentDays'].value,
    vatDay: held['duty.vatDay'].value,
    yearlyDays: held['duty.yearlyDays'].value,
  }
}

/** What a company has to do in a year, done or not. */
export async function calendarOf(db: Db, companyId: number, year: number): Promise<Duty[]> {
  const day = today()
  const terms = await termsOn(db, companyId, day)
  return dutiesOf(await factsOf(db, companyId, year, terms, day), terms, year, day)
}

/** A duty by its name, in whichever of the years around it is due. */
async function findDuty(db: Db, companyId: number, key: string): Promise<Duty> {
  const now = Number(today().slice(0, 4))
  for (const year of [now, now + 1, now - 1, now - 2]) {
    const found = (await calendarOf(db, companyId, year)).find((duty) => duty.key === key)
    if (found) return found
  }
  throw new AppError('not-found')
}

type Word = { key: string; doneOn: string; note: string }

export async function markDuty(tx: Db, actor: Actor, { key, doneOn, note }: Word) {
  const { companyId } = actor
  await findDuty(tx, companyId, key)
  if (doneOn > today())
    throw fieldError('doneOn', 'Une obligation se note une fois remplie\u00a0: cette date est à venir.')
  const values = { doneOn, note, createdBy: nameOfActor(actor) }
  await tx
    .insert(dutyMarks)
    .values({ companyId, duty: key, ...values })
    .onConflictDoUpdate({ target: [dutyMarks.companyId, dutyMarks.duty], set: values })
  return findDuty(tx, companyId, key)
}

export async function unmarkDuty(tx: Db, actor: Actor, key: string) {
  const [gone] = await tx
    .delete(dutyMarks)
    .where(and(eq(dutyMarks.companyId, actor.companyId), eq(dutyMarks.duty, key)))
    .returning()
  if (!gone) throw new AppError('not-found')
  return gone
}

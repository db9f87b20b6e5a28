import { isDeepStrictEqual } from 'node:util'
import { SETTINGS } from '@voisol/contract/dated-settings'
import type { NewWord, Setting } from '@voisol/contract/settings'
import { and, count, eq, gte } from 'drizzle-orm'
import type { z } from 'zod'
import { lockCompany } from '../../../core/lock-company.ts'
import type { Db } from '../../../db/client.ts'
import { billingMonths, datedSettings } from '../../../db/schema/index.ts'
import { frenchDay, plural } from '../../../french.ts'
import { type Actor, nameOfActor } from '../../../http/actor.ts'
import { AppError } from '../../../http/errors.ts'
import { today } from '../../../today.ts'
import { toSetting, wordsOf } from './words.ts'

type Said = z.output<typeof NewWord>

export async function listSettings(db: Db, actor: Actor): Promise<Setting[]> {
  const day = today()
  return [...(await wordsOf(db, actor.companyId))].map(([name, words]) => toSetting(name, words, day))
}

/** What was closed or issued keeps the word it was made with: it is told how much of it there is. */
async function noteOf(tx: Db, companyId: number, from: string): Promise<string> {
  const [closed] = await tx
    .select({ months: count() })
    .from(billingMonths)
    .where(and(eq(billingMonths.companyId, companyId), gte(billingMonths.month, `${from.slice(0, 7)}-01`)))
  const start = `Cette valeur vaut à partir du ${frenchDay(from)}.`
  const kept = 'Ce qui est émis ne change pas.'
  return closed?.months
    ? `${start} ${plural(closed.months, 'mois déjà clos garde ses chiffres', 'mois déjà clos gardent leurs chiffres')}. ${kept}`
    : `${start} ${kept}`
}

/** Adds a word; one that says again what holds from that very day would be noise, and is refused. */
export async function saySetting(tx: Db, actor: Actor, { name, value, from, source }: Said) {
  const { companyId } = actor
  await lockCompany(tx, companyId)
  const before = (await wordsOf(tx, companyId)).get(name) ?? []
  const clean = SETTINGS[name].value.parse(value)
  const same = before.findLast((word) => word.from === from)
  if (same && same.source === source && isDeepStrictEqual(same.value, clean))
    throw new AppError('conflict', {
      message: `Cette valeur est déjà enregistrée au ${frenchDay(from)}, avec cette source.`,
    })
  await tx
    .insert(datedSettings)
    .values({ companyId, name, value: clean, startsOn: from, source, createdBy: nameOfActor(actor) })
  const words = (await wordsOf(tx, companyId)).get(name) ?? []
  return { ...toSetting(name, words, today()), note: await noteOf(tx, companyId, from) }
}

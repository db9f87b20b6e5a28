import { isDeepStrictEqual } from 'node:util'
import { SETTING_DEFINITIONS } from '@voisol/contract/dated-settings'
import type { NewSettingValue, Setting } from '@voisol/contract/settings'
import { formatCount, formatFrenchDay } from '@voisol/file-formats/french'
import { and, count, eq, gte } from 'drizzle-orm'
import type { z } from 'zod'
import { lockCompany } from '../../../core/company-state.ts'
import type { Db } from '../../../db/client.ts'
import { billingMonths, datedSettings } from '../../../db/schema/index.ts'
import { type Actor, formatActorName } from '../../../http/actor.ts'
import { AppError } from '../../../http/errors.ts'
import { getToday } from '../../../today.ts'
import { loadSettingHistory, toSetting } from './setting-history.ts'

type AddSettingValueInput = z.output<typeof NewSettingValue>

export async function listSettings(db: Db, actor: Actor): Promise<Setting[]> {
  const day = getToday()
  return [...(await loadSettingHistory(db, actor.companyId))].map(([name, words]) => toSetting(name, words, day))
}

/** Counts the closed months and issued documents that keep the previous value. */
async function loadChangeNote(tx: Db, companyId: number, from: string): Promise<string> {
  const [closed] = await tx
    .select({ months: count() })
    .from(billingMonths)
    .where(and(eq(billingMonths.companyId, companyId), gte(billingMonths.month, `${from.slice(0, 7)}-01`)))
  const start = `Cette valeur vaut à partir du ${formatFrenchDay(from)}.`
  const keptSentence = 'Ce qui est émis ne change pas.'
  return closed?.months
    ? `${start} ${formatCount(closed.months, 'mois déjà clos garde ses chiffres', 'mois déjà clos gardent leurs chiffres')}. ${keptSentence}`
    : `${start} ${keptSentence}`
}

/** Adds a dated value, and refuses one equal to the value already in force from that day. */
export async function addSettingValue(tx: Db, actor: Actor, { name, value, from, source }: AddSettingValueInput) {
  const { companyId } = actor
  await lockCompany(tx, companyId)
  const datedValuesBefore = (await loadSettingHistory(tx, companyId)).get(name) ?? []
  const parsedValue = SETTING_DEFINITIONS[name].value.parse(value)
  const same = datedValuesBefore.findLast((word) => word.from === from)
  if (same && same.source === source && isDeepStrictEqual(same.value, parsedValue))
    throw new AppError('conflict', {
      message: `Cette valeur est déjà enregistrée au ${formatFrenchDay(from)}, avec cette source.`,
    })
  await tx
    .insert(datedSettings)
    .values({ companyId, name, value: parsedValue, startsOn: from, source, createdBy: formatActorName(actor) })
  const datedValues = (await loadSettingHistory(tx, companyId)).get(name) ?? []
  return { ...toSetting(name, datedValues, getToday()), note: await loadChangeNote(tx, companyId, from) }
}

import type { BuyerUpdate } from '@voisol/contract/buyers'
import { and, eq } from 'drizzle-orm'
import type { z } from 'zod'
import type { Db } from '../../../db/client.ts'
import { buyerGroups, buyers, participants } from '../../../db/schema/index.ts'
import type { Actor } from '../../../http/actor.ts'
import { AppError, fieldError } from '../../../http/errors.ts'
import { requireVersion } from '../../../http/record-version.ts'
import { today } from '../../../today.ts'
import { settingsOn } from '../settings/settings.ts'
import { getBuyer } from './buyer-view.ts'

type Update = z.output<typeof BuyerUpdate>

async function requireGroup(tx: Db, { companyId }: Actor, groupId: string) {
  const [group] = await tx
    .select({ id: buyerGroups.id })
    .from(buyerGroups)
    .where(and(eq(buyerGroups.companyId, companyId), eq(buyerGroups.id, groupId)))
  if (!group) throw fieldError('groupId', 'Ce groupe n’existe pas dans votre organisation.', 'not-found')
}

async function requireClass(tx: Db, { companyId }: Actor, name: string) {
  const rates = (await settingsOn(tx, companyId, today()))['accise.rates'].value
  if (rates.some((rate) => rate.class === name)) return
  const known = rates.map((rate) => rate.class).join(', ')
  throw fieldError('acciseClass', `Cette classe n’a pas de tarif d’accise\u00a0: ${known} sont connues.`)
}

/** The sheet of the participant says what a SIRET must begin with. */
function requireAgreeing(sheet: typeof participants.$inferSelect, { siret }: Update) {
  if (siret && sheet.siren && !siret.startsWith(sheet.siren))
    throw fieldError(
      'siret',
      `Ce SIRET n’est pas celui du SIREN ${sheet.siren} de la fiche\u00a0: ses neuf premiers chiffres en diffèrent.`,
    )
}

/** Said for the first time or again; the sheet of the participant stays as it is. */
export async function saveBuyer(tx: Db, actor: Actor, id: string, input: Update) {
  const { companyId } = actor
  const [sheet] = await tx
    .select()
    .from(participants)
    .where(and(eq(participants.companyId, companyId), eq(participants.id, id)))
    .for('update')
  if (!sheet) throw new AppError('not-found')
  const before = await getBuyer(tx, actor, id)
  requireVersion(before, input)
  requireAgreeing(sheet, input)
  if (input.groupId !== null) await requireGroup(tx, actor, input.groupId)
  if (input.acciseClass && input.acciseClass !== before.acciseClass) await requireClass(tx, actor, input.acciseClass)
  const values = { ...input, version: before.version + 1 }
  await tx
    .insert(buyers)
    .values({ ...values, companyId, participantId: id })
    .onConflictDoUpdate({ target: [buyers.companyId, buyers.participantId], set: values })
  return { before, after: await getBuyer(tx, actor, id) }
}

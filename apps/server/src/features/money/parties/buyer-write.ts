import type { BuyerUpdate } from '@voisol/contract/buyers'
import { and, eq } from 'drizzle-orm'
import type { z } from 'zod'
import type { Db } from '../../../db/client.ts'
import { buyerGroups, buyers, participants } from '../../../db/schema/index.ts'
import type { Actor } from '../../../http/actor.ts'
import { AppError, fieldError } from '../../../http/errors.ts'
import { requireCurrentVersion } from '../../../http/record-version.ts'
import { getToday } from '../../../today.ts'
import { loadSettingsOn } from '../settings/settings.ts'
import { loadBuyer } from './buyer-view.ts'

type SaveBuyerInput = z.output<typeof BuyerUpdate>

async function requireBuyerGroup(tx: Db, { companyId }: Actor, groupId: string) {
  const [group] = await tx
    .select({ id: buyerGroups.id })
    .from(buyerGroups)
    .where(and(eq(buyerGroups.companyId, companyId), eq(buyerGroups.id, groupId)))
  if (!group) throw fieldError('groupId', 'Ce groupe n’existe pas dans votre organisation.', 'not-found')
}

async function requireAcciseClass(tx: Db, { companyId }: Actor, name: string) {
  const rates = (await loadSettingsOn(tx, companyId, getToday()))['accise.rates'].value
  if (rates.some((rate) => rate.class === name)) return
  const known = rates.map((rate) => rate.class).join(', ')
  throw fieldError('acciseClass', `Cette classe n’a pas de tarif d’accise\u00a0: ${known} sont connues.`)
}

/** A SIRET starts with the SIREN of the participant. */
function requireSiretOfSiren(participant: typeof participants.$inferSelect, { siret }: SaveBuyerInput) {
  if (siret && participant.siren && !siret.startsWith(participant.siren))
    throw fieldError(
      'siret',
      `Ce SIRET n’est pas celui du SIREN ${participant.siren} de la fiche\u00a0: ses neuf premiers chiffres en diffèrent.`,
    )
}

/** Saves billing details, for the first time or again; the participant itself is unchanged. */
export async function saveBuyer(tx: Db, actor: Actor, id: string, input: SaveBuyerInput) {
  const { companyId } = actor
  const [participant] = await tx
    .select()
    .from(participants)
    .where(and(eq(participants.companyId, companyId), eq(participants.id, id)))
    .for('update')
  if (!participant) throw new AppError('not-found')
  const before = await loadBuyer(tx, actor, id)
  requireCurrentVersion(before, input)
  requireSiretOfSiren(participant, input)
  if (input.groupId !== null) await requireBuyerGroup(tx, actor, input.groupId)
  if (input.acciseClass && input.acciseClass !== before.acciseClass)
    await requireAcciseClass(tx, actor, input.acciseClass)
  const values = { ...input, version: before.version + 1 }
  await tx
    .insert(buyers)
    .values({ ...values, companyId, participantId: id })
    .onConflictDoUpdate({ target: [buyers.companyId, buyers.participantId], set: values })
  return { before, after: await loadBuyer(tx, actor, id) }
}

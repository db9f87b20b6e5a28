import { type ImportedMandate, Rum } from '@voisol/contract/mandates'
import { and, asc, eq, ne } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import { mandates, participants } from '../../../db/schema/index.ts'
import { type Actor, formatActorName } from '../../../http/actor.ts'
import type { Secrets } from '../../../secrets.ts'
import { decryptIban, participantScope } from '../../energy/participants/participants.ts'
import { recordMandatesSigned } from './tell.ts'
import { requireMandateCreditor } from './text.ts'
import { insertMandate } from './write.ts'

type ParticipantRow = typeof participants.$inferSelect
type NotedMandate = { rum: string; iban: string; signedOn: string }

/** The mandate noted on a participant's page, or a sentence about what it lacks. */
async function parseNotedMandate(
  tx: Db,
  secrets: Secrets,
  participant: ParticipantRow,
): Promise<NotedMandate | string> {
  const rum = Rum.safeParse(participant.mandateReference)
  if (!rum.success) return `RUM\u00a0: ${rum.error.issues[0]?.message}`
  const iban = decryptIban(secrets, participant)
  if (!iban) return 'La fiche n’a pas d’IBAN\u00a0: enregistrez-le, ou faites signer un nouveau mandat.'
  if (!participant.mandateSignedOn)
    return 'La date de signature manque sur la fiche\u00a0: faites signer un nouveau mandat.'
  const own = and(eq(mandates.companyId, participant.companyId), eq(mandates.rum, rum.data))
  if (await tx.$count(mandates, own)) return `La référence ${rum.data} est déjà celle d’un autre mandat.`
  return { rum: rum.data, iban, signedOn: participant.mandateSignedOn }
}

/** Creates mandates from those noted on participants' pages and clears the notes, so that a mandate is stored once. */
export async function importNotedMandates(tx: Db, secrets: Secrets, actor: Actor, creditorId: string) {
  const { companyId } = actor
  await requireMandateCreditor(tx, companyId, creditorId)
  const participantRows = await tx
    .select()
    .from(participants)
    .where(and(participantScope(actor), ne(participants.mandateReference, '')))
    .orderBy(asc(participants.name))
    .for('no key update')
  const lines: ImportedMandate[] = []
  const made: Awaited<ReturnType<typeof insertMandate>>[] = []
  for (const [at, sheet] of participantRows.entries()) {
    const about = { line: at + 1, rum: sheet.mandateReference, participant: sheet.name }
    const ready = await parseNotedMandate(tx, secrets, sheet)
    if (typeof ready === 'string') {
      lines.push({ ...about, outcome: 'refused', message: ready })
      continue
    }
    const { rum, iban, signedOn } = ready
    const whose = { creditorId, participantId: sheet.id, holder: sheet.name.slice(0, 70) }
    const values = { ...whose, rum, signedOn, method: 'import', createdBy: formatActorName(actor) }
    made.push(await insertMandate(tx, secrets, companyId, iban, values))
    await tx
      .update(participants)
      .set({ mandateReference: '', mandateSignedOn: null })
      .where(and(eq(participants.companyId, companyId), eq(participants.id, sheet.id)))
    lines.push({ ...about, outcome: 'added', message: 'Repris.' })
  }
  await recordMandatesSigned(tx, companyId, made)
  const count = (outcome: ImportedMandate['outcome']) => lines.filter((line) => line.outcome === outcome).length
  return { added: count('added'), known: 0, refused: count('refused'), lines }
}

import type { BankUpdate } from '@voisol/contract/participants'
import type { z } from 'zod'
import { compactIban, ibanFault } from '../../../core/iban.ts'
import type { Db } from '../../../db/client.ts'
import type { Actor } from '../../../http/actor.ts'
import { fieldError } from '../../../http/errors.ts'
import { requireVersion } from '../../../http/record-version.ts'
import type { Secrets } from '../../../secrets.ts'
import type { ParticipantRow } from './identity.ts'
import { getParticipant } from './view.ts'
import { lockParticipant, saveParticipant } from './write.ts'

type Update = z.output<typeof BankUpdate>
const place = (companyId: number, id: string) => `iban ${companyId} ${id}`

/** For the collection of money alone: nothing shows it again. */
export const openIban = (
  secrets: Secrets,
  { companyId, id, iban }: Pick<ParticipantRow, 'companyId' | 'id' | 'iban'>,
) => (iban === null ? null : secrets.open(iban, place(companyId, id)))

function sealed(secrets: Secrets, { companyId, id }: ParticipantRow, text: string | undefined) {
  if (text === undefined) return {}
  const iban = compactIban(text)
  if (iban === '') return { iban: null, ibanEnd: '' }
  const fault = ibanFault(iban)
  if (fault) throw fieldError('iban', fault)
  return { iban: secrets.seal(iban, place(companyId, id)), ibanEnd: iban.slice(-4) }
}

export async function saveBank(tx: Db, secrets: Secrets, actor: Actor, id: string, input: Update) {
  const row = await lockParticipant(tx, actor, id)
  requireVersion(row, { version: input.version })
  await saveParticipant(tx, actor, id, sealed(secrets, row, input.iban))
  return { before: row, after: await getParticipant(tx, actor, id) }
}

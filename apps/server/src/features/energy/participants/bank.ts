import type { BankUpdate } from '@voisol/contract/participants'
import type { z } from 'zod'
import { compactIban, findIbanError } from '../../../core/iban.ts'
import type { Db } from '../../../db/client.ts'
import type { Actor } from '../../../http/actor.ts'
import { fieldError } from '../../../http/errors.ts'
import { requireCurrentVersion } from '../../../http/record-version.ts'
import type { Secrets } from '../../../secrets.ts'
import type { ParticipantRow } from './identity.ts'
import { loadParticipant } from './view.ts'
import { lockParticipant, updateParticipantRow } from './write.ts'

type UpdateBankInput = z.output<typeof BankUpdate>
const getIbanContext = (companyId: number, id: string) => `iban ${companyId} ${id}`

/** Only for collecting money: no screen shows the full IBAN. */
export const decryptIban = (
  secrets: Secrets,
  { companyId, id, iban }: Pick<ParticipantRow, 'companyId' | 'id' | 'iban'>,
) => (iban === null ? null : secrets.open(iban, getIbanContext(companyId, id)))

function encryptIban(secrets: Secrets, { companyId, id }: ParticipantRow, text: string | undefined) {
  if (text === undefined) return {}
  const iban = compactIban(text)
  if (iban === '') return { iban: null, ibanEnd: '' }
  const fault = findIbanError(iban)
  if (fault) throw fieldError('iban', fault)
  return { iban: secrets.seal(iban, getIbanContext(companyId, id)), ibanEnd: iban.slice(-4) }
}

export async function updateParticipantIban(
  tx: Db,
  secrets: Secrets,
  actor: Actor,
  id: string,
  input: UpdateBankInput,
) {
  const row = await lockParticipant(tx, actor, id)
  requireCurrentVersion(row, { version: input.version })
  await updateParticipantRow(tx, actor, id, encryptIban(secrets, row, input.iban))
  return { before: row, after: await loadParticipant(tx, actor, id) }
}

import { generateRegistrationOptions, verifyRegistrationResponse } from '@simplewebauthn/server'
import type { NewCredential, Passkey } from '@voisol/contract/passkeys'
import { and, asc, eq } from 'drizzle-orm'
import type { z } from 'zod'
import type { Db } from '../../../db/client.ts'
import { passkeys } from '../../../db/schema/index.ts'
import { AppError } from '../../../http/errors.ts'
import { requireCurrentVersion } from '../../../http/record-version.ts'
import type { UserAccount } from './accounts.ts'
import {
  consumePasskeyChallenge,
  createPasskeyChallenge,
  PASSKEY_CHALLENGE_SECONDS,
  type RelyingParty,
} from './passkey-challenges.ts'
import { buildUserHandle, type PasskeyRow, selectPasskeys } from './passkey-check.ts'

type AddPasskeyInput = { name: string; credential: z.output<typeof NewCredential> }

const toPasskey = ({ id, name, createdAt, lastUsedAt, version }: PasskeyRow): Passkey => ({
  id,
  name,
  createdAt: createdAt.toISOString(),
  lastUsedAt: lastUsedAt?.toISOString() ?? null,
  version,
})

const selectOwnPasskeys = (db: Db, userId: string) =>
  selectPasskeys(db).where(eq(passkeys.userId, userId)).orderBy(asc(passkeys.createdAt))

export const listPasskeys = async (db: Db, userId: string) => (await selectOwnPasskeys(db, userId)).map(toPasskey)

/** The user's own passkey, locked until the end of the transaction. */
export async function lockPasskey(tx: Db, userId: string, id: string): Promise<PasskeyRow> {
  const [row] = await tx
    .select()
    .from(passkeys)
    .where(and(eq(passkeys.id, id), eq(passkeys.userId, userId)))
    .for('update')
  if (!row) throw new AppError('not-found')
  return row
}

/** Every passkey must be able to sign in alone: discoverable and with user verification. */
export async function preparePasskey(tx: Db, party: RelyingParty, { id, email, firstName, lastName }: UserAccount) {
  const ownPasskeys = await selectOwnPasskeys(tx, id)
  const options = await generateRegistrationOptions({
    rpName: 'Voisol',
    rpID: party.id,
    userID: buildUserHandle(id),
    userName: email,
    userDisplayName: `${firstName} ${lastName}`,
    challenge: await createPasskeyChallenge(tx, id),
    timeout: PASSKEY_CHALLENGE_SECONDS * 1000,
    excludeCredentials: ownPasskeys.map(({ credentialId, transports }) => ({ id: credentialId, transports })),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  })
  return { ...options, rp: { name: 'Voisol', id: party.id } }
}

async function verifyRegistration(
  aside: Db,
  party: RelyingParty,
  userId: string,
  credential: AddPasskeyInput['credential'],
) {
  const { verified: good, registrationInfo } = await verifyRegistrationResponse({
    response: { ...credential, clientExtensionResults: {} },
    expectedChallenge: consumePasskeyChallenge(aside, userId),
    expectedOrigin: party.origin,
    expectedRPID: party.id,
    requireUserVerification: true,
  })
  if (!good) throw new AppError('passkey')
  return registrationInfo.credential
}

export async function addPasskey(
  tx: Db,
  aside: Db,
  party: RelyingParty,
  userId: string,
  { name, credential }: AddPasskeyInput,
) {
  const { id, publicKey, counter } = await verifyRegistration(aside, party, userId, credential).catch(() => {
    throw new AppError('passkey')
  })
  const transports = credential.response.transports ?? []
  const [row] = await tx
    .insert(passkeys)
    .values({ userId, credentialId: id, publicKey: Buffer.from(publicKey), counter, transports, name })
    .onConflictDoNothing()
    .returning()
  if (!row) throw new AppError('conflict', { message: 'Cette clé d’accès est déjà enregistrée.' })
  return toPasskey(row)
}

export async function renamePasskey(tx: Db, userId: string, id: string, input: { name: string; version: number }) {
  const before = await lockPasskey(tx, userId, id)
  requireCurrentVersion(before, input)
  await tx
    .update(passkeys)
    .set({ name: input.name, version: before.version + 1 })
    .where(eq(passkeys.id, id))
  const [row] = await selectPasskeys(tx).where(eq(passkeys.id, id))
  if (!row) throw new AppError('not-found')
  return { before: before.name, after: toPasskey(row) }
}

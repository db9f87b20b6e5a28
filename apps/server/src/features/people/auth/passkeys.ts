import { generateRegistrationOptions, verifyRegistrationResponse } from '@simplewebauthn/server'
import type { NewCredential, Passkey } from '@voisol/contract/passkeys'
import { and, asc, eq } from 'drizzle-orm'
import type { z } from 'zod'
import type { Db } from '../../../db/client.ts'
import { passkeys } from '../../../db/schema/index.ts'
import { AppError } from '../../../http/errors.ts'
import { requireVersion } from '../../../http/record-version.ts'
import type { Account } from './accounts.ts'
import { makeChallenge, type Party, spendChallenge, VALID_SECONDS } from './passkey-challenges.ts'
import { type Key, selectPasskeys, userHandle } from './passkey-check.ts'

type Added = { name: string; credential: z.output<typeof NewCredential> }

const toPasskey = ({ id, name, createdAt, lastUsedAt, version }: Key): Passkey => ({
  id,
  name,
  createdAt: createdAt.toISOString(),
  lastUsedAt: lastUsedAt?.toISOString() ?? null,
  version,
})

const ownRows = (db: Db, userId: string) =>
  selectPasskeys(db).where(eq(passkeys.userId, userId)).orderBy(asc(passkeys.createdAt))

export const listPasskeys = async (db: Db, userId: string) => (await ownRows(db, userId)).map(toPasskey)

/** One's own, held until the transaction ends. */
export async function lockPasskey(tx: Db, userId: string, id: string): Promise<Key> {
  const [row] = await tx
    .select()
    .from(passkeys)
    .where(and(eq(passkeys.id, id), eq(passkeys.userId, userId)))
    .for('update')
  if (!row) throw new AppError('not-found')
  return row
}

/** Every passkey can sign in alone: it is found by itself, and verifies its owner. */
export async function preparePasskey(tx: Db, party: Party, { id, email, firstName, lastName }: Account) {
  const known = await ownRows(tx, id)
  const options = await generateRegistrationOptions({
    rpName: 'Voisol',
    rpID: party.id,
    userID: userHandle(id),
    userName: email,
    userDisplayName: `${firstName} ${lastName}`,
    challenge: await makeChallenge(tx, id),
    timeout: VALID_SECONDS * 1000,
    excludeCredentials: known.map(({ credentialId, transports }) => ({ id: credentialId, transports })),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  })
  return { ...options, rp: { name: 'Voisol', id: party.id } }
}

async function verified(aside: Db, party: Party, userId: string, credential: Added['credential']) {
  const { verified: good, registrationInfo } = await verifyRegistrationResponse({
    response: { ...credential, clientExtensionResults: {} },
    expectedChallenge: spendChallenge(aside, userId),
    expectedOrigin: party.origin,
    expectedRPID: party.id,
    requireUserVerification: true,
  })
  if (!good) throw new AppError('passkey')
  return registrationInfo.credential
}

export async function addPasskey(tx: Db, aside: Db, party: Party, userId: string, { name, credential }: Added) {
  const { id, publicKey, counter } = await verified(aside, party, userId, credential).catch(() => {
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
  requireVersion(before, input)
  await tx
    .update(passkeys)
    .set({ name: input.name, version: before.version + 1 })
    .where(eq(passkeys.id, id))
  const [row] = await selectPasskeys(tx).where(eq(passkeys.id, id))
  if (!row) throw new AppError('not-found')
  return { before: before.name, after: toPasskey(row) }
}

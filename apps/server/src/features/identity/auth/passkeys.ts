import {
  generateRegistrationOptions,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from '@simplewebauthn/server'
import type { NewCredential, Passkey } from '@voisol/contract/passkeys'
import type { Assertion } from '@voisol/contract/reauthentication'
import { and, asc, eq, getTableColumns, lt, lte, sql } from 'drizzle-orm'
import type { z } from 'zod'
import type { Db } from '../../../db/client.ts'
import { passkeys, passkeyUses } from '../../../db/schema/index.ts'
import { AppError } from '../../../http/errors.ts'
import { requireCurrentVersion } from '../../../http/record-version.ts'
import type { UserAccount } from './accounts.ts'
import {
  consumePasskeyChallenge,
  createPasskeyChallenge,
  PASSKEY_CHALLENGE_SECONDS,
  type RelyingParty,
} from './passkey-challenges.ts'

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

type Credential = z.output<typeof Assertion>
type PasskeyRow = typeof passkeys.$inferSelect

/** The use count is stored in its own table; the previous release stored it with the passkey. */
const PASSKEY_COLUMNS = {
  ...getTableColumns(passkeys),
  counter: sql<number>`greatest(${passkeys.counter}, ${passkeyUses.counter})`.mapWith(passkeys.counter),
  lastUsedAt: sql<Date | null>`greatest(${passkeys.lastUsedAt}, ${passkeyUses.at})`.mapWith(passkeys.lastUsedAt),
}

const selectPasskeys = (db: Db) =>
  db.select(PASSKEY_COLUMNS).from(passkeys).leftJoin(passkeyUses, eq(passkeyUses.passkeyId, passkeys.id))

export const findPasskey = async (db: Db, credentialId: string): Promise<PasskeyRow | undefined> =>
  (await selectPasskeys(db).where(eq(passkeys.credentialId, credentialId)))[0]

const encodeUserHandle = (userId: string) => Buffer.from(userId.replaceAll('-', ''), 'hex').toString('base64url')
const buildUserHandle = (userId: string) => new Uint8Array(Buffer.from(encodeUserHandle(userId), 'base64url'))

/** Verifies the signature of the authenticator; every failure gives the same refusal. */
async function verifyAssertion(
  aside: Db,
  party: RelyingParty,
  key: PasskeyRow,
  credential: Credential,
): Promise<number> {
  const { userHandle: said } = credential.response
  if (said && said !== encodeUserHandle(key.userId)) throw new AppError('passkey')
  const { id, transports, counter } = { ...key, id: key.credentialId }
  const { verified, authenticationInfo } = await verifyAuthenticationResponse({
    response: { ...credential, clientExtensionResults: {} },
    expectedChallenge: consumePasskeyChallenge(aside, null),
    expectedOrigin: party.origin,
    expectedRPID: party.id,
    credential: { id, publicKey: new Uint8Array(key.publicKey), counter, transports },
    requireUserVerification: true,
  })
  if (!verified) throw new AppError('passkey')
  return authenticationInfo.newCounter
}

/** The passkey of a verified assertion. */
export async function authenticateWithPasskey(
  tx: Db,
  aside: Db,
  party: RelyingParty,
  credential: Credential,
): Promise<PasskeyRow> {
  const key = await findPasskey(tx, credential.id)
  if (!key) throw new AppError('passkey')
  const counter = await verifyAssertion(aside, party, key, credential).catch(() => {
    throw new AppError('passkey')
  })
  // The condition is in the update itself: when two assertions have the same count, one comes from a copied key and is
  // refused. Authenticators without a counter always send zero.
  const use = { counter, at: new Date() }
  const isLater = counter > 0 ? lt(passkeyUses.counter, counter) : lte(passkeyUses.counter, counter)
  const used = await tx
    .insert(passkeyUses)
    .values({ passkeyId: key.id, ...use })
    .onConflictDoUpdate({ target: passkeyUses.passkeyId, set: use, setWhere: isLater })
    .returning({ id: passkeyUses.passkeyId })
  if (!used.length) throw new AppError('passkey')
  return key
}

import { verifyAuthenticationResponse } from '@simplewebauthn/server'
import type { Assertion } from '@voisol/contract/assertion'
import { eq, getTableColumns, lt, lte, sql } from 'drizzle-orm'
import type { z } from 'zod'
import type { Db } from '../../../db/client.ts'
import { passkeys, passkeyUses } from '../../../db/schema/index.ts'
import { AppError } from '../../../http/errors.ts'
import { consumePasskeyChallenge, type RelyingParty } from './passkey-challenges.ts'

type Credential = z.output<typeof Assertion>
export type PasskeyRow = typeof passkeys.$inferSelect

/** The use count is stored in its own table; the previous release stored it with the passkey. */
const PASSKEY_COLUMNS = {
  ...getTableColumns(passkeys),
  counter: sql<number>`greatest(${passkeys.counter}, ${passkeyUses.counter})`.mapWith(passkeys.counter),
  lastUsedAt: sql<Date | null>`greatest(${passkeys.lastUsedAt}, ${passkeyUses.at})`.mapWith(passkeys.lastUsedAt),
}

export const selectPasskeys = (db: Db) =>
  db.select(PASSKEY_COLUMNS).from(passkeys).leftJoin(passkeyUses, eq(passkeyUses.passkeyId, passkeys.id))

export const findPasskey = async (db: Db, credentialId: string): Promise<PasskeyRow | undefined> =>
  (await selectPasskeys(db).where(eq(passkeys.credentialId, credentialId)))[0]

const encodeUserHandle = (userId: string) => Buffer.from(userId.replaceAll('-', ''), 'hex').toString('base64url')
export const buildUserHandle = (userId: string) => new Uint8Array(Buffer.from(encodeUserHandle(userId), 'base64url'))

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

import { verifyAuthenticationResponse } from '@simplewebauthn/server'
import type { Assertion } from '@voisol/contract/assertion'
import { and, eq, lte, sql } from 'drizzle-orm'
import type { z } from 'zod'
import type { Db } from '../../../db/client.ts'
import { passkeys } from '../../../db/schema/index.ts'
import { AppError } from '../../../http/errors.ts'
import { type Party, spendChallenge } from './passkey-challenges.ts'

type Credential = z.output<typeof Assertion>
type Row = typeof passkeys.$inferSelect

export const findPasskey = async (db: Db, credentialId: string): Promise<Row | undefined> =>
  (await db.select().from(passkeys).where(eq(passkeys.credentialId, credentialId)))[0]

const handleOf = (userId: string) => Buffer.from(userId.replaceAll('-', ''), 'hex').toString('base64url')
export const userHandle = (userId: string) => new Uint8Array(Buffer.from(handleOf(userId), 'base64url'))

/** Checks what the authenticator signed; whatever is wrong with it is one refusal. */
async function verify(aside: Db, party: Party, key: Row, credential: Credential): Promise<number> {
  const { userHandle: said } = credential.response
  if (said && said !== handleOf(key.userId)) throw new AppError('passkey')
  const { id, transports, counter } = { ...key, id: key.credentialId }
  const { verified, authenticationInfo } = await verifyAuthenticationResponse({
    response: { ...credential, clientExtensionResults: {} },
    expectedChallenge: spendChallenge(aside, null),
    expectedOrigin: party.origin,
    expectedRPID: party.id,
    credential: { id, publicKey: new Uint8Array(key.publicKey), counter, transports },
    requireUserVerification: true,
  })
  if (!verified) throw new AppError('passkey')
  return authenticationInfo.newCounter
}

/** The passkey that made this assertion, once it is sure that it did. */
export async function usePasskey(tx: Db, aside: Db, party: Party, credential: Credential): Promise<Row> {
  const key = await findPasskey(tx, credential.id)
  if (!key) throw new AppError('passkey')
  const counter = await verify(aside, party, key, credential).catch(() => {
    throw new AppError('passkey')
  })
  // The condition stands in the update itself: of two that bring the same use at once, one finds it counted.
  const [used] = await tx
    .update(passkeys)
    .set({ counter, lastUsedAt: sql`now()` })
    .where(and(eq(passkeys.id, key.id), lte(passkeys.counter, counter)))
    .returning()
  if (!used) throw new AppError('passkey')
  return used
}

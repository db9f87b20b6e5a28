import { randomBytes } from 'node:crypto'
import { and, eq, isNull, sql } from 'drizzle-orm'
import type { FastifyRequest } from 'fastify'
import type { Config } from '../../../config.ts'
import type { Db } from '../../../db/client.ts'
import { passkeyChallenges } from '../../../db/schema/index.ts'
import { getRequestOrigin } from '../../../http/client-address.ts'
import { sha256 } from '../../../secrets.ts'

export const PASSKEY_CHALLENGE_SECONDS = 300

export type RelyingParty = { id: string; origin: string }

/** The relying party of passkeys: the configured public address of the installation. */
export function getRelyingParty(request: FastifyRequest, { PUBLIC_URL }: Config): RelyingParty {
  const origin = getRequestOrigin(request, PUBLIC_URL)
  return { id: new URL(origin).hostname, origin }
}

/** For an account that adds a passkey, or for a sign-in. */
export async function createPasskeyChallenge(db: Db, userId: string | null) {
  // The library needs a plain array: a Buffer may be a view of a larger one.
  const challenge = new Uint8Array(randomBytes(32))
  const challengeHash = sha256(Buffer.from(challenge).toString('base64url'))
  const expiresAt = sql`now() + make_interval(secs => ${PASSKEY_CHALLENGE_SECONDS})`
  await db.insert(passkeyChallenges).values({ challengeHash, userId, expiresAt })
  return challenge
}

/** Runs outside the transaction of the call, so that a refused attempt uses its challenge too. */
export const consumePasskeyChallenge = (aside: Db, userId: string | null) => async (challenge: string) => {
  const { userId: owner, challengeHash, expiresAt } = passkeyChallenges
  const [spent] = await aside
    .delete(passkeyChallenges)
    .where(and(eq(challengeHash, sha256(challenge)), userId === null ? isNull(owner) : eq(owner, userId)))
    .returning({ expiresAt })
  return spent !== undefined && spent.expiresAt > new Date()
}

import { generateAuthenticationOptions } from '@simplewebauthn/server'
import { passkeys } from '@voisol/contract/passkeys'
import type { FastifyInstance } from 'fastify'
import { getClientNetwork } from '../../../http/client-address.ts'
import { AppError } from '../../../http/errors.ts'
import { addRoute } from '../../../http/route.ts'
import { refundAttempts, throttle } from '../../../http/throttle.ts'
import { notifyAccountOwner, SECURITY_NOTICES } from './account-mails.ts'
import { findAccount } from './accounts.ts'
import { requireHomeCompanyId } from './auth.ts'
import { requireOwnPassword } from './change-password.ts'
import { completeSignIn } from './complete-sign-in.ts'
import { lockConfirmedAccount } from './email-verification.ts'
import { createPasskeyChallenge, getRelyingParty, PASSKEY_CHALLENGE_SECONDS } from './passkey-challenges.ts'
import {
  addPasskey,
  authenticateWithPasskey,
  findPasskey,
  listPasskeys,
  lockPasskey,
  preparePasskey,
  renamePasskey,
} from './passkeys.ts'
import { createFirstRecoveryCodes, removePasskey } from './second-factor.ts'
import { addSecondFactorToSession } from './sessions.ts'
import { ATTEMPT_WINDOW_SECONDS, auditRefusals, toSignInAttempt } from './sign-in-attempts.ts'

const MAX_CHALLENGES_PER_WINDOW = 300
const MAX_SIGN_INS_PER_WINDOW = 100

export function passkeyRoutes(app: FastifyInstance) {
  passkeySignInRoutes(app)
  ownPasskeyRoutes(app)
}

function passkeySignInRoutes(app: FastifyInstance) {
  addRoute(app, passkeys.challenge, async (_, { db, aside, config, request }) => {
    await throttle(
      aside,
      `passkey challenge ${getClientNetwork(request.ip)}`,
      MAX_CHALLENGES_PER_WINDOW,
      ATTEMPT_WINDOW_SECONDS,
    )
    const options = await generateAuthenticationOptions({
      rpID: getRelyingParty(request, config).id,
      challenge: await createPasskeyChallenge(db, null),
      timeout: PASSKEY_CHALLENGE_SECONDS * 1000,
      userVerification: 'required',
    })
    const { challenge, rpId = '', timeout = 0 } = options
    return { challenge, rpId, timeout, userVerification: 'required' as const }
  })

  addRoute(app, passkeys.signIn, async ({ body: { credential } }, ctx) => {
    const { db, aside, request } = ctx
    const key = `passkey ${getClientNetwork(request.ip)}`
    const claimed = await findPasskey(db, credential.id)
    // Read without a lock, which would need every Citus node to be up.
    const owner = claimed && (await findAccount(db, claimed.userId))
    const attempt = toSignInAttempt(ctx, passkeys.signIn)
    const { user, companyId } = await auditRefusals(attempt, owner?.email ?? 'clé d’accès inconnue', async () => {
      await throttle(aside, key, MAX_SIGN_INS_PER_WINDOW, ATTEMPT_WINDOW_SECONDS)
      await authenticateWithPasskey(db, aside, attempt.party, credential)
      if (!owner) throw new AppError('passkey')
      return { user: owner, companyId: await requireHomeCompanyId(db, owner) }
    })
    await refundAttempts(aside, key)
    return completeSignIn(ctx, user, companyId, { openedWith: 'passkey' })
  })
}

function ownPasskeyRoutes(app: FastifyInstance) {
  addRoute(app, passkeys.list, async (_, { db, actor }) => ({ items: await listPasskeys(db, actor.userId) }))

  addRoute(app, passkeys.prepare, async ({ body }, { db, aside, actor, config, request }) => {
    // A stolen session must not be enough to add a passkey to the account.
    const user = await requireOwnPassword(db, aside, actor, body.password, 'password')
    await lockConfirmedAccount(db, actor)
    return passkeys.prepare.response.parse(await preparePasskey(db, getRelyingParty(request, config), user))
  })

  addRoute(app, passkeys.add, async ({ body }, ctx) => {
    const { db, aside, actor, config, request, note } = ctx
    const user = await lockConfirmedAccount(db, actor)
    const recoveryCodes = await createFirstRecoveryCodes(db, user)
    const passkey = await addPasskey(db, aside, getRelyingParty(request, config), actor.userId, body)
    await addSecondFactorToSession(db, actor, 'passkey')
    await notifyAccountOwner(db, ctx, actor, SECURITY_NOTICES.passkeyAdded, request)
    note({ target: passkey.name })
    return { passkey, recoveryCodes }
  })

  addRoute(app, passkeys.rename, async ({ params, body }, { db, actor, note }) => {
    const { before, after } = await renamePasskey(db, actor.userId, params.id, body)
    note({ target: after.name, detail: { before, after: after.name } })
    return after
  })

  addRoute(app, passkeys.remove, async ({ params, body }, ctx) => {
    const { db, aside, actor, request, note } = ctx
    const { id, name } = await lockPasskey(db, actor.userId, params.id)
    const user = await requireOwnPassword(db, aside, actor, body.password, 'password')
    await removePasskey(db, user, id, body.password)
    await notifyAccountOwner(db, ctx, actor, SECURITY_NOTICES.passkeyRemoved, request)
    note({ target: name })
    return { success: true as const }
  })
}

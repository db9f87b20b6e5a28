import { generateAuthenticationOptions } from '@simplewebauthn/server'
import { passkeys } from '@voisol/contract/passkeys'
import type { FastifyInstance } from 'fastify'
import { AppError } from '../../../http/errors.ts'
import { networkOf } from '../../../http/network.ts'
import { route } from '../../../http/route.ts'
import { forgive, throttle } from '../../../http/throttle.ts'
import { findAccount } from './accounts.ts'
import { homeCompany } from './auth.ts'
import { requireConfirmedAddress } from './confirm-address.ts'
import { enter } from './enter.ts'
import { NOTICES, tellOwner } from './notices.ts'
import { requireOwnPassword } from './own-password.ts'
import { makeChallenge, partyOf, VALID_SECONDS } from './passkey-challenges.ts'
import { findPasskey, usePasskey } from './passkey-check.ts'
import { addPasskey, listPasskeys, lockPasskey, preparePasskey, renamePasskey } from './passkeys.ts'
import { attemptOf, recordingRefusals, WINDOW } from './refusals.ts'
import { firstRecoveryCodes, removePasskey } from './second-factor-setup.ts'
import { addSecondFactorToSession } from './sessions.ts'

const CHALLENGES = 300
const ATTEMPTS = 100

export function passkeyRoutes(app: FastifyInstance) {
  entranceRoutes(app)
  ownRoutes(app)
}

function entranceRoutes(app: FastifyInstance) {
  route(app, passkeys.challenge, async (_, { db, aside, config, request }) => {
    await throttle(aside, `passkey challenge ${networkOf(request.ip)}`, CHALLENGES, WINDOW)
    const options = await generateAuthenticationOptions({
      rpID: partyOf(request, config).id,
      challenge: await makeChallenge(db, null),
      timeout: VALID_SECONDS * 1000,
      userVerification: 'required',
    })
    const { challenge, rpId = '', timeout = 0 } = options
    return { challenge, rpId, timeout, userVerification: 'required' as const }
  })

  route(app, passkeys.signIn, async ({ body: { credential } }, ctx) => {
    const { db, aside, request } = ctx
    const key = `passkey ${networkOf(request.ip)}`
    const claimed = await findPasskey(db, credential.id)
    // Read and not held: every machine of a cluster would have to be there.
    const owner = claimed && (await findAccount(db, claimed.userId))
    const attempt = attemptOf(ctx, passkeys.signIn)
    const { user, companyId } = await recordingRefusals(attempt, owner?.email ?? 'clé d’accès inconnue', async () => {
      await throttle(aside, key, ATTEMPTS, WINDOW)
      await usePasskey(db, aside, attempt.party, credential)
      if (!owner) throw new AppError('passkey')
      return { user: owner, companyId: await homeCompany(db, owner) }
    })
    await forgive(aside, key)
    return enter(ctx, user, companyId, { openedWith: 'passkey' })
  })
}

function ownRoutes(app: FastifyInstance) {
  route(app, passkeys.list, async (_, { db, actor }) => ({ items: await listPasskeys(db, actor.userId) }))

  route(app, passkeys.prepare, async ({ body }, { db, aside, actor, config, request }) => {
    // A stolen session must not be enough to leave a key of one's own in the account.
    const user = await requireOwnPassword(db, aside, actor, body.password, 'password')
    await requireConfirmedAddress(db, actor)
    return passkeys.prepare.response.parse(await preparePasskey(db, partyOf(request, config), user))
  })

  route(app, passkeys.add, async ({ body }, ctx) => {
    const { db, aside, actor, config, request, note } = ctx
    const user = await requireConfirmedAddress(db, actor)
    const recoveryCodes = await firstRecoveryCodes(db, user)
    const passkey = await addPasskey(db, aside, partyOf(request, config), actor.userId, body)
    await addSecondFactorToSession(db, actor, 'passkey')
    await tellOwner(db, ctx, actor, NOTICES.passkeyAdded, request)
    note({ target: passkey.name })
    return { passkey, recoveryCodes }
  })

  route(app, passkeys.rename, async ({ params, body }, { db, actor, note }) => {
    const { before, after } = await renamePasskey(db, actor.userId, params.id, body)
    note({ target: after.name, detail: { before, after: after.name } })
    return after
  })

  route(app, passkeys.remove, async ({ params, body }, ctx) => {
    const { db, aside, actor, request, note } = ctx
    const { id, name } = await lockPasskey(db, actor.userId, params.id)
    const user = await requireOwnPassword(db, aside, actor, body.password, 'password')
    await removePasskey(db, user, id, body.password)
    await tellOwner(db, ctx, actor, NOTICES.passkeyRemoved, request)
    note({ target: name })
    return { success: true as const }
  })
}

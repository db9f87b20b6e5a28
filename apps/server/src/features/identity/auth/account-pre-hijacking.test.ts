import { endpoints } from '@voisol/contract'
import { apiKeys as keyEndpoints } from '@voisol/contract/api-keys'
import { auth } from '@voisol/contract/auth'
import { connections as connectionEndpoints } from '@voisol/contract/connections'
import type { Endpoint } from '@voisol/contract/endpoint'
import { operations } from '@voisol/contract/operations'
import { ownFeed } from '@voisol/contract/own-feed'
import { passkeys as passkeyEndpoints } from '@voisol/contract/passkeys'
import { permissions } from '@voisol/contract/permissions'
import { sso } from '@voisol/contract/sso'
import { users as userEndpoints } from '@voisol/contract/users'
import { and, eq } from 'drizzle-orm'
import { beforeEach, describe, expect, test } from 'vitest'
import { createAuthenticator } from '../../../../test/authenticator.ts'
import { call } from '../../../../test/client.ts'
import { makeApiKey, makeSession, makeUser, PASSWORD } from '../../../../test/factories.ts'
import { waitForLink } from '../../../../test/mails.ts'
import { useServer } from '../../../../test/server.ts'
import { transaction } from '../../../db/client.ts'
import {
  apiKeys,
  companies,
  memberships,
  passkeys,
  recoveryCodes,
  sessions,
  ssoPeople,
  throttles,
  users,
} from '../../../db/schema/index.ts'
import { authenticateSession } from '../../../http/session.ts'
import { sha256 } from '../../../secrets.ts'
import { confirmUserAddress, lockConfirmedAccount } from './email-verification.ts'
import { buildTotp, hashRecoveryCode } from './second-factor.ts'

const ORIGIN = 'https://energie.exemple.fr'
const server = useServer({ PUBLIC_URL: ORIGIN })
beforeEach(async () => void (await server.db.delete(throttles)))

const SQUATTER = 'le secret du squatteur'
const OWNER = 'la vraie phrase de sa propriétaire'
let count = 0

/** Registers an address that belongs to somebody else. */
async function squat() {
  const email = `victime${++count}@exemple.fr`
  const names = { firstName: 'Ana', lastName: 'Roux', companyName: 'Essai' }
  const { body } = await call(server, auth.register, { body: { ...names, email, password: SQUATTER } })
  return { email, token: String(body.token), id: String(body.user.id), companyId: Number(body.user.companyId) }
}
type Squatter = Awaited<ReturnType<typeof squat>>

/** Adds every credential that the previous release allowed before confirmation. */
async function entrench({ id, companyId }: Squatter) {
  const key = createAuthenticator(ORIGIN)
  const { challenge } = (await call(server, passkeyEndpoints.challenge)).body
  await server.db.insert(passkeys).values({
    userId: id,
    credentialId: key.id,
    publicKey: Buffer.from('cle'),
    counter: 0,
    transports: [],
    name: 'Clé du squatteur',
  })
  await server.db.update(users).set({ totpSecret: 'scellé', totpEnabledAt: new Date() }).where(eq(users.id, id))
  await server.db.insert(recoveryCodes).values({ userId: id, codeHash: hashRecoveryCode('abcd-efgh-jkmn') })
  await server.db
    .insert(ssoPeople)
    .values({ companyId, connectionId: await makeConnection(companyId), userId: id, subject: 'squatteur' })
  const apiKey = await makeApiKey(server.db, { id, companyId }, { permissions: [...permissions] })
  return { key, challenge: String(challenge), apiKey, session: await makeSession(server.db, id, companyId) }
}

async function makeConnection(companyId: number): Promise<string> {
  const { rows } = await server.db.execute<{ id: string }>(
    `insert into sso_connections (company_id, name, kind) values (${companyId}, 'Ancienne', 'oidc') returning id`,
  )
  return rows[0]?.id ?? ''
}

const readAccountState = async ({ id, companyId }: Squatter) => {
  const [user] = await server.db.select().from(users).where(eq(users.id, id))
  const openKeys = await server.db.select().from(apiKeys).where(eq(apiKeys.makerId, id))
  return {
    verified: user?.emailVerifiedAt !== null,
    hasPassword: user?.passwordHash !== null,
    secondFactor: user?.totpSecret ?? user?.totpEnabledAt ?? null,
    passkeys: await server.db.$count(passkeys, eq(passkeys.userId, id)),
    recoveryCodes: await server.db.$count(recoveryCodes, eq(recoveryCodes.userId, id)),
    sessions: await server.db.$count(sessions, eq(sessions.userId, id)),
    ssoPeople: await server.db.$count(ssoPeople, and(eq(ssoPeople.userId, id), eq(ssoPeople.companyId, companyId))),
    openKeys: openKeys.filter(({ revokedAt }) => !revokedAt).length,
  }
}
const NOTHING = {
  verified: true,
  hasPassword: true,
  secondFactor: null,
  passkeys: 0,
  recoveryCodes: 0,
  sessions: 0,
  ssoPeople: 0,
  openKeys: 0,
}

describe('an address registered by somebody else', () => {
  test('reset by its owner, keeps only the new password and the business data', async () => {
    const squatter = await squat()
    const { session, apiKey } = await entrench(squatter)
    await call(server, auth.forgotPassword, { body: { email: squatter.email } })
    const token = await waitForLink(server, squatter.email, 'reset')
    expect((await call(server, auth.resetPassword, { body: { token, password: OWNER } })).status).toBe(200)
    expect(await readAccountState(squatter)).toEqual(NOTHING)
    for (const old of [squatter.token, session, apiKey])
      expect((await call(server, operations.list, {}, { token: old })).status).toBe(401)
    const login = (password: string) => call(server, auth.login, { body: { email: squatter.email, password } })
    expect((await login(SQUATTER)).body.code).toBe('credentials')
    const owner = await login(OWNER)
    expect(owner.body).toMatchObject({ success: true, user: { companyId: squatter.companyId, emailVerified: true } })
  })

  test('reset by its owner, refuses a passkey whose challenge was requested before', async () => {
    const squatter = await squat()
    const { key, challenge } = await entrench(squatter)
    await transaction(server.db, (tx) => confirmUserAddress(tx, squatter.id, { password: false }))
    const answer = await call(server, passkeyEndpoints.signIn, { body: { credential: key.get(challenge) } })
    expect(answer.body.code).toBe('passkey')
  })

  test('joined by an invitation with its password, loses the other credentials', async () => {
    const squatter = await squat()
    await entrench(squatter)
    // The old second factor would be required: its owner sets a new password instead.
    await server.db.update(users).set({ totpSecret: null, totpEnabledAt: null }).where(eq(users.id, squatter.id))
    await server.db.delete(passkeys).where(eq(passkeys.userId, squatter.id))
    const host = await makeUser(server.db)
    const invitation = { email: squatter.email, firstName: 'Ana', lastName: 'Roux', role: 'client' }
    await call(server, userEndpoints.invite, { body: invitation }, host)
    const params = { token: await waitForLink(server, squatter.email, 'invitation') }
    const body = { firstName: 'Ana', lastName: 'Roux', password: SQUATTER }
    expect((await call(server, auth.acceptInvitation, { params, body })).status).toBe(200)
    expect(await readAccountState(squatter)).toEqual({ ...NOTHING, sessions: 1 })
    expect((await call(server, auth.me, {}, { token: squatter.token })).status).toBe(401)
  })

  test('confirmed by link with the password, ends the open sessions', async () => {
    const squatter = await squat()
    await entrench(squatter)
    const token = await waitForLink(server, squatter.email, 'verify')
    const answer = await call(server, auth.verifyEmail, { body: { token, password: SQUATTER } })
    expect(answer.status).toBe(200)
    expect(await readAccountState(squatter)).toEqual(NOTHING)
  })

  test('confirmed by link in a signed-in browser, keeps that session and the password', async () => {
    const person = await squat()
    const { session } = await entrench(person)
    const token = await waitForLink(server, person.email, 'verify')
    expect((await call(server, auth.verifyEmail, { body: { token } }, person)).status).toBe(200)
    expect(await readAccountState(person)).toEqual({ ...NOTHING, sessions: 1 })
    expect((await call(server, auth.me, {}, person)).body.emailVerified).toBe(true)
    expect((await call(server, auth.me, {}, { token: session })).status).toBe(401)
    const kept = await call(server, auth.login, { body: { email: person.email, password: SQUATTER } })
    expect(kept.status).toBe(200)
  })

  test('confirmed by SSO, keeps no password', async () => {
    const squatter = await squat()
    await entrench(squatter)
    await transaction(server.db, (tx) => confirmUserAddress(tx, squatter.id, { password: false }))
    expect(await readAccountState(squatter)).toEqual({ ...NOTHING, hasPassword: false })
  })

  test('confirmed before, loses only its sessions when the password is reset', async () => {
    const user = await makeUser(server.db)
    const { secret } = (await call(server, auth.startSecondFactor, { body: { password: PASSWORD } }, user)).body
    const code = buildTotp(secret, '').generate()
    await call(server, auth.enableSecondFactor, { body: { code } }, user)
    const key = await makeApiKey(server.db, user, { permissions: [...permissions] })
    await call(server, auth.forgotPassword, { body: { email: user.email } })
    const token = await waitForLink(server, user.email, 'reset')
    expect((await call(server, auth.resetPassword, { body: { token, password: OWNER } })).status).toBe(200)
    expect((await call(server, operations.list, {}, { token: key })).status).toBe(200)
    const login = await call(server, auth.login, { body: { email: user.email, password: OWNER } })
    expect(login.body.code).toBe('second-factor-required')
  })
})

describe('before the address is confirmed', () => {
  const KEY = {
    name: 'Tableur',
    permissions: ['operations.read'],
    operationIds: null,
    allowedNetworks: [],
    perSecond: null,
    perMonth: null,
    expiresOn: null,
  }
  type Enrolment = (as: Squatter) => ReturnType<typeof call>
  const enrolments: Record<string, [Endpoint, Enrolment]> = {
    'a passkey, prepared': [
      passkeyEndpoints.prepare,
      (as) => call(server, passkeyEndpoints.prepare, { body: { password: SQUATTER } }, as),
    ],
    'a passkey, added': [
      passkeyEndpoints.add,
      (as) => {
        const credential = createAuthenticator(ORIGIN).create('x'.repeat(43))
        return call(server, passkeyEndpoints.add, { body: { name: 'Clé', credential } }, as)
      },
    ],
    'an authenticator, prepared': [
      auth.startSecondFactor,
      (as) => call(server, auth.startSecondFactor, { body: { password: SQUATTER } }, as),
    ],
    'an authenticator, enabled': [
      auth.enableSecondFactor,
      (as) => call(server, auth.enableSecondFactor, { body: { code: '123456' } }, as),
    ],
    'an API key': [keyEndpoints.create, (as) => call(server, keyEndpoints.create, { body: KEY }, as)],
    'the token of a feed': [
      connectionEndpoints.create,
      (as) => {
        const body = { kind: 'feed', name: 'Tableur', settings: { dataSets: 'operations' } }
        return call(server, connectionEndpoints.create, { body }, as)
      },
    ],
    'a token of one’s own': [
      ownFeed.create,
      async (as) => {
        await server.db.update(memberships).set({ role: 'client' }).where(eq(memberships.userId, as.id))
        return call(server, ownFeed.create, { body: { name: 'Tableur', scopes: ['energy.read'] } }, as)
      },
    ],
    'a connection to a provider': [
      sso.create,
      (as) => call(server, sso.create, { body: { name: 'Annuaire', kind: 'oidc' } }, as),
    ],
    'a connection to a provider, switched on': [
      sso.switch,
      async (as) => {
        const params = { id: await makeConnection(as.companyId) }
        return call(server, sso.switch, { params, body: { on: true } }, as)
      },
    ],
    'the token of a directory (SCIM)': [
      sso.scimToken,
      async (as) => call(server, sso.scimToken, { params: { id: await makeConnection(as.companyId) } }, as),
    ],
  }
  test.each(Object.entries(enrolments))('refuses %s with the reason', async (_, [, enrol]) => {
    const squatter = await squat()
    const { status, body } = await enrol(squatter)
    expect([status, body.code]).toEqual([403, 'email-unverified'])
    expect(body.detail).toMatch(/Confirmez d’abord votre adresse e-mail/)
  })

  /** Endpoints that give a secret, and why an unconfirmed account may call them. */
  const HARMLESS: Record<string, string> = {
    'POST /api/auth/second-factor/recovery-codes': 'there is no second factor yet',
    'POST /api/api-keys/:id/rotate': 'there is no key yet, and one of before is revoked with its maker’s others',
    'POST /api/regulatory/duties': 'its key is the name of a duty',
    'POST /api/webhooks': 'signs what is sent; a setting of the company, which stays',
    'POST /api/webhooks/:id/secret': 'signs what is sent; a setting of the company, which stays',
  }

  test('every endpoint that gives a signed-in person a secret is refused above, or says why not', () => {
    const getFields = ({ response }: Endpoint) =>
      'shape' in response && response.shape ? Object.keys(response.shape as object) : [] // an object of zod's
    const giving = endpoints.filter(
      (e) =>
        e.access !== 'public' &&
        e.method !== 'GET' &&
        getFields(e).some((name) => /^(?:token|secret|key|challenge|recoveryCodes)$|Token$/.test(name)),
    )
    const refused = Object.values(enrolments).map(([e]) => `${e.method} ${e.path}`)
    const open = giving.map((e) => `${e.method} ${e.path}`).filter((name) => !refused.includes(name))
    expect(open.sort()).toEqual(Object.keys(HARMLESS).sort())
  })

  test('in a company that requires a second factor, the founder can request the link again', async () => {
    const founder = await squat()
    await server.db.update(companies).set({ secondFactor: 'everyone' }).where(eq(companies.id, founder.companyId))
    expect((await call(server, auth.askVerification, {}, founder)).status).toBe(200)
  })

  test('a key requested by a session that has ended meanwhile is not created', async () => {
    const squatter = await squat()
    const actor = await authenticateSession(server.db, squatter.token)
    await transaction(server.db, (tx) => confirmUserAddress(tx, squatter.id, { password: false }))
    expect(await server.db.$count(sessions, eq(sessions.tokenHash, sha256(squatter.token)))).toBe(0)
    await expect(transaction(server.db, (tx) => lockConfirmedAccount(tx, actor))).rejects.toMatchObject({
      code: 'session-expired',
    })
  })
})

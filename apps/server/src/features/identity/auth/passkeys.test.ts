import { auth } from '@voisol/contract/auth'
import { passkeys } from '@voisol/contract/passkeys'
import { users } from '@voisol/contract/users'
import { and, eq, sql } from 'drizzle-orm'
import { beforeEach, describe, expect, test } from 'vitest'
import { createAuthenticator } from '../../../../test/authenticator.ts'
import { call } from '../../../../test/client.ts'
import { makeUser, PASSWORD } from '../../../../test/factories.ts'
import { waitForLockWait, withAccountLocked } from '../../../../test/locks.ts'
import { useServer } from '../../../../test/server.ts'
import { transaction } from '../../../db/client.ts'
import {
  auditEntries,
  companies,
  memberships,
  notifications,
  passkeyChallenges,
  passkeyUses,
  passkeys as rows,
  throttles,
} from '../../../db/schema/index.ts'

const ORIGIN = 'https://energie.exemple.fr'
const server = useServer({ PUBLIC_URL: ORIGIN })
beforeEach(async () => void (await server.db.delete(throttles)))

type As = { token: string }
const prepare = (as: As, password = PASSWORD) => call(server, passkeys.prepare, { body: { password } }, as)
const add = (as: As, credential: unknown, name = 'Téléphone') =>
  call(server, passkeys.add, { body: { name, credential } }, as)
const challenge = async () => String((await call(server, passkeys.challenge)).body.challenge)
const signIn = (credential: unknown) => call(server, passkeys.signIn, { body: { credential } })
const me = async (as: As) => (await call(server, auth.me, {}, as)).body

async function withPasskey(more: Parameters<typeof makeUser>[1] = {}) {
  const user = await makeUser(server.db, more)
  const key = createAuthenticator(ORIGIN)
  const options = (await prepare(user)).body
  const added = await add(user, key.create(options.challenge))
  expect(added.status).toBe(200)
  return { user, key, options, added: added.body }
}

describe('a passkey', () => {
  test('is added with the password, as a discoverable key with user verification', async () => {
    const { user, options, added } = await withPasskey()
    expect(options).toMatchObject({
      rp: { id: 'energie.exemple.fr', name: 'Voisol' },
      user: { name: user.email },
      attestation: 'none',
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    })
    expect(added.recoveryCodes).toHaveLength(10)
    expect((await prepare(user, 'faux')).status).toBe(422)
    const { items } = (await call(server, passkeys.list, {}, user)).body
    expect(items).toMatchObject([{ name: 'Téléphone', lastUsedAt: null, version: 1 }])
    expect(await me(user)).toMatchObject({ secondFactor: true, secondFactors: ['passkey'] })
    const told = await server.db.select().from(notifications).where(eq(notifications.userId, user.id))
    expect(told.map(({ title }) => title)).toContain('Clé d’accès ajoutée')
    const again = (await prepare(user)).body
    expect(again.excludeCredentials).toHaveLength(1)
    const second = (await add(user, createAuthenticator(ORIGIN).create(again.challenge), 'Ordinateur')).body
    expect(second.recoveryCodes).toBeNull()
  })

  test('signs in alone and records its use', async () => {
    const { user, key } = await withPasskey()
    const { status, body } = await signIn(key.get(await challenge()))
    expect(status).toBe(200)
    expect(body.user.email).toBe(user.email)
    expect((await me(body)).id).toBe(user.id)
    const [row] = await server.db.select().from(passkeyUses)
    expect(row?.counter).toBe(2)
    const [listed] = (await call(server, passkeys.list, {}, user)).body.items
    expect(listed.lastUsedAt).toBe(row?.at.toISOString())
    const renamed = { params: { id: listed.id }, body: { name: 'Clé bleue', version: 1 } }
    expect((await call(server, passkeys.rename, renamed, user)).body).toEqual({
      ...listed,
      name: 'Clé bleue',
      version: 2,
    })
  })

  test('signs in while another transaction locks the account', async () => {
    const { user, key } = await withPasskey()
    const asked = key.get(await challenge())
    expect((await withAccountLocked(server.db, user.id, () => signIn(asked))).status).toBe(200)
  })

  test('does not accept a lower count than one used meanwhile', async () => {
    const { key } = await withPasskey()
    expect((await signIn(key.get(await challenge()))).status).toBe(200)
    const asked = key.get(await challenge())
    const { late } = await transaction(server.db, async (tx) => {
      await tx.update(passkeyUses).set({ counter: 90 })
      const late = signIn(asked)
      await waitForLockWait(server)
      return { late }
    })
    expect((await late).body.code).toBe('passkey')
  })

  test('last used by the previous release continues its count', async () => {
    const { user, key } = await withPasskey()
    await server.db.update(rows).set({ counter: 40, lastUsedAt: new Date() }).where(eq(rows.userId, user.id))
    expect((await signIn(key.get(await challenge(), { counter: 40 }))).body.code).toBe('passkey')
    expect((await signIn(key.get(await challenge(), { counter: 41 }))).status).toBe(200)
    expect((await signIn(key.get(await challenge(), { counter: 41 }))).body.code).toBe('passkey')
  })

  test('serves as second factor of the password, for its own account only', async () => {
    const { user, key } = await withPasskey()
    const { key: others } = await withPasskey()
    const login = (more: object = {}) =>
      call(server, auth.login, { body: { email: user.email, password: PASSWORD, ...more } })
    const asked = await login()
    expect(asked.body).toMatchObject({ code: 'second-factor-required', issues: [{ path: 'passkey' }] })
    expect((await login({ code: '123456' })).body.code).toBe('second-factor')
    expect((await login({ passkey: others.get(await challenge()) })).body.code).toBe('second-factor')
    expect((await login({ passkey: key.get(await challenge()) })).status).toBe(200)
  })

  test('that is lost can be replaced by a recovery code', async () => {
    const { user, added } = await withPasskey()
    const code = added.recoveryCodes[0]
    const { status } = await call(server, auth.login, { body: { email: user.email, password: PASSWORD, code } })
    expect(status).toBe(200)
  })

  test('is renamed and removed by its owner, the last one only if company and password rules allow it', async () => {
    const { user, added } = await withPasskey()
    const params = { id: added.passkey.id }
    const rename = (version: number) =>
      call(server, passkeys.rename, { params, body: { name: 'Clé bleue', version } }, user)
    expect((await rename(1)).body).toMatchObject({ name: 'Clé bleue', version: 2 })
    expect((await rename(1)).body.code).toBe('stale')
    const remove = (password = PASSWORD) => call(server, passkeys.remove, { params, body: { password } }, user)
    expect((await remove('faux')).status).toBe(422)
    await server.db.update(companies).set({ secondFactor: 'office' }).where(eq(companies.id, user.companyId))
    expect((await remove()).body.code).toBe('conflict')
    await server.db.update(companies).set({ secondFactor: 'optional' })
    expect((await remove()).status).toBe(200)
    expect(await me(user)).toMatchObject({ secondFactor: false, secondFactors: [] })
  })

  test('is removed when an administrator resets the second factor', async () => {
    const { user } = await withPasskey({ role: 'reader' })
    const admin = await makeUser(server.db, { companyId: user.companyId })
    const params = { id: user.id }
    expect((await call(server, users.get, { params }, admin)).body.secondFactor).toBe(true)
    expect((await call(server, users.resetSecondFactor, { params }, admin)).body.secondFactor).toBe(false)
    expect(await server.db.select().from(rows).where(eq(rows.userId, user.id))).toEqual([])
  })
})

describe('refused passkeys', () => {
  const refusal = async (credential: unknown) => {
    const { status, body } = await signIn(credential)
    return [status, body.code]
  }

  test('a challenge is valid once, for five minutes, and for its own purpose', async () => {
    const { user, key } = await withPasskey()
    const used = await challenge()
    expect((await signIn(key.get(used))).status).toBe(200)
    expect(await refusal(key.get(used))).toEqual([401, 'passkey'])
    const old = await challenge()
    await server.db.update(passkeyChallenges).set({ expiresAt: sql`now() - interval '1 second'` })
    expect(await refusal(key.get(old))).toEqual([401, 'passkey'])
    const { body } = await prepare(user)
    expect(await refusal(key.get(body.challenge))).toEqual([401, 'passkey'])
    expect(await refusal(key.get('inventé'))).toEqual([401, 'passkey'])
    const next = createAuthenticator(ORIGIN)
    expect((await add(user, next.create(await challenge()))).body.code).toBe('passkey')
    const other = await makeUser(server.db)
    expect((await add(other, next.create((await prepare(user)).body.challenge))).body.code).toBe('passkey')
  })

  test('a failed attempt uses its challenge', async () => {
    const { key } = await withPasskey()
    const tried = await challenge()
    expect(await refusal(key.get(tried, { origin: 'https://energie-exemple.fr' }))).toEqual([401, 'passkey'])
    expect(await refusal(key.get(tried))).toEqual([401, 'passkey'])
  })

  test.each([
    ['another site', { origin: 'https://energie-exemple.fr' }],
    ['another name', { rpId: 'exemple.fr' }],
    ['an owner who was not verified', { verified: false }],
    ['a counter that goes back', { counter: 1 }],
    ['another kind of answer', { type: 'webauthn.create' }],
    ['the handle of another account', { userHandle: Buffer.alloc(16, 7).toString('base64url') }],
  ])('%s', async (_, lie) => {
    const { user, key } = await withPasskey()
    expect(await refusal(key.get(await challenge(), lie))).toEqual([401, 'passkey'])
    const refused = await server.db
      .select()
      .from(auditEntries)
      .where(and(eq(auditEntries.companyId, user.companyId), eq(auditEntries.outcome, 'refused')))
    expect(refused).toMatchObject([{ userId: user.id, detail: { reason: 'passkey' } }])
  })

  test('a wrong signature, an unknown passkey and a disabled account', async () => {
    const { user, key } = await withPasskey()
    const stranger = createAuthenticator(ORIGIN)
    expect(await refusal(stranger.get(await challenge()))).toEqual([401, 'passkey'])
    const forged = { ...stranger.get(await challenge()), id: key.id, rawId: key.id }
    expect(await refusal(forged)).toEqual([401, 'passkey'])
    await server.db.update(memberships).set({ disabledAt: new Date() }).where(eq(memberships.userId, user.id))
    expect(await refusal(key.get(await challenge()))).toEqual([401, 'credentials'])
  })

  test('a passkey registered by another account', async () => {
    const { key } = await withPasskey()
    const other = await makeUser(server.db)
    const { body } = await prepare(other)
    expect((await add(other, key.create(body.challenge))).status).toBe(409)
  })
})

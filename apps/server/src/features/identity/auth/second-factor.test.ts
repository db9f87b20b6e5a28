import { auth } from '@voisol/contract/auth'
import { eq } from 'drizzle-orm'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { call } from '../../../../test/client.ts'
import { makeUser, PASSWORD } from '../../../../test/factories.ts'
import { useServer } from '../../../../test/server.ts'
import { notifications, recoveryCodes, throttles, users } from '../../../db/schema/index.ts'
import { hashPassword } from './passwords.ts'
import { buildTotp } from './second-factor.ts'

const server = useServer()
beforeEach(async () => void (await server.db.delete(throttles)))

const STEP = 30_000
/** The clock is set to the middle of a step, so that codes do not change during the test. */
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() - (Date.now() % STEP) + STEP / 2 })
})
afterEach(() => void vi.useRealTimers())
/** A code is valid once: each use takes that of another step within the tolerance. */
const code = (secret: string, steps = 0) => buildTotp(secret, '').generate({ timestamp: Date.now() + steps * STEP })
const login = (email: string, more: Record<string, string> = {}) =>
  call(server, auth.login, { body: { email, password: PASSWORD, ...more } })

async function withSecondFactor(more: { isAdmin?: boolean } = {}) {
  const user = await makeUser(server.db, more)
  const { token } = user
  const { secret, uri } = (await call(server, auth.startSecondFactor, { body: { password: PASSWORD } }, { token })).body
  const enabled = await call(server, auth.enableSecondFactor, { body: { code: code(secret, -1) } }, { token })
  return { ...user, secret, uri, codes: enabled.body.recoveryCodes as string[], enabled }
}

describe('second factor', () => {
  test('is required at every sign-in once a first code has proved it', async () => {
    const user = await makeUser(server.db)
    const { token } = user
    const { secret } = (await call(server, auth.startSecondFactor, { body: { password: PASSWORD } }, { token })).body
    expect((await login(user.email)).status).toBe(200)
    const wrong = await call(server, auth.enableSecondFactor, { body: { code: '000000' } }, { token })
    expect(wrong.body).toMatchObject({ status: 422, issues: [{ path: 'code' }] })
    expect((await call(server, auth.enableSecondFactor, { body: { code: code(secret, -1) } }, { token })).status).toBe(
      200,
    )
    expect((await login(user.email)).body.code).toBe('second-factor-required')
    expect((await login(user.email, { code: '123456' })).body.code).toBe('second-factor')
    expect((await login(user.email, { code: code(secret) })).status).toBe(200)
    expect((await login(user.email, { code: code(secret) })).body.code).toBe('second-factor')
    expect((await call(server, auth.startSecondFactor, { body: { password: PASSWORD } }, { token })).status).toBe(409)
  })

  test('a code sent twice at once is accepted once', async () => {
    const { email, secret } = await withSecondFactor()
    const answers = await Promise.all(Array.from({ length: 4 }, () => login(email, { code: code(secret, 1) })))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401, 401, 401])
  })

  test('secret and recovery codes are unreadable in the database', async () => {
    const { id, secret, uri, codes } = await withSecondFactor()
    expect(uri).toContain('otpauth://totp/Voisol:')
    const [row] = await server.db.select().from(users).where(eq(users.id, id))
    expect(row?.totpSecret).not.toContain(secret)
    const stored = await server.db.select().from(recoveryCodes).where(eq(recoveryCodes.userId, id))
    expect(stored).toHaveLength(10)
    expect(new Set(codes).size).toBe(10)
    expect(stored.some(({ codeHash }) => codes.includes(codeHash.toString()))).toBe(false)
  })

  test('a recovery code works once, however it is typed', async () => {
    const { email, codes } = await withSecondFactor()
    const typed = ` ${codes[0]?.toUpperCase().replaceAll('-', ' ')} `
    expect((await login(email, { code: typed })).status).toBe(200)
    expect((await login(email, { code: codes[0] ?? '' })).body.code).toBe('second-factor')
  })

  test('new recovery codes need the password and invalidate the old ones', async () => {
    const { email, token, codes } = await withSecondFactor()
    const renew = (password: string) => call(server, auth.renewRecoveryCodes, { body: { password } }, { token })
    expect((await renew('faux')).status).toBe(422)
    const fresh = (await renew(PASSWORD)).body.recoveryCodes
    expect(fresh).toHaveLength(10)
    expect((await login(email, { code: codes[0] ?? '' })).status).toBe(401)
    expect((await login(email, { code: fresh[0] })).status).toBe(200)
  })

  test('is removed with the password, which must be long for an administrator', async () => {
    const { id, email, token } = await withSecondFactor()
    const disable = (password: string) => call(server, auth.disableSecondFactor, { body: { password } }, { token })
    expect((await disable('faux')).status).toBe(422)
    await server.db
      .update(users)
      .set({ passwordHash: await hashPassword('lune et mer!') })
      .where(eq(users.id, id))
    expect((await disable('lune et mer!')).body.code).toBe('weak-password')
    await server.db
      .update(users)
      .set({ passwordHash: await hashPassword(PASSWORD) })
      .where(eq(users.id, id))
    expect((await disable(PASSWORD)).status).toBe(200)
    expect((await disable(PASSWORD)).status).toBe(409)
    expect((await login(email)).status).toBe(200)
    const told = await server.db.select().from(notifications).where(eq(notifications.userId, id))
    expect(told.map(({ title }) => title)).toEqual(
      expect.arrayContaining(['Double authentification activée', 'Double authentification désactivée']),
    )
  })

  test('wrong codes are counted like wrong passwords', async () => {
    const { email, secret } = await withSecondFactor()
    for (let i = 0; i < 5; i++) expect((await login(email, { code: '000000' })).status).toBe(401)
    expect((await login(email, { code: code(secret) })).status).toBe(429)
  })
})

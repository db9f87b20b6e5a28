import { auth } from '@voisol/contract/auth'
import { eq, like } from 'drizzle-orm'
import { beforeEach, describe, expect, test } from 'vitest'
import { call } from '../../../../test/client.ts'
import { makeUser, PASSWORD } from '../../../../test/factories.ts'
import { waitForLink } from '../../../../test/mails.ts'
import { useServer } from '../../../../test/server.ts'
import { signIns, throttles, users } from '../../../db/schema/index.ts'
import { hashPassword } from './passwords.ts'
import { buildTotp, getTotpSealContext } from './second-factor.ts'

const server = useServer({ TRUST_PROXY: '127.0.0.1' })
beforeEach(async () => void (await server.db.delete(throttles)))

const OFFICE = '203.0.113.7'
type From = { from?: string; cookie?: string }
const login = (email: string, password = PASSWORD, { from = OFFICE, cookie }: From = {}) =>
  call(
    server,
    auth.login,
    { body: { email, password } },
    { headers: { 'x-forwarded-for': from, ...(cookie && { cookie }) } },
  )
const loginWithWrongPassword = (email: string, from?: From) => login(email, 'pas le bon mot de passe', from)
const times = async (n: number, attempt: () => Promise<{ status: number }>) => {
  const statuses: number[] = []
  for (let i = 0; i < n; i++) statuses.push((await attempt()).status)
  return statuses
}
const getSetCookie = ({ headers }: { headers: Record<string, unknown> }) =>
  String(headers['set-cookie']).split(';', 1)[0]
const readAttemptCount = async (key: string) =>
  (await server.db.select().from(throttles).where(eq(throttles.key, key)))[0]?.count ?? 0

describe('wrong passwords', () => {
  test('by one colleague block neither the rest of the office nor the same person elsewhere', async () => {
    const [target, colleague] = [await makeUser(server.db), await makeUser(server.db)]
    expect(await times(7, () => loginWithWrongPassword(target.email))).toEqual([401, 401, 401, 401, 401, 429, 429])
    expect((await login(colleague.email)).status).toBe(200)
    expect((await login(target.email, PASSWORD, { from: '198.51.100.4' })).status).toBe(200)
    expect((await login(target.email)).status).toBe(429)
  })

  test('from one IPv6 network are counted together, whatever their addresses', async () => {
    const { email } = await makeUser(server.db)
    let n = 0
    const statuses = await times(7, () => loginWithWrongPassword(email, { from: `2001:db8:7:1::${++n}` }))
    expect(statuses).toEqual([401, 401, 401, 401, 401, 429, 429])
    expect((await login(email, PASSWORD, { from: '2001:db8:7:2::1' })).status).toBe(200)
  })

  test('on one account from many networks are counted together', async () => {
    const { email } = await makeUser(server.db)
    let n = 0
    await loginWithWrongPassword(email)
    const key = `login account ${email}`
    await server.db.update(throttles).set({ count: 48 }).where(eq(throttles.key, key))
    expect(await times(3, () => loginWithWrongPassword(email, { from: `198.51.100.${++n}` }))).toEqual([401, 401, 429])
  })

  test('on many accounts from one network end at the network limit', async () => {
    let n = 0
    const spray = () => loginWithWrongPassword(`cible${++n}@exemple.fr`)
    await spray()
    expect(await times(9, spray)).toEqual(Array(9).fill(401))
    await server.db
      .update(throttles)
      .set({ count: 99 })
      .where(eq(throttles.key, `login network ${OFFICE}`))
    expect(await times(2, spray)).toEqual([401, 429])
  })

  test('followed by a successful sign-in do not count against the network', async () => {
    const { email } = await makeUser(server.db)
    await times(4, () => loginWithWrongPassword(email))
    expect(await readAttemptCount(`login network ${OFFICE}`)).toBe(4)
    expect((await login(email)).status).toBe(200)
    expect(await readAttemptCount(`login network ${OFFICE}`)).toBe(0)
    expect(await readAttemptCount(`login account ${email}`)).toBe(0)
  })
})

describe('a known device', () => {
  test('gets its cookie at sign-in, hidden from scripts, and can sign in whatever others tried', async () => {
    const { email } = await makeUser(server.db)
    const first = await login(email)
    expect(String(first.headers['set-cookie'])).toMatch(/HttpOnly/)
    expect(String(first.headers['set-cookie'])).toMatch(/SameSite=Strict/)
    const cookie = getSetCookie(first)
    await times(6, () => loginWithWrongPassword(email))
    await server.db.update(throttles).set({ count: 1000 })
    expect((await login(email)).status).toBe(429)
    expect((await login(email, PASSWORD, { cookie })).status).toBe(200)
  })

  test('has its own limit of five attempts', async () => {
    const { email } = await makeUser(server.db)
    const cookie = getSetCookie(await login(email))
    expect(await times(7, () => loginWithWrongPassword(email, { cookie }))).toEqual([401, 401, 401, 401, 401, 429, 429])
    expect((await login(email)).status).toBe(200)
  })

  test('belongs to one account, cannot be forged, and becomes invalid with the password', async () => {
    const [owner, other] = [await makeUser(server.db), await makeUser(server.db)]
    const cookie = getSetCookie(await login(owner.email))
    const value = cookie?.split('=')[1] ?? ''
    const others = getSetCookie(await login(other.email))?.split('=')[0]
    const forged = `${cookie?.slice(0, -3)}${cookie?.endsWith('AAA') ? 'BBB' : 'AAA'}`
    await times(6, () => loginWithWrongPassword(owner.email))
    await times(6, () => loginWithWrongPassword(other.email))
    expect((await login(other.email, PASSWORD, { cookie: `${others}=${value}` })).status).toBe(429)
    expect((await login(owner.email, PASSWORD, { cookie: forged })).status).toBe(429)
    const passwordHash = await hashPassword('un autre toit au soleil')
    await server.db.update(users).set({ passwordHash }).where(eq(users.id, owner.id))
    expect((await login(owner.email, 'un autre toit au soleil', { cookie })).status).toBe(429)
  })
})

describe('second factor codes', () => {
  const withCodes = async () => {
    const user = await makeUser(server.db)
    const totpSecret = server.deps.secrets.seal('JBSWY3DPEHPK3PXP', getTotpSealContext(user.id))
    await server.db.update(users).set({ totpSecret, totpEnabledAt: new Date() }).where(eq(users.id, user.id))
    return user
  }
  const enter = (email: string, code: string, headers: Record<string, string>) =>
    call(server, auth.login, { body: { email, password: PASSWORD, code } }, { headers })
  const now = () => buildTotp('JBSWY3DPEHPK3PXP', '').generate()

  test('have a low limit per account from all networks; a known device has its own', async () => {
    const { email } = await withCodes()
    const cookie = getSetCookie(await enter(email, now(), { 'x-forwarded-for': OFFICE })) ?? ''
    let n = 0
    const guess = () => enter(email, '000000', { 'x-forwarded-for': `198.51.100.${++n}` })
    expect(await times(12, guess)).toEqual([...Array(10).fill(401), 429, 429])
    await server.db.update(signIns).set({ totpStep: 0 })
    expect((await enter(email, now(), { 'x-forwarded-for': '192.0.2.9' })).status).toBe(429)
    expect((await enter(email, now(), { cookie })).status).toBe(200)
  })
})

describe('a password reset', () => {
  test('clears the attempts counted against the account, and by it against networks', async () => {
    const { email } = await makeUser(server.db)
    await times(6, () => loginWithWrongPassword(email))
    await times(6, () => loginWithWrongPassword(email, { from: '198.51.100.4' }))
    await loginWithWrongPassword('voisine@exemple.fr')
    await call(server, auth.forgotPassword, { body: { email } })
    const token = await waitForLink(server, email, 'reset')
    const password = 'des panneaux sur la grange'
    const reset = await call(
      server,
      auth.resetPassword,
      { body: { token, password } },
      { headers: { 'x-forwarded-for': OFFICE } },
    )
    expect(reset.status).toBe(200)
    expect(
      await server.db
        .select()
        .from(throttles)
        .where(like(throttles.key, `login account ${email}%`)),
    ).toEqual([])
    expect(await readAttemptCount(`login network ${OFFICE}`)).toBe(1)
    expect((await login(email, password)).status).toBe(200)
    await server.db
      .update(throttles)
      .set({ count: 1000, resetsAt: new Date(Date.now() + 60_000) })
      .where(eq(throttles.key, `login network ${OFFICE}`))
    expect((await login(email, password, { cookie: getSetCookie(reset) ?? '' })).status).toBe(200)
  })
})

import { auth } from '@voisol/contract/auth'
import { passkeys } from '@voisol/contract/passkeys'
import { users as people } from '@voisol/contract/users'
import { eq } from 'drizzle-orm'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createAuthenticator } from '../../../../test/authenticator.ts'
import { call } from '../../../../test/client.ts'
import { makeUser, PASSWORD } from '../../../../test/factories.ts'
import { waitForLink } from '../../../../test/mails.ts'
import { useServer } from '../../../../test/server.ts'
import { memberships, passwordResets, sessions, throttles } from '../../../db/schema/index.ts'
import { buildTotp } from './second-factor.ts'

const ORIGIN = 'https://energie.exemple.fr'
const server = useServer({ PUBLIC_URL: ORIGIN, TRUST_PROXY: '127.0.0.1' })
beforeEach(async () => void (await server.db.delete(throttles)))
afterEach(() => void vi.useRealTimers())

const NEW = 'des panneaux sur la grange'
const statuses = (answers: { status: number }[]) => answers.map(({ status }) => status).sort()
const times = <T>(count: number, work: (n: number) => Promise<T>) =>
  Promise.all(Array.from({ length: count }, (_, n) => work(n)))
const login = (email: string, more: object = {}) =>
  call(server, auth.login, { body: { email, password: PASSWORD, ...more } })

describe('a passkey', () => {
  const challenge = async () => String((await call(server, passkeys.challenge)).body.challenge)
  const signIn = (credential: unknown) => call(server, passkeys.signIn, { body: { credential } })
  async function withPasskey() {
    const user = await makeUser(server.db)
    const key = createAuthenticator(ORIGIN)
    const { body } = await call(server, passkeys.prepare, { body: { password: PASSWORD } }, user)
    const credential = key.create(body.challenge)
    await call(server, passkeys.add, { body: { name: 'Téléphone', credential } }, user)
    return { user, key, credential, challenge: String(body.challenge) }
  }

  test('assertion sent eight times at once opens one session', async () => {
    const { user, key } = await withPasskey()
    const assertion = key.get(await challenge())
    const answers = await times(8, () => signIn(assertion))
    expect(statuses(answers)).toEqual([200, ...Array(7).fill(401)])
    expect(await server.db.$count(sessions, eq(sessions.userId, user.id))).toBe(2)
  })

  test('that was copied: of two concurrent assertions with the same count, one is accepted', async () => {
    const { key } = await withPasskey()
    const assertions = [key.get(await challenge(), { counter: 9 }), key.get(await challenge(), { counter: 9 })]
    expect(statuses(await Promise.all(assertions.map(signIn)))).toEqual([200, 401])
  })

  test.each([9, 8, 0])('with nine recorded uses is refused with a count of %i', async (counter) => {
    const { key } = await withPasskey()
    expect((await signIn(key.get(await challenge(), { counter: 9 }))).status).toBe(200)
    expect((await signIn(key.get(await challenge(), { counter }))).body.code).toBe('passkey')
  })

  test('without a counter works once per challenge', async () => {
    const user = await makeUser(server.db)
    const key = createAuthenticator(ORIGIN)
    const { body } = await call(server, passkeys.prepare, { body: { password: PASSWORD } }, user)
    const credential = key.create(body.challenge, { counter: 0 })
    await call(server, passkeys.add, { body: { name: 'Synchronisée', credential } }, user)
    for (let time = 0; time < 2; time++) {
      const assertion = key.get(await challenge(), { counter: 0 })
      expect((await signIn(assertion)).status).toBe(200)
      expect((await signIn(assertion)).status).toBe(401)
    }
  })

  test('assertion used to sign in is refused by every other endpoint', async () => {
    const { user, key } = await withPasskey()
    const assertion = key.get(await challenge())
    expect((await signIn(assertion)).status).toBe(200)
    expect((await login(user.email, { passkey: assertion })).body.code).toBe('second-factor')
    const start = await call(server, auth.startSecondFactor, { body: { passkey: assertion } }, user)
    expect(start.status).toBe(422)
  })

  test('registration response cannot be used twice, nor for another account', async () => {
    const { user, credential } = await withPasskey()
    const other = await makeUser(server.db)
    for (const as of [user, other])
      expect((await call(server, passkeys.add, { body: { name: 'Encore', credential } }, as)).body.code).toBe('passkey')
  })
})

describe('an authenticator code', () => {
  /** The clock is set to the middle of a step, so that codes do not change during the test. */
  const STEP = 30_000
  const hold = () => vi.useFakeTimers({ toFake: ['Date'], now: Date.now() - (Date.now() % STEP) + STEP / 2 })
  const codeOf = (secret: string, steps = 0) => buildTotp(secret, '').generate({ timestamp: Date.now() + steps * STEP })
  async function withAuthenticator(steps: number, known?: Awaited<ReturnType<typeof makeUser>>) {
    hold()
    const user = known ?? (await makeUser(server.db))
    const { secret } = (await call(server, auth.startSecondFactor, { body: { password: PASSWORD } }, user)).body
    const code = codeOf(secret, steps)
    expect((await call(server, auth.enableSecondFactor, { body: { code } }, user)).status).toBe(200)
    return { ...user, secret: String(secret), code }
  }

  test('used to enable the second factor cannot be used to sign in', async () => {
    const { email, code } = await withAuthenticator(0)
    expect((await login(email, { code })).body.code).toBe('second-factor')
  })

  test('of the current step, once used, invalidates that of the previous step', async () => {
    const { email, secret } = await withAuthenticator(-1)
    expect((await login(email, { code: codeOf(secret, 1) })).status).toBe(200)
    for (const steps of [1, 0, -1])
      expect((await login(email, { code: codeOf(secret, steps) })).body.code).toBe('second-factor')
  })

  test('sent at once to a sign-in and to an invitation is accepted once', async () => {
    const [invitee, host] = [await makeUser(server.db), await makeUser(server.db)]
    const invitation = { email: invitee.email, firstName: 'A', lastName: 'B', role: 'client' }
    await call(server, people.invite, { body: invitation }, host)
    const params = { token: await waitForLink(server, invitee.email, 'invitation') }
    const user = await withAuthenticator(-1, invitee)
    const code = codeOf(user.secret)
    const names = { firstName: 'A', lastName: 'B', password: PASSWORD }
    const answers = await Promise.all([
      login(user.email, { code }),
      call(server, auth.acceptInvitation, { params, body: { ...names, code } }),
    ])
    expect(statuses(answers)).toEqual([200, 401])
  })

  test('from the recovery codes, sent four times at once, opens one session', async () => {
    hold()
    const user = await makeUser(server.db)
    const { secret } = (await call(server, auth.startSecondFactor, { body: { password: PASSWORD } }, user)).body
    const { body } = await call(server, auth.enableSecondFactor, { body: { code: codeOf(secret) } }, user)
    const answers = await times(4, () => login(user.email, { code: body.recoveryCodes[0] }))
    expect(statuses(answers)).toEqual([200, 401, 401, 401])
  })
})

describe('a password reset link', () => {
  const forgot = (email: string) => call(server, auth.forgotPassword, { body: { email } })
  const reset = (token: string, password = NEW) => call(server, auth.resetPassword, { body: { token, password } })

  test('is invalidated by a newer one', async () => {
    const user = await makeUser(server.db)
    await forgot(user.email)
    const first = await waitForLink(server, user.email, 'reset')
    await forgot(user.email)
    const second = await waitForLink(server, user.email, 'reset', 2)
    expect((await reset(first)).body.code).toBe('already-used')
    expect((await reset(second)).status).toBe(200)
  })

  test('is invalidated by a change of the password', async () => {
    const user = await makeUser(server.db)
    await forgot(user.email)
    const token = await waitForLink(server, user.email, 'reset')
    const change = { current: PASSWORD, password: 'un toit de tuiles rouges' }
    expect((await call(server, auth.changePassword, { body: change }, user)).status).toBe(200)
    expect((await reset(token)).body.code).toBe('already-used')
  })

  test('and another of the same account, both at once: one succeeds, without a deadlock', async () => {
    const user = await makeUser(server.db)
    await forgot(user.email)
    const first = await waitForLink(server, user.email, 'reset')
    await forgot(user.email)
    const second = await waitForLink(server, user.email, 'reset', 2)
    // Both links are valid, as the previous release left them.
    await server.db.update(passwordResets).set({ usedAt: null }).where(eq(passwordResets.userId, user.id))
    const answers = await Promise.all([reset(first), reset(second, `${NEW} neuve`), reset(first), reset(second)])
    expect(statuses(answers)).toEqual([200, 409, 409, 409])
  })

  test('used during a change of the password: exactly one of the two succeeds', async () => {
    const user = await makeUser(server.db)
    await forgot(user.email)
    const token = await waitForLink(server, user.email, 'reset')
    const changed = 'un toit de tuiles rouges'
    const change = { current: PASSWORD, password: changed }
    const [byLink, byHand] = await Promise.all([
      reset(token),
      call(server, auth.changePassword, { body: change }, user),
    ])
    expect([byLink, byHand].filter(({ status }) => status === 200)).toHaveLength(1)
    const opens = async (password: string) =>
      (await call(server, auth.login, { body: { email: user.email, password } })).status === 200
    expect([await opens(NEW), await opens(changed)]).toEqual([byLink.status === 200, byHand.status === 200])
  })

  test('does not change the password of another account', async () => {
    const [one, two] = [await makeUser(server.db), await makeUser(server.db)]
    await forgot(one.email)
    const token = await waitForLink(server, one.email, 'reset')
    const bent = await call(server, auth.resetPassword, { body: { token, password: NEW, email: two.email } })
    expect(bent.status).toBe(422)
    expect((await reset(token)).status).toBe(200)
    expect((await login(two.email)).status).toBe(200)
  })
})

describe('a refresh token', () => {
  const from = (ip: string) => ({ 'user-agent': 'Firefox/1 Windows', 'x-forwarded-for': ip })
  const renew = (refreshToken: string, ip: string) =>
    call(server, auth.refresh, { body: { refreshToken } }, { headers: from(ip) })
  async function open() {
    const user = await makeUser(server.db)
    const body = { email: user.email, password: PASSWORD }
    const answer = await call(server, auth.login, { body }, { headers: from('203.0.113.7') })
    return { user, token: String(answer.body.token), refreshToken: String(answer.body.refreshToken) }
  }
  const isOpen = async (token: string) => (await call(server, auth.me, {}, { token })).status === 200

  test('used at once by its owner and by a thief elsewhere ends the session of both', async () => {
    const { token, refreshToken } = await open()
    const answers = await Promise.all([renew(refreshToken, '203.0.113.7'), renew(refreshToken, '198.51.100.4')])
    expect(statuses(answers)).toEqual([200, 401])
    for (const given of [token, ...answers.flatMap(({ body }) => body.token ?? [])])
      expect(await isOpen(given)).toBe(false)
  })

  test('used while its session is ended reopens nothing', async () => {
    const { user, token, refreshToken } = await open()
    const [renewed] = await Promise.all([
      renew(refreshToken, '203.0.113.7'),
      call(server, auth.revokeOtherSessions, {}, user),
      call(server, auth.logout, {}, { token }),
    ])
    if (renewed.status === 200) expect(await isOpen(renewed.body.token)).toBe(false)
    expect((await renew(refreshToken, '203.0.113.7')).status).toBe(401)
    expect(await server.db.$count(sessions, eq(sessions.userId, user.id))).toBe(1)
  })

  test('of a session ended by a new password reopens nothing', async () => {
    const { user, refreshToken } = await open()
    const change = { current: PASSWORD, password: NEW }
    expect((await call(server, auth.changePassword, { body: change }, user)).status).toBe(200)
    expect((await renew(refreshToken, '203.0.113.7')).body.code).toBe('session-expired')
  })

  test('is not accepted as access token, nor the reverse', async () => {
    const { token, refreshToken } = await open()
    expect(await isOpen(refreshToken)).toBe(false)
    expect((await renew(token, '203.0.113.7')).body.code).toBe('session-expired')
    expect(await isOpen(token)).toBe(true)
  })
})

describe('an invitation', () => {
  const invite = async (email: string) => {
    const host = await makeUser(server.db)
    const body = { email, firstName: 'Lou', lastName: 'Petit', role: 'client' }
    const { body: made } = await call(server, people.invite, { body }, host)
    return { host, id: String(made.id), link: await waitForLink(server, email, 'invitation') }
  }
  const accept = (token: string, password = PASSWORD) =>
    call(server, auth.acceptInvitation, {
      params: { token },
      body: { firstName: 'Lou', lastName: 'Petit', password },
    })

  test('accepted and then disabled for its person cannot be accepted again', async () => {
    const { link, id } = await invite('rejouee@exemple.fr')
    expect((await accept(link)).status).toBe(200)
    for (const values of [{ disabledAt: new Date() }, { disabledAt: null }]) {
      await server.db.update(memberships).set(values).where(eq(memberships.userId, id))
      expect((await accept(link, NEW)).body.code).toBe('already-used')
    }
    expect((await login('rejouee@exemple.fr')).status).toBe(200)
  })

  test('sent again invalidates the previous link, even when both are used at once', async () => {
    const { host, id, link } = await invite('renvoyee@exemple.fr')
    await call(server, people.resendInvitation, { params: { id } }, host)
    const newer = await waitForLink(server, 'renvoyee@exemple.fr', 'invitation', 2)
    expect(newer).not.toBe(link)
    const answers = await Promise.all([accept(link, NEW), accept(newer), accept(newer)])
    expect(statuses(answers)).toEqual([200, 404, 409])
    expect((await login('renvoyee@exemple.fr')).status).toBe(200)
  })

  test('token is not accepted as reset token, nor the reverse', async () => {
    const { link } = await invite('croisee@exemple.fr')
    const user = await makeUser(server.db)
    await call(server, auth.forgotPassword, { body: { email: user.email } })
    const token = await waitForLink(server, user.email, 'reset')
    expect((await call(server, auth.resetPassword, { body: { token: link, password: NEW } })).body.code).toBe(
      'link-expired',
    )
    expect((await accept(token)).status).toBe(404)
    expect((await call(server, auth.verifyEmail, { body: { token, password: PASSWORD } })).body.code).toBe(
      'link-expired',
    )
  })
})

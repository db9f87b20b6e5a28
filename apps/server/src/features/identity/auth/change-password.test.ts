import { auth } from '@voisol/contract/auth'
import { eq, sql } from 'drizzle-orm'
import { beforeEach, describe, expect, test } from 'vitest'
import { call } from '../../../../test/client.ts'
import { makeSession, makeUser, PASSWORD } from '../../../../test/factories.ts'
import { waitForJobs } from '../../../../test/jobs.ts'
import { listMailsTo, waitForLink, waitForMails } from '../../../../test/mails.ts'
import { useServer } from '../../../../test/server.ts'
import { memberships, notifications, passwordResets, throttles, users } from '../../../db/schema/index.ts'

const server = useServer({ PUBLIC_URL: 'https://energie.exemple.fr' })
beforeEach(async () => void (await server.db.delete(throttles)))

const NEW = 'des panneaux sur la grange'
const forgot = (email: string) => call(server, auth.forgotPassword, { body: { email } })
const reset = (token: string, password = NEW) => call(server, auth.resetPassword, { body: { token, password } })
const login = (email: string, password: string) => call(server, auth.login, { body: { email, password } })
const listNotificationTitles = async (userId: string) =>
  (await server.db.select().from(notifications).where(eq(notifications.userId, userId))).map(({ title }) => title)

describe('a forgotten password', () => {
  test('is replaced once through the mailed link, which ends every session', async () => {
    const user = await makeUser(server.db)
    expect((await forgot(user.email)).body).toEqual({ success: true })
    const token = await waitForLink(server, user.email, 'reset')
    const [mail] = await listMailsTo(server, user.email)
    expect(mail?.html).toContain('https://energie.exemple.fr/login?reset=')
    expect((await reset(token, 'trop court !')).body.code).toBe('weak-password')
    expect((await reset(token)).status).toBe(200)
    expect((await call(server, auth.me, {}, { token: user.token })).status).toBe(401)
    expect((await login(user.email, PASSWORD)).status).toBe(401)
    expect((await login(user.email, NEW)).status).toBe(200)
    expect((await reset(token)).body.code).toBe('already-used')
    expect(await listNotificationTitles(user.id)).toContain('Votre mot de passe a été changé')
  })

  test('one of many concurrent uses succeeds and invalidates the other links', async () => {
    const user = await makeUser(server.db)
    await forgot(user.email)
    const first = await waitForLink(server, user.email, 'reset')
    await forgot(user.email)
    const second = await waitForLink(server, user.email, 'reset', 2)
    const answers = await Promise.all(Array.from({ length: 10 }, () => reset(second)))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(9).fill(409)])
    expect((await reset(first)).status).toBe(409)
  })

  test('refuses an expired or invented link', async () => {
    const user = await makeUser(server.db)
    await forgot(user.email)
    const token = await waitForLink(server, user.email, 'reset')
    await server.db.update(passwordResets).set({ expiresAt: new Date(Date.now() - 1000) })
    expect((await reset(token)).status).toBe(410)
    expect((await reset('x'.repeat(43))).status).toBe(410)
    expect((await login(user.email, PASSWORD)).status).toBe(200)
  })

  test('an unknown address gets the same answer for the same work, and no mail', async () => {
    const user = await makeUser(server.db)
    const sent = async () =>
      (await server.db.execute(sql`select from jobs.job where name = 'auth.password-reset'`)).rows.length
    const ask = async (email: string) => {
      const before = await sent()
      const { status, text } = await forgot(email)
      // The difference happens later, in a job that both cases have.
      return { status, text, jobs: (await sent()) - before }
    }
    const known = await ask(user.email)
    expect(known).toMatchObject({ status: 200, jobs: 1 })
    expect(await ask('inconnue@exemple.fr')).toEqual(known)
    await waitForMails(server, user.email)
    await waitForJobs(server)
    expect(await listMailsTo(server, 'inconnue@exemple.fr')).toEqual([])
  })

  test('an invited person without a password is sent back to the invitation', async () => {
    const user = await makeUser(server.db)
    await server.db.update(users).set({ passwordHash: null, emailVerifiedAt: null }).where(eq(users.id, user.id))
    await server.db.update(memberships).set({ acceptedAt: null }).where(eq(memberships.userId, user.id))
    await forgot(user.email)
    const [mail] = await waitForMails(server, user.email)
    expect(mail?.subject).toBe('Votre compte n’est pas encore activé')
    expect(mail?.text).not.toContain('reset=')
  })

  test('requests are limited per mail address and per caller', async () => {
    const asked: number[] = []
    for (let i = 0; i < 7; i++) asked.push((await forgot('insistant@exemple.fr')).status)
    expect(asked).toEqual([200, 200, 200, 200, 200, 429, 429])
    for (let i = 0; i < 20; i++) asked.push((await forgot(`liste${i}@exemple.fr`)).status)
    expect(asked.at(-1)).toBe(429)
  })
})

describe('changing one’s password', () => {
  const change = (token: string, current: string, password: string) =>
    call(server, auth.changePassword, { body: { current, password } }, { token })

  test('needs the current password and ends the other sessions', async () => {
    const user = await makeUser(server.db)
    const other = await makeSession(server.db, user.id, user.companyId)
    expect((await change(user.token, PASSWORD, NEW)).status).toBe(200)
    expect((await call(server, auth.me, {}, { token: other })).status).toBe(401)
    expect((await call(server, auth.me, {}, { token: user.token })).status).toBe(200)
    expect((await login(user.email, NEW)).status).toBe(200)
    expect(await listNotificationTitles(user.id)).toContain('Votre mot de passe a été changé')
  })

  test('refuses a wrong, weak or unchanged password on its field, and counts the guesses', async () => {
    const user = await makeUser(server.db)
    expect((await change(user.token, PASSWORD, PASSWORD)).body.issues[0].path).toBe('password')
    expect((await change(user.token, PASSWORD, 'quatorzelettre')).body.code).toBe('weak-password')
    for (let i = 0; i < 5; i++)
      expect((await change(user.token, 'faux', NEW)).body).toMatchObject({ status: 422, issues: [{ path: 'current' }] })
    expect((await change(user.token, PASSWORD, NEW)).status).toBe(429)
  })

  test('accepts twelve characters for a client', async () => {
    const user = await makeUser(server.db, { isAdmin: false })
    expect((await change(user.token, PASSWORD, 'lune et mer!')).status).toBe(200)
    await server.db.update(memberships).set({ role: 'admin' }).where(eq(memberships.userId, user.id))
    expect((await change(user.token, 'lune et mer!', 'mer et lune!')).body.code).toBe('weak-password')
  })
})

import { auth } from '@voisol/contract/auth'
import { and, count, eq } from 'drizzle-orm'
import { beforeEach, describe, expect, test } from 'vitest'
import { call } from '../../../../test/client.ts'
import { measureCpuMs } from '../../../../test/cpu-time.ts'
import { makeCompany, makeUser, PASSWORD } from '../../../../test/factories.ts'
import { waitForMails } from '../../../../test/mails.ts'
import { useServer } from '../../../../test/server.ts'
import { auditEntries, companies, memberships, notifications, throttles, users } from '../../../db/schema/index.ts'

const server = useServer()
beforeEach(async () => void (await server.db.delete(throttles)))

const login = (email: string, password = PASSWORD, headers: Record<string, string> = {}) =>
  call(server, auth.login, { body: { email, password } }, { headers })

describe('sign-in', () => {
  test('returns a token that is valid until logout', async () => {
    const user = await makeUser(server.db)
    const signedIn = await login(user.email)
    expect(signedIn.status).toBe(200)
    const { token } = signedIn.body
    expect((await call(server, auth.me, {}, { token })).body.email).toBe(user.email)
    await call(server, auth.logout, {}, { token })
    expect((await call(server, auth.me, {}, { token })).status).toBe(401)
  })

  test('logout identifies the session by its cookie, with a JSON content type and no body', async () => {
    const { token } = await makeUser(server.db)
    const headers = { cookie: `token=${token}`, 'content-type': 'application/json' }
    expect((await call(server, auth.logout, {}, { headers })).status).toBe(200)
    expect((await call(server, auth.me, {}, { token })).status).toBe(401)
  })

  test('a wrong password and an unknown address get the same answer in the same time', async () => {
    const user = await makeUser(server.db)
    const attempt = async (email: string) => {
      const { status, body } = await login(email, 'pas le bon mot de passe')
      expect(status).toBe(401)
      return { ...body, requestId: '' }
    }
    expect(await attempt('inconnu@exemple.fr')).toEqual(await attempt(user.email))
    const [known, unknown] = [[], []] as [number[], number[]] // filled below
    for (let i = 0; i < 5; i++) {
      await server.db.delete(throttles)
      known.push(await measureCpuMs(() => attempt(user.email)))
      unknown.push(await measureCpuMs(() => attempt(`inconnu${i}@exemple.fr`)))
    }
    // The minimum of several runs, because other work of this process can slow down some of them.
    const ratio = Math.min(...unknown) / Math.min(...known)
    expect(ratio).toBeGreaterThan(0.5)
    expect(ratio).toBeLessThan(2)
  })

  test('refusals are recorded in the audit log without the password', async () => {
    const user = await makeUser(server.db)
    await login(user.email, 'secret jamais journalisé')
    await login('personne-ici@exemple.fr', 'secret jamais journalisé')
    const own = await server.db
      .select()
      .from(auditEntries)
      .where(and(eq(auditEntries.companyId, user.companyId), eq(auditEntries.outcome, 'refused')))
    expect(own).toMatchObject([{ userId: user.id, actor: user.email, detail: { reason: 'credentials' } }])
    const nobodys = await server.db.select().from(auditEntries).where(eq(auditEntries.companyId, 0))
    expect(nobodys.at(-1)).toMatchObject({ actor: 'personne-ici@exemple.fr', userId: null, outcome: 'refused' })
    expect(JSON.stringify([own, nobodys])).not.toContain('jamais journalisé')
  })

  test('refuses an account without an active company like a wrong password', async () => {
    const user = await makeUser(server.db)
    await server.db.update(memberships).set({ disabledAt: new Date() }).where(eq(memberships.userId, user.id))
    expect((await login(user.email)).body.code).toBe('credentials')
  })

  test('many concurrent sign-ins do not exhaust the connection pool', async () => {
    const people = await Promise.all(Array.from({ length: 20 }, () => makeUser(server.db)))
    const answers = await Promise.all(people.map(({ email }) => login(email, 'pas le bon mot de passe')))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([401]))
  })

  test('notifies the owner of a new device, not of a known one', async () => {
    const user = await makeUser(server.db)
    const told = async () =>
      (await server.db.select().from(notifications).where(eq(notifications.userId, user.id))).map((n) => n.title)
    await login(user.email, PASSWORD, { 'user-agent': 'Chrome/1 Linux' })
    expect(await told()).toEqual([])
    const { body } = await login(user.email, PASSWORD, { 'user-agent': 'Safari/1 iPhone' })
    expect(await told()).toEqual(['Connexion depuis un nouvel appareil'])
    await call(server, auth.logout, {}, { token: body.token })
    await login(user.email, PASSWORD, { 'user-agent': 'Safari/1 iPhone' })
    expect(await told()).toHaveLength(1)
  })
})

describe('rate limits', () => {
  test('refuse the sixth wrong password of an account within 15 minutes, whatever IP address it claims', async () => {
    const user = await makeUser(server.db)
    const statuses: number[] = []
    for (let i = 0; i < 20; i++)
      statuses.push((await login(user.email, 'faux mot de passe', { 'x-forwarded-for': `10.0.0.${i}` })).status)
    expect(statuses).toEqual([...Array(5).fill(401), ...Array(15).fill(429)])
    const refused = await login(user.email)
    expect(refused.status).toBe(429)
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(800)
    await server.db.update(throttles).set({ resetsAt: new Date(Date.now() - 1000) })
    expect((await login(user.email)).status).toBe(200)
  })

  test('ignore successful sign-ins', async () => {
    const user = await makeUser(server.db)
    for (let i = 0; i < 8; i++) expect((await login(user.email)).status).toBe(200)
  })
})

describe('registration', () => {
  const form = (email: string) => ({
    firstName: 'Awa',
    lastName: 'Diallo',
    companyName: 'Toits de Loire',
    email,
    password: 'tournesols au bord du fleuve',
  })

  test('creates a company on trial with its administrator', async () => {
    const { status, body } = await call(server, auth.register, { body: form('awa@exemple.fr') })
    expect(status).toBe(200)
    expect(body.user).toMatchObject({ isAdmin: true, role: 'admin', companyName: 'Toits de Loire' })
    const days = (Date.parse(body.user.trialEndsAt) - Date.now()) / 86_400_000
    expect(days).toBeCloseTo(30, 1)
  })

  test('refuses fields that are not in the form and creates nothing', async () => {
    const target = await makeCompany(server.db)
    const before = await server.db.select({ n: count() }).from(users)
    const body = form('intrus@exemple.fr')
    for (const more of [
      { isAdmin: true },
      { companyId: target.id },
      { role: 'admin' },
      { id: 1 },
      { status: 'active' },
    ])
      expect((await call(server, auth.register, { body: { ...body, ...more } })).status).toBe(422)
    for (const poison of ['{"__proto__":{"isAdmin":true},', '{"constructor":{"prototype":{"isAdmin":true}},']) {
      const answer = await server.app.inject({
        method: 'POST',
        url: auth.register.path,
        headers: { 'content-type': 'application/json' },
        payload: JSON.stringify(body).replace('{', poison),
      })
      expect(answer.statusCode).toBe(422)
    }
    expect(({} as { isAdmin?: boolean }).isAdmin).toBeUndefined()
    expect(await server.db.select({ n: count() }).from(users)).toEqual(before)
  })

  test('refuses a known address in general terms and notifies its owner', async () => {
    const user = await makeUser(server.db)
    const before = await server.db.select({ n: count() }).from(companies)
    const { status, body } = await call(server, auth.register, { body: form(user.email.toUpperCase()) })
    expect([status, body.code]).toEqual([409, 'email-taken'])
    expect(await server.db.select({ n: count() }).from(companies)).toEqual(before)
    const [mail] = await waitForMails(server, user.email)
    expect(mail?.subject).toBe('Une inscription a été tentée avec votre adresse')
  })

  test('refuses short and common passwords, and accepts spaces and accents', async () => {
    const weak = async (password: string) =>
      (await call(server, auth.register, { body: { ...form('faible@exemple.fr'), password } })).body.code
    expect(await weak('quatorzelettre')).toBe('weak-password')
    expect(await weak('motdepasse20262026')).toBe('weak-password')
    expect(await weak('court')).toBe('invalid')
    expect(await weak('été à la plage 🌞')).toBeUndefined()
  })
})

describe('sessions', () => {
  test('revoking a session ends it at its next request; another person’s is not found', async () => {
    const user = await makeUser(server.db)
    const other = await makeUser(server.db)
    const { token } = (await login(user.email)).body
    const { items } = (await call(server, auth.sessions, {}, { token })).body
    expect(items.map((s: { current: boolean }) => s.current).sort()).toEqual([false, true])
    const old = items.find((s: { current: boolean }) => !s.current)
    const revoke = (by: string) => call(server, auth.revokeSession, { params: { id: old.id } }, { token: by })
    expect((await revoke(other.token)).status).toBe(404)
    expect((await revoke(token)).status).toBe(200)
    expect((await call(server, auth.me, {}, { token: user.token })).status).toBe(401)
    expect((await call(server, auth.me, {}, { token })).status).toBe(200)
  })

  test('the user can switch to their own companies only', async () => {
    const user = await makeUser(server.db)
    const second = await makeCompany(server.db)
    const foreign = await makeCompany(server.db)
    const pending = await makeCompany(server.db)
    await server.db.insert(memberships).values([
      { companyId: second.id, userId: user.id, role: 'client', acceptedAt: new Date() },
      { companyId: pending.id, userId: user.id, role: 'admin' },
    ])
    const to = (companyId: number) => call(server, auth.switchCompany, { body: { companyId } }, { token: user.token })
    expect((await to(foreign.id)).status).toBe(404)
    expect((await to(pending.id)).status).toBe(404)
    expect((await to(second.id)).body).toMatchObject({ companyId: second.id, isAdmin: false })
    expect((await to(user.companyId)).body).toMatchObject({ companyId: user.companyId, isAdmin: true })
  })
})

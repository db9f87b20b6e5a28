import { auth } from '@voisol/contract/auth'
import { and, eq, sql } from 'drizzle-orm'
import { beforeEach, describe, expect, test } from 'vitest'
import { call } from '../../../../test/client.ts'
import { makeUser, PASSWORD } from '../../../../test/factories.ts'
import { useServer } from '../../../../test/server.ts'
import { auditEntries, notifications, sessions, spentRefreshes, throttles } from '../../../db/schema/index.ts'
import { sha256 } from '../../../secrets.ts'
import { tidyJobs } from '../../admin/tidy/jobs.ts'

const server = useServer({ TRUST_PROXY: '127.0.0.1' })
beforeEach(async () => void (await server.db.delete(throttles)))

const HOME = { 'user-agent': 'Firefox/1 Windows', 'x-forwarded-for': '203.0.113.7' }
const AWAY = { 'user-agent': 'Firefox/1 Windows', 'x-forwarded-for': '198.51.100.4' }
const me = async (token: string) => (await call(server, auth.me, {}, { token })).status
const renew = (refreshToken: string, headers: Record<string, string> = HOME) =>
  call(server, auth.refresh, { body: { refreshToken } }, { headers })

async function signIn() {
  const user = await makeUser(server.db)
  const { body, headers } = await call(
    server,
    auth.login,
    { body: { email: user.email, password: PASSWORD } },
    { headers: HOME },
  )
  const cookie = String(headers['set-cookie']).split(';', 1)[0] ?? ''
  return { user, cookie, token: String(body.token), refreshToken: String(body.refreshToken) }
}
const ageSpentRefresh = (refreshToken: string, time: string) =>
  server.db
    .update(spentRefreshes)
    .set({ spentAt: sql`now() - ${time}::interval` })
    .where(eq(spentRefreshes.tokenHash, sha256(refreshToken)))
const listNotificationTitles = async (userId: string) =>
  (await server.db.select().from(notifications).where(eq(notifications.userId, userId))).map(({ title }) => title)

describe('refreshing a session', () => {
  test('returns a new access token and a new refresh token with the documented fields', async () => {
    const { token, refreshToken } = await signIn()
    const { body } = await renew(refreshToken)
    expect(body).toEqual({
      success: true,
      token: expect.any(String),
      expiresIn: 3600,
      refreshToken: expect.any(String),
    })
    expect(new Set([token, refreshToken, body.token, body.refreshToken]).size).toBe(4)
    expect([await me(token), await me(body.token)]).toEqual([401, 200])
    const next = await renew(body.refreshToken)
    expect([await me(body.token), await me(next.body.token)]).toEqual([401, 200])
  })

  test('twice at once, or again after a lost answer, returns the same tokens', async () => {
    const { refreshToken } = await signIn()
    const answers = await Promise.all([renew(refreshToken), renew(refreshToken), renew(refreshToken)])
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1)
    await ageSpentRefresh(refreshToken, '9 seconds')
    expect((await renew(refreshToken)).text).toBe(answers[0].text)
    expect(await me(answers[0].body.token)).toBe(200)
  })

  test('keeps working when the device changes network, proved by its cookie', async () => {
    const { refreshToken, cookie } = await signIn()
    const { text } = await renew(refreshToken, { ...HOME, cookie })
    expect((await renew(refreshToken, { ...AWAY, cookie })).text).toBe(text)
  })

  test('ends 30 days after the sign-in, however often it is refreshed', async () => {
    const { user, token, refreshToken } = await signIn()
    const born = (time: string) =>
      server.db
        .update(sessions)
        .set({ createdAt: sql`now() - ${time}::interval` })
        .where(eq(sessions.userId, user.id))
    expect(await me(token)).toBe(200)
    await born('29 days 23 hours')
    const { body } = await renew(refreshToken)
    expect(await me(body.token)).toBe(200)
    await born('30 days 1 minute')
    expect((await call(server, auth.me, {}, { token: body.token })).body.code).toBe('session-expired')
    expect((await renew(body.refreshToken)).body.code).toBe('session-expired')
    await tidyJobs.tidy.run(server.deps, {}, { id: crypto.randomUUID(), signal: new AbortController().signal })
    expect(await server.db.select().from(sessions).where(eq(sessions.userId, user.id))).toEqual([])
  })
})

describe('a used refresh token', () => {
  const expectEnded = async (userId: string, companyId: number, token: string) => {
    expect(await me(token)).toBe(401)
    const entries = await server.db
      .select()
      .from(auditEntries)
      .where(and(eq(auditEntries.companyId, companyId), eq(auditEntries.outcome, 'refused')))
    expect(entries).toMatchObject([
      { userId, action: 'POST /api/auth/refresh', detail: { reason: 'refresh-reused', device: 'Firefox sur Windows' } },
    ])
    expect(await listNotificationTitles(userId)).toContain('Session fermée par précaution')
  }

  test('that is used again later ends the session, with audit entry and notification', async () => {
    const { user, refreshToken } = await signIn()
    const { body } = await renew(refreshToken)
    await ageSpentRefresh(refreshToken, '11 seconds')
    expect((await renew(refreshToken)).body.code).toBe('session-expired')
    await expectEnded(user.id, user.companyId, body.token)
    expect((await renew(body.refreshToken)).body.code).toBe('session-expired')
    // No token of the session is left, so that nobody is notified twice.
    expect((await renew(refreshToken)).status).toBe(401)
    expect(await listNotificationTitles(user.id)).toHaveLength(1)
    expect(await me(user.token)).toBe(200)
  })

  test.each([
    ['from another network', AWAY],
    ['from another browser', { ...HOME, 'user-agent': 'Safari/1 iPhone' }],
  ])('that is used at once %s ends the session too', async (_, headers) => {
    const { user, refreshToken } = await signIn()
    const { body } = await renew(refreshToken)
    expect((await renew(refreshToken, headers)).status).toBe(401)
    await expectEnded(user.id, user.companyId, body.token)
  })

  test('that is older than the last one ends the session, however soon it is used', async () => {
    const { user, refreshToken } = await signIn()
    const { body } = await renew(refreshToken)
    const next = await renew(body.refreshToken)
    expect((await renew(refreshToken)).status).toBe(401)
    await expectEnded(user.id, user.companyId, next.body.token)
  })
})

import { notifications as api, type Notification } from '@voisol/contract/notifications'
import { eq, sql } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { call } from '../../../../test/client.ts'
import { makeSession, makeUser } from '../../../../test/factories.ts'
import { useServer } from '../../../../test/server.ts'
import { memberships, notifications } from '../../../db/schema/index.ts'

const server = useServer()
type User = Awaited<ReturnType<typeof makeUser>>
type Values = Partial<typeof notifications.$inferInsert>
let count = 0

async function give(user: User, more: Values = {}) {
  const [row] = await server.db
    .insert(notifications)
    .values({
      companyId: user.companyId,
      userId: user.id,
      category: 'system',
      type: 'info',
      priority: 'normal',
      title: `Message ${++count}`,
      message: 'Bonjour',
      eventKey: `e${count}`,
      ...more,
    })
    .returning()
  if (!row) throw new Error('no row')
  return row
}
const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000)
const list = async (user: User, query: Record<string, string> = {}) => {
  const { status, body } = await call(server, api.list, { query }, user)
  expect(status).toBe(200)
  return body as { notifications: Notification[]; total: number; unreadCount: number }
}
const listTitles = async (user: User, query?: Record<string, string>) =>
  (await list(user, query)).notifications.map(({ title }) => title)

describe('list', () => {
  test('is sorted newest first and paginated, with the filtered total and the unread count', async () => {
    const user = await makeUser(server.db)
    for (let day = 5; day >= 1; day--) await give(user, { title: `J-${day}`, createdAt: daysAgo(day) })
    await give(user, { title: 'lue', readAt: new Date(), category: 'billing', type: 'error' })
    await give(user, { title: 'archivée', archivedAt: new Date(), createdAt: daysAgo(9) })
    expect(await listTitles(user, { limit: '2', offset: '1' })).toEqual(['J-1', 'J-2'])
    expect(await list(user, { limit: '2' })).toMatchObject({ total: 6, unreadCount: 5 })
    expect(await list(user, { unreadOnly: 'true' })).toMatchObject({ total: 5, unreadCount: 5 })
    expect(await list(user, { unreadOnly: 'false' })).toMatchObject({ total: 6 })
    expect(await listTitles(user, { archived: 'true' })).toEqual(['archivée'])
    expect(await listTitles(user, { category: 'billing' })).toEqual(['lue'])
    expect(await list(user, { type: 'error' })).toMatchObject({ total: 1, unreadCount: 5 })
    expect(await list(user, { offset: '50' })).toMatchObject({ notifications: [], total: 6 })
    expect((await call(server, api.unreadCount, {}, user)).body).toEqual({ unreadCount: 5 })
  })

  test('search ignores accents and case and treats % literally', async () => {
    const user = await makeUser(server.db)
    await give(user, { title: 'Clé de répartition', message: 'À vérifier' })
    await give(user, { title: 'Part de 50 %' })
    expect(await listTitles(user, { q: 'REPARTITION verifier' })).toEqual(['Clé de répartition'])
    expect(await listTitles(user, { q: '%' })).toEqual(['Part de 50 %'])
    expect(await listTitles(user, { q: 'absent' })).toEqual([])
  })

  test('an action needs both a label and a path', async () => {
    const user = await makeUser(server.db)
    await give(user, { actionLabel: 'Voir', actionUrl: '/users', createdAt: daysAgo(1) })
    await give(user, { actionLabel: 'Voir' })
    const shown = (await list(user)).notifications.map(({ isActionable, actionUrl }) => ({ isActionable, actionUrl }))
    expect(shown).toEqual([
      { isActionable: false, actionUrl: null },
      { isActionable: true, actionUrl: '/users' },
    ])
  })

  test.each([{ limit: '0' }, { limit: '101' }, { offset: '-1' }, { category: 'autre' }, { unreadOnly: 'oui' }])(
    'refuses %j',
    async (query) => {
      const user = await makeUser(server.db)
      expect((await call(server, api.list, { query }, user)).status).toBe(422)
    },
  )
})

describe('one notification', () => {
  test('is marked read, then archived, and both can be repeated', async () => {
    const user = await makeUser(server.db)
    const { id } = await give(user)
    for (const _ of [1, 2]) {
      const read = await call(server, api.read, { params: { id } }, user)
      expect(read.body).toMatchObject({ id, isRead: true, isArchived: false })
    }
    for (const _ of [1, 2])
      expect((await call(server, api.archive, { params: { id } }, user)).body).toMatchObject({ isArchived: true })
    expect(await list(user)).toMatchObject({ total: 0, unreadCount: 0 })
  })

  test('is deleted only if dismissible', async () => {
    const user = await makeUser(server.db)
    const free = await give(user)
    const kept = await give(user, { isDismissible: false })
    expect((await call(server, api.remove, { params: { id: free.id } }, user)).body).toEqual({
      success: true,
      count: 1,
    })
    expect((await call(server, api.remove, { params: { id: free.id } }, user)).status).toBe(404)
    const refused = await call(server, api.remove, { params: { id: kept.id } }, user)
    expect(refused).toMatchObject({ status: 422, body: { code: 'not-dismissible' } })
    expect((await list(user)).total).toBe(1)
  })

  test('of a colleague, of another company or without an id is not found', async () => {
    const user = await makeUser(server.db)
    const colleague = await makeUser(server.db, { companyId: user.companyId })
    const stranger = await makeUser(server.db)
    const foreign = [(await give(colleague)).id, (await give(stranger)).id, crypto.randomUUID(), 'pas-un-id']
    for (const id of foreign)
      for (const e of [api.read, api.archive, api.remove])
        expect((await call(server, e, { params: { id } }, user)).status).toBe(404)
    for (const other of [colleague, stranger]) expect(await list(other)).toMatchObject({ total: 1, unreadCount: 1 })
  })

  test('in another company of the same person appears once that company is open', async () => {
    const user = await makeUser(server.db)
    const other = await makeUser(server.db)
    await server.db
      .insert(memberships)
      .values({ companyId: other.companyId, userId: user.id, role: 'client', acceptedAt: new Date() })
    const { id } = await give({ ...user, companyId: other.companyId })
    expect((await list(user)).total).toBe(0)
    expect((await call(server, api.read, { params: { id } }, user)).status).toBe(404)
    const token = await makeSession(server.db, user.id, other.companyId)
    expect((await list({ ...user, token })).total).toBe(1)
  })
})

describe('bulk actions', () => {
  const prepare = async () => {
    const user = await makeUser(server.db)
    const colleague = await makeUser(server.db, { companyId: user.companyId })
    await give(colleague, { createdAt: daysAgo(90), readAt: new Date() })
    await give(colleague, { createdAt: daysAgo(90) })
    await give(user, { title: 'récente lue', readAt: new Date() })
    await give(user, { title: 'récente' })
    await give(user, { title: 'ancienne', createdAt: daysAgo(40) })
    await give(user, { title: 'ancienne lue', createdAt: daysAgo(31), readAt: new Date() })
    await give(user, { title: 'archivée', createdAt: daysAgo(99), archivedAt: new Date() })
    return { user, untouched: async () => expect(await list(colleague)).toMatchObject({ total: 2, unreadCount: 1 }) }
  }

  test('mark all as read', async () => {
    const { user, untouched } = await prepare()
    expect((await call(server, api.markAllRead, {}, user)).body).toEqual({ success: true, count: 2 })
    expect((await call(server, api.markAllRead, {}, user)).body).toEqual({ success: true, count: 0 })
    expect(await list(user)).toMatchObject({ total: 4, unreadCount: 0 })
    await untouched()
  })

  test('archive the read ones', async () => {
    const { user, untouched } = await prepare()
    expect((await call(server, api.archiveRead, {}, user)).body).toEqual({ success: true, count: 2 })
    expect(await listTitles(user)).toEqual(['récente', 'ancienne'])
    await untouched()
  })

  test('archive old ones, thirty days by default, with a preview of their number', async () => {
    const { user, untouched } = await prepare()
    const preview = await call(server, api.archivePreview, {}, user)
    expect(preview.body).toMatchObject({ days: 30, count: 2, unread: 1 })
    expect(Date.parse(preview.body.oldest)).toBeLessThan(Date.parse(preview.body.newest))
    expect((await call(server, api.archivePreview, { body: { days: 35 } }, user)).body.count).toBe(1)
    expect((await call(server, api.archivePreview, { query: { days: '35' } }, user)).body).toMatchObject({
      days: 35,
      count: 1,
    })
    expect((await call(server, api.archivePreview, { query: { days: '0' } }, user)).status).toBe(422)
    expect((await call(server, api.archiveOld, { query: { days: '35' }, body: { days: 1 } }, user)).body).toEqual({
      success: true,
      count: 1,
    })
    expect((await call(server, api.archiveOld, {}, user)).body).toEqual({ success: true, count: 1 })
    const after = await call(server, api.archivePreview, {}, user)
    expect(after.body).toEqual({ days: 30, count: 0, unread: 0, oldest: null, newest: null })
    expect(await list(user)).toMatchObject({ total: 2, unreadCount: 1 })
    await untouched()
  })

  test.each([{ days: 0 }, { days: 1.5 }, { days: '30' }, { days: 30, all: true }])('refuses %j', async (body) => {
    const user = await makeUser(server.db)
    expect((await call(server, api.archiveOld, { body }, user)).status).toBe(422)
  })
})

/** The evening summary is off by default. */
type Item = { category: string; enabled: boolean }
const usual = (items: Item[]) => items.every(({ category, enabled }) => enabled === (category !== 'hours'))

describe('preferences', () => {
  test('are on by default except the optional ones, and are stored by category and channel', async () => {
    const user = await makeUser(server.db)
    const read = async () => (await call(server, api.preferences, {}, user)).body.items as Item[]
    expect(await read()).toHaveLength(18)
    expect(usual(await read())).toBe(true)
    const off = { category: 'billing', channel: 'mail', enabled: false }
    const saved = await call(server, api.savePreferences, { body: { items: [off] } }, user)
    expect(saved.body.items.filter((item: Item) => !item.enabled && item.category !== 'hours')).toEqual([off])
    expect(await read()).toEqual(saved.body.items)
    await call(server, api.savePreferences, { body: { items: [{ ...off, enabled: true }] } }, user)
    expect(usual(await read())).toBe(true)
  })

  test('keep security in the app, and do not change those of another person', async () => {
    const user = await makeUser(server.db)
    const other = await makeUser(server.db, { companyId: user.companyId })
    const items = ['app', 'mail'].map((channel) => ({ category: 'security', channel, enabled: false }))
    const saved = await call(server, api.savePreferences, { body: { items } }, user)
    expect(saved.body.items.slice(0, 2)).toEqual([{ ...items[0], enabled: true }, items[1]])
    const theirs = await call(server, api.preferences, {}, other)
    expect(usual(theirs.body.items)).toBe(true)
  })

  test('every endpoint requires a session', async () => {
    const [row] = await server.db
      .select({ n: sql<number>`count(*)::int` })
      .from(notifications)
      .where(eq(notifications.type, 'info'))
    for (const e of Object.values(api))
      expect((await call(server, e, { params: { id: crypto.randomUUID() } })).status).toBe(401)
    const [after] = await server.db
      .select({ n: sql<number>`count(*)::int` })
      .from(notifications)
      .where(eq(notifications.type, 'info'))
    expect(after).toEqual(row)
  })
})

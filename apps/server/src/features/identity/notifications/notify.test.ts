import { notifications as endpoints } from '@voisol/contract/notifications'
import { and, eq } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { call } from '../../../../test/client.ts'
import { makeCompany, makeUser } from '../../../../test/factories.ts'
import { makeOperation } from '../../../../test/factories-energy.ts'
import { waitForJobs } from '../../../../test/jobs.ts'
import { useServer } from '../../../../test/server.ts'
import { waitUntil } from '../../../../test/wait.ts'
import { transaction } from '../../../db/client.ts'
import { memberships, notifications } from '../../../db/schema/index.ts'
import { type NotificationEvent, notify } from './notifications.ts'

const server = useServer()
let count = 0
const event = (companyId: number, more: Partial<NotificationEvent> = {}): NotificationEvent => ({
  companyId,
  to: { permission: 'operations.read' },
  category: 'operations',
  type: 'info',
  priority: 'normal',
  title: 'Opération créée',
  message: 'La copropriété est prête.',
  key: `event ${++count}`,
  ...more,
})
const tell = (e: NotificationEvent) => notify(server.db, server.deps, e)
const rowsOf = (userId: string) => server.db.select().from(notifications).where(eq(notifications.userId, userId))
const mailsTo = async (email: string) =>
  (await server.catcher.messages()).filter(({ to }) => to?.some(({ address }) => address === email))
const mailTo = (email: string) => waitUntil(async () => (await mailsTo(email))[0])
const switchOff = (token: string, category: string, channel: string) =>
  call(server, endpoints.savePreferences, { body: { items: [{ category, channel, enabled: false }] } }, { token })

describe('recipients', () => {
  test('are the active administrators of the company, and nobody else', async () => {
    const admin = await makeUser(server.db)
    const { companyId } = admin
    const client = await makeUser(server.db, { companyId, isAdmin: false })
    const disabled = await makeUser(server.db, { companyId })
    const invited = await makeUser(server.db, { companyId })
    const stranger = await makeUser(server.db)
    const member = (id: string) => and(eq(memberships.userId, id), eq(memberships.companyId, companyId))
    await server.db.update(memberships).set({ disabledAt: new Date() }).where(member(disabled.id))
    await server.db.update(memberships).set({ acceptedAt: null }).where(member(invited.id))
    await tell(event(companyId))
    expect(await rowsOf(admin.id)).toHaveLength(1)
    for (const { id } of [client, disabled, invited, stranger]) expect(await rowsOf(id)).toEqual([])
    await tell(event(companyId, { to: [client.id, disabled.id, stranger.id] }))
    expect(await rowsOf(client.id)).toHaveLength(1)
    for (const { id } of [disabled, stranger]) expect(await rowsOf(id)).toEqual([])
  })

  test('are the members with the permission and with access to the operation', async () => {
    const { id: companyId } = await makeCompany(server.db)
    const { id: operationId } = await makeOperation(server.db, { companyId })
    const person = async (more: Parameters<typeof makeUser>[1]) =>
      (await makeUser(server.db, { companyId, ...more })).id
    const people = {
      technician: await person({ role: 'technician' }),
      accountant: await person({ role: 'accountant' }),
      own: await person({ permissions: ['sync.read'] }),
      here: await person({ role: 'manager', operationIds: [operationId] }),
      elsewhere: await person({ role: 'manager', operationIds: [(await makeOperation(server.db, { companyId })).id] }),
    }
    const told = async () => {
      const found = Object.entries(people).map(async ([who, id]) => ((await rowsOf(id)).length ? [who] : []))
      const names = (await Promise.all(found)).flat()
      await server.db.delete(notifications).where(eq(notifications.companyId, companyId))
      return names
    }
    await tell(event(companyId, { to: { permission: 'sync.read' } }))
    expect(await told()).toEqual(['technician', 'own'])
    await tell(event(companyId, { to: { permission: 'allocations.read', operationId } }))
    expect(await told()).toEqual(['technician', 'accountant', 'here'])
    await tell(event(companyId, { to: { permission: 'allocations.read' } }))
    expect(await told()).toEqual(['technician', 'accountant'])
  })

  test('may be none: a company without administrators or an empty list is no error', async () => {
    const company = await makeCompany(server.db)
    await tell(event(company.id))
    await tell(event(company.id, { to: [] }))
  })
})

test('a late notification is sorted by the time of its event', async () => {
  const { id, companyId, token } = await makeUser(server.db)
  await tell(event(companyId, { to: [id], title: 'Après' }))
  await tell(event(companyId, { to: [id], title: 'Avant', at: new Date(Date.now() - 61_000) }))
  const { body } = await call(server, endpoints.list, {}, { token })
  expect(body.notifications.map(({ title }: { title: string }) => title)).toEqual(['Après', 'Avant'])
})

describe('one event', () => {
  test('is notified once in the app and by mail, even by twenty concurrent calls', async () => {
    const user = await makeUser(server.db)
    const same = event(user.companyId, { priority: 'critical', title: 'Une fois' })
    await Promise.all(Array.from({ length: 20 }, () => transaction(server.db, (tx) => notify(tx, server.deps, same))))
    expect(await rowsOf(user.id)).toHaveLength(1)
    await mailTo(user.email)
    await waitForJobs(server)
    expect(await mailsTo(user.email)).toHaveLength(1)
  })

  test('is notified only when the caller’s transaction is committed', async () => {
    const user = await makeUser(server.db)
    const failing = transaction(server.db, async (tx) => {
      await notify(tx, server.deps, event(user.companyId, { priority: 'critical' }))
      throw new Error('no')
    })
    await expect(failing).rejects.toThrow('no')
    await waitForJobs(server)
    expect(await rowsOf(user.id)).toEqual([])
    expect(await mailsTo(user.email)).toEqual([])
  })

  test.each(['https://evil.fr', '//evil.fr', '/\\evil.fr', 'javascript:alert(1)', 'users', '', '/\t/evil.fr'])(
    'cannot link to %j',
    async (url) => {
      const user = await makeUser(server.db)
      await expect(tell(event(user.companyId, { action: { label: 'Voir', url } }))).rejects.toThrow(
        'path of the product',
      )
    },
  )
})

describe('by mail', () => {
  test('goes out for critical, high and security notifications; the others stay in the app', async () => {
    const user = await makeUser(server.db)
    const { companyId } = user
    await tell(event(companyId, { title: 'normal' }))
    await tell(event(companyId, { title: 'bas', priority: 'low' }))
    const action = { label: 'Voir la facture', url: '/billing?id=1' }
    await tell(event(companyId, { title: 'haut <b>', priority: 'high', message: 'Un\nDeux <i>', action }))
    await tell(event(companyId, { title: 'sécurité', category: 'security' }))
    await waitUntil(async () => (await mailsTo(user.email)).length === 2)
    await waitForJobs(server)
    const mails = await mailsTo(user.email)
    expect(mails.map(({ subject }) => subject).sort()).toEqual(['haut <b>', 'sécurité'])
    const high = mails.find(({ subject }) => subject === 'haut <b>')
    expect(high?.text).toContain('/billing?id=1')
    expect(high?.html).toContain('Deux &lt;i&gt;')
  })

  test('a preference switches a channel off, but security is always shown in the app', async () => {
    const user = await makeUser(server.db)
    const { companyId, token } = user
    await switchOff(token, 'billing', 'app')
    await switchOff(token, 'operations', 'mail')
    await switchOff(token, 'security', 'app')
    await tell(event(companyId, { title: 'app seule', priority: 'critical' }))
    await tell(event(companyId, { title: 'alerte', category: 'security' }))
    const mailOnly = event(companyId, { title: 'mail seul', category: 'billing', priority: 'high' })
    await tell(mailOnly)
    await tell(mailOnly)
    await waitUntil(async () => (await mailsTo(user.email)).length === 2)
    await waitForJobs(server)
    expect((await mailsTo(user.email)).map(({ subject }) => subject).sort()).toEqual(['alerte', 'mail seul'])
    expect((await rowsOf(user.id)).map(({ title }) => title).sort()).toEqual(['alerte', 'app seule'])
  })
})

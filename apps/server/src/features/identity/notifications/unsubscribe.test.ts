import { expect, test } from 'vitest'
import { makeUser } from '../../../../test/factories.ts'
import { postOneClickUnsubscribe } from '../../../../test/mails.ts'
import { useServer } from '../../../../test/server.ts'
import {
  buildNotificationUnsubscribeUrl,
  isUnsubscribable,
  loadNotificationPreferences,
  saveNotificationPreferences,
} from './notification-preferences.ts'

const server = useServer()
const post = (url: string) => postOneClickUnsubscribe(server, url)
const isOn = async (userId: string, category: string) =>
  (await loadNotificationPreferences(server.db, userId)).find(
    (one) => one.category === category && one.channel === 'mail',
  )?.enabled

test('one-click unsubscribe ends this category of mails only', async () => {
  const { id } = await makeUser(server.db)
  await saveNotificationPreferences(server.db, id, [{ category: 'hours', channel: 'mail', enabled: true }])
  expect(await isOn(id, 'hours')).toBe(true)
  expect((await post(buildNotificationUnsubscribeUrl(server.deps, id, 'hours'))).statusCode).toBe(200)
  expect([await isOn(id, 'hours'), await isOn(id, 'operations')]).toEqual([false, true])
})

test('a key of another user, or of a mandatory category, is silently ignored', async () => {
  const [one, other] = [await makeUser(server.db), await makeUser(server.db)]
  const key = buildNotificationUnsubscribeUrl(server.deps, one.id, 'operations')
  expect((await post(key.replace(one.id, other.id))).statusCode).toBe(200)
  expect((await post(buildNotificationUnsubscribeUrl(server.deps, one.id, 'billing'))).statusCode).toBe(200)
  expect((await post(`${key.slice(0, key.lastIndexOf('.'))}.x`)).statusCode).toBe(200)
  for (const who of [one, other]) expect(await isOn(who.id, 'operations')).toBe(true)
  expect(await isOn(one.id, 'billing')).toBe(true)
  expect(['security', 'account', 'billing', 'support'].some((name) => isUnsubscribable(name as 'billing'))).toBe(false)
})

import { expect, test } from 'vitest'
import { makeUser } from '../../../../test/factories.ts'
import { clickOnce } from '../../../../test/one-click.ts'
import { useServer } from '../../../../test/server.ts'
import { isLeft, leaveUrl } from './leave.ts'
import { readPreferences, savePreferences } from './preferences.ts'

const server = useServer()
const post = (url: string) => clickOnce(server, url)
const isOn = async (userId: string, category: string) =>
  (await readPreferences(server.db, userId)).find((one) => one.category === category && one.channel === 'mail')?.enabled

test('one click of a mail program ends these messages, and no others', async () => {
  const { id } = await makeUser(server.db)
  await savePreferences(server.db, id, [{ category: 'hours', channel: 'mail', enabled: true }])
  expect(await isOn(id, 'hours')).toBe(true)
  expect((await post(leaveUrl(server.deps, id, 'hours'))).statusCode).toBe(200)
  expect([await isOn(id, 'hours'), await isOn(id, 'operations')]).toEqual([false, true])
})

test('a key of another, or of what must be read, does nothing and says nothing', async () => {
  const [one, other] = [await makeUser(server.db), await makeUser(server.db)]
  const key = leaveUrl(server.deps, one.id, 'operations')
  expect((await post(key.replace(one.id, other.id))).statusCode).toBe(200)
  expect((await post(leaveUrl(server.deps, one.id, 'billing'))).statusCode).toBe(200)
  expect((await post(`${key.slice(0, key.lastIndexOf('.'))}.x`)).statusCode).toBe(200)
  for (const who of [one, other]) expect(await isOn(who.id, 'operations')).toBe(true)
  expect(await isOn(one.id, 'billing')).toBe(true)
  expect(['security', 'account', 'billing', 'support'].some((name) => isLeft(name as 'billing'))).toBe(false)
})

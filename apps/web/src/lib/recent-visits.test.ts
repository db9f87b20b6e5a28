import type { CurrentUser } from '@voisol/contract/auth'
import { afterEach, expect, test } from 'vitest'
import { forgetVisits, getRecentVisits, rememberVisit } from './recent-visits.ts'
import { toStorageKey, writeStorage } from './storage.ts'
import { sessionStore } from './stores.ts'

const as = (id: string, companyId = 1) =>
  sessionStore.set({ status: 'authenticated', user: { id, companyId, space: 'office' } as CurrentUser }) // what is read of it
const visit = (n: number) => ({ title: `Opération ${n}`, detail: 'Opération', to: `/acc-operations/${n}` })
const titles = () => getRecentVisits().map(({ title }) => title)

afterEach(() => {
  forgetVisits()
  sessionStore.set({ status: 'anonymous', user: null })
})

test('the last opened comes first, each once, and only so many', () => {
  as('a')
  for (const n of [1, 2, 3, 4, 5, 6, 7, 8, 9, 3]) rememberVisit(visit(n))
  expect(titles()).toEqual([3, 9, 8, 7, 6, 5, 4, 2].map((n) => `Opération ${n}`))
})

test('what one person opened in one company is nobody else’s', () => {
  as('a')
  rememberVisit(visit(1))
  as('b')
  expect(titles()).toEqual([])
  as('a', 2)
  expect(titles()).toEqual([])
  as('a')
  expect(titles()).toEqual(['Opération 1'])
  sessionStore.set({ status: 'anonymous', user: null })
  rememberVisit(visit(2))
  expect(titles()).toEqual([])
})

test.each(['', '{', 'null', '[]', '{"who":"a 1 office"}', '{"who":"a 1 office","visits":[{"to":"https://a"},3]}'])(
  'a storage that holds %j holds nothing',
  (text) => {
    as('a')
    writeStorage(toStorageKey('recent'), text)
    expect(titles()).toEqual([])
  },
)

import { content } from '@voisol/contract/content'
import { expect, test } from 'vitest'
import { call } from '../../../../test/client.ts'
import { makeUser } from '../../../../test/factories.ts'
import { useServer } from '../../../../test/server.ts'
import { addFirstContent } from './index.ts'
import { findNearestWord } from './suggest-content.ts'

const server = useServer()

test('what may answer is found by its French words, without accents and with slips', async () => {
  await addFirstContent(server.db, server.deps.config)
  const who = await makeUser(server.db, { isAdmin: false })
  const ask = async (q: string, size = '8') =>
    (await call(server, content.suggest, { query: { q, size } }, who)).body.items as { title: string; path: string }[]
  const expected = await ask('répartition')
  expect(expected.length).toBeGreaterThan(0)
  for (const q of ['repartition', 'repartitoin', 'la répartition', 'REPARTITIONS'])
    expect([q, await ask(q)]).toEqual([q, expected])
  expect(expected[0]?.path).toMatch(/^\/(?:resources\/faq#|user-guide\/|resources\/guides\/)/)
  const sentence = await ask('Bonjour, je ne comprends pas le montant de ma facture du mois de mars')
  expect(sentence.some(({ title }) => /factur/i.test(title))).toBe(true)
  expect((await ask('Le montant de ma facture', '3')).map(({ title }) => title).join()).toMatch(/factur/i)
  expect(await ask('', '4')).toEqual([])
  expect(await ask('le la les de')).toEqual([])
  expect(await ask("'); drop table contents; --")).toBeInstanceOf(Array)
  expect(await ask('zzzzqqqq')).toEqual([])
  expect((await ask('facture', '1')).length).toBe(1)
})

test('a word is near another by a slip or two, and a short one by none', () => {
  expect(findNearestWord('facutre', ['factur', 'facad'])).toBe('factur')
  expect(findNearestWord('lot', ['lots', 'loc'])).toBeUndefined()
  expect(findNearestWord('autoconsomation', ['autoconsomm', 'consomm'])).toBe('autoconsomm')
})

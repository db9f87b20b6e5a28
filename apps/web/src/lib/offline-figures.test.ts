import { beforeEach, expect, test } from 'vitest'
import { stubStorage, testUser } from './fake-browser.ts'
import { storeOfflineFigures } from './offline-figures.ts'
import { removeTokens } from './storage.ts'
import { sessionStore } from './stores.ts'

const FIGURES = { sentence: '42 % de votre électricité a été locale.', note: '', lines: [] }
let storage: Map<string, string>
const readStoredFigures = () => storage.get('voisol_last_figures')

beforeEach(() => {
  storage = stubStorage()
})

test('one person’s figures, with their age, in the portal alone', () => {
  sessionStore.set({ status: 'authenticated', user: { ...testUser, space: 'office' } })
  storeOfflineFigures(FIGURES)
  expect(readStoredFigures()).toBeUndefined()
  sessionStore.set({ status: 'authenticated', user: { ...testUser, space: 'portal' } })
  storeOfflineFigures(FIGURES, new Date('2026-11-17T10:00:00Z'))
  expect(JSON.parse(readStoredFigures() ?? '')).toMatchObject({
    ...FIGURES,
    name: testUser.firstName,
    at: '2026-11-17T10:00:00.000Z',
  })
})

test('signing out forgets them', () => {
  sessionStore.set({ status: 'authenticated', user: { ...testUser, space: 'portal' } })
  storeOfflineFigures(FIGURES)
  removeTokens()
  expect(readStoredFigures()).toBeUndefined()
})

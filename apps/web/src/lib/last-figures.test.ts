import { beforeEach, expect, test } from 'vitest'
import { fakeStorage, person } from './fake-browser.ts'
import { keepFigures } from './last-figures.ts'
import { sessionStore } from './session-store.ts'
import { removeTokens } from './storage.ts'

const FIGURES = { sentence: '42 % de votre électricité a été locale.', note: '', lines: [] }
let storage: Map<string, string>
const kept = () => storage.get('voisol_last_figures')

beforeEach(() => {
  storage = fakeStorage()
})

test('one person’s figures, with their age, in the portal alone', () => {
  sessionStore.set({ status: 'authenticated', user: { ...person, space: 'office' } })
  keepFigures(FIGURES)
  expect(kept()).toBeUndefined()
  sessionStore.set({ status: 'authenticated', user: { ...person, space: 'portal' } })
  keepFigures(FIGURES, new Date('2026-11-17T10:00:00Z'))
  expect(JSON.parse(kept() ?? '')).toMatchObject({ ...FIGURES, name: person.firstName, at: '2026-11-17T10:00:00.000Z' })
})

test('signing out forgets them', () => {
  sessionStore.set({ status: 'authenticated', user: { ...person, space: 'portal' } })
  keepFigures(FIGURES)
  removeTokens()
  expect(kept()).toBeUndefined()
})

import { contrast } from '@voisol/contract/colour'
import { DEFAULT_WHITE_LABEL } from '@voisol/contract/white-label'
import { expect, test } from 'vitest'
import { verdictsOf } from './contrast.ts'

const of = (more: Partial<typeof DEFAULT_WHITE_LABEL>) => verdictsOf({ ...DEFAULT_WHITE_LABEL, ...more })
const failing = (more: Partial<typeof DEFAULT_WHITE_LABEL>) =>
  of(more)
    .filter(({ fits }) => !fits)
    .map(({ name }) => name)

test('the default blue is a little too light for words, and a shade of it that reads is offered', () => {
  const [words] = of({})
  expect(words).toMatchObject({ name: 'primaryColor', fits: false, needed: 4.5 })
  expect(words?.ratio).toBeCloseTo(3.98, 2)
  expect(contrast(words?.shade ?? '', '#FFFFFF')).toBeGreaterThanOrEqual(4.5)
})

test('a colour of the page itself fails, and its shade does not', () => {
  expect(failing({ primaryColor: '#FFFFFF', accentColor: '#FEFEFE', secondaryColor: '#FFFFFF' })).toEqual([
    'primaryColor',
    'secondaryColor',
    'accentColor',
  ])
  for (const { shade, needed } of of({
    primaryColor: '#FFFFFF',
    accentColor: '#FEFEFE',
    secondaryColor: '#FFFFFF',
  }).filter(({ fits }) => !fits))
    expect(contrast(shade, '#FFFFFF')).toBeGreaterThanOrEqual(needed)
})

test('dark colours are judged once they are used, and a colour being typed is not judged', () => {
  const dark = { darkModePrimaryColor: '#121212', darkModeBackgroundColor: '#121212' }
  expect(of(dark).map(({ name }) => name)).not.toContain('darkModePrimaryColor')
  expect(failing({ ...dark, darkModeEnabled: true })).toContain('darkModeBackgroundColor')
  expect(of({ primaryColor: '#12' }).map(({ name }) => name)).not.toContain('primaryColor')
})

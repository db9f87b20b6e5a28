import { computeContrast } from '@voisol/contract/colour'
import { DEFAULT_WHITE_LABEL } from '@voisol/contract/white-label'
import { expect, test } from 'vitest'
import { checkContrasts } from './contrast.ts'

const checkWith = (more: Partial<typeof DEFAULT_WHITE_LABEL>) => checkContrasts({ ...DEFAULT_WHITE_LABEL, ...more })
const findFailing = (more: Partial<typeof DEFAULT_WHITE_LABEL>) =>
  checkWith(more)
    .filter(({ fits }) => !fits)
    .map(({ name }) => name)

test('the default blue is a little too light for words, and a shade of it that reads is offered', () => {
  const [words] = checkWith({})
  expect(words).toMatchObject({ name: 'primaryColor', fits: false, needed: 4.5 })
  expect(words?.ratio).toBeCloseTo(3.98, 2)
  expect(computeContrast(words?.shade ?? '', '#FFFFFF')).toBeGreaterThanOrEqual(4.5)
})

test('a colour of the page itself fails, and its shade does not', () => {
  expect(findFailing({ primaryColor: '#FFFFFF', accentColor: '#FEFEFE', secondaryColor: '#FFFFFF' })).toEqual([
    'primaryColor',
    'secondaryColor',
    'accentColor',
  ])
  for (const { shade, needed } of checkWith({
    primaryColor: '#FFFFFF',
    accentColor: '#FEFEFE',
    secondaryColor: '#FFFFFF',
  }).filter(({ fits }) => !fits))
    expect(computeContrast(shade, '#FFFFFF')).toBeGreaterThanOrEqual(needed)
})

test('dark colours are judged once they are used, and a colour being typed is not judged', () => {
  const dark = { darkModePrimaryColor: '#121212', darkModeBackgroundColor: '#121212' }
  expect(checkWith(dark).map(({ name }) => name)).not.toContain('darkModePrimaryColor')
  expect(findFailing({ ...dark, darkModeEnabled: true })).toContain('darkModeBackgroundColor')
  expect(checkWith({ primaryColor: '#12' }).map(({ name }) => name)).not.toContain('primaryColor')
})

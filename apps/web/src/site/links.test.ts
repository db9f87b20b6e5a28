import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { getScreens } from '../app/screens/table.ts'
import { isKnownPath, LINKED_SCREENS } from './links.ts'

const screens = getScreens(false).map(({ path }): string => path)
const written = globSync('**/*.{ts,tsx}', { cwd: import.meta.dirname })
  .filter((file) => !file.includes('.test.'))
  .flatMap((file) => [
    ...readFileSync(join(import.meta.dirname, file), 'utf8').matchAll(/href(?:: |=)['"](\/[^'"]*)['"]/g),
  ])
  .map(([, href = '']) => href.split(/[?#]/)[0] ?? '')

test('a screen that the site leads to is one, and the site names no other', () => {
  expect(LINKED_SCREENS.filter((path) => !screens.includes(path))).toEqual([])
  expect(written.length).toBeGreaterThan(100)
  expect(written.filter((href) => screens.includes(href) && !isKnownPath(href))).toEqual([])
})

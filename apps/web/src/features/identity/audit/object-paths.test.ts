import { expect, test } from 'vitest'
import { screens } from '../../../app/screens/table.ts'
import { getObjectPath, OBJECT_KINDS } from './audit-entry.tsx'

const ID = '5b0c1d1e-7a3f-4c59-9f0a-2d1c8e4b6a71'
const known = screens.map(({ path }) => new RegExp(`^${path.replace(/:\w+/g, '[^/]+')}$`))

test.each(OBJECT_KINDS)('%s lead to a screen that exists', (kind) => {
  const path = getObjectPath(kind, ID)?.split('?')[0] ?? ''
  expect(known.some((screen) => screen.test(path))).toBe(true)
})

test('what has no screen has no address', () => {
  expect(getObjectPath('keys', ID)).toBeUndefined()
})

import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { createSecrets, isValidStamp } from './secrets.ts'

const [first, second, third] = [randomBytes(32), randomBytes(32), randomBytes(32)]

test('former keys only open and verify, and any other key is refused', () => {
  const before = createSecrets(first)
  const now = createSecrets(second, [first])
  const sealed = before.seal('secret', 'here')
  expect(now.open(sealed, 'here')).toBe('secret')
  expect(() => now.open(sealed, 'elsewhere')).toThrow()
  expect(() => createSecrets(second).open(sealed, 'here')).toThrow()
  expect(() => createSecrets(second, [third]).open(sealed, 'here')).toThrow()
  expect([now.isOld(sealed, 'here'), now.isOld(now.seal('secret', 'here'), 'here')]).toEqual([true, false])
  expect(() => before.open(now.seal('secret', 'here'), 'here')).toThrow()
  expect(now.signs('text')).toEqual([now.sign('text'), before.sign('text')])
  expect(isValidStamp(now.stamps('leave', 'text'), before.stamp('leave', 'text'))).toBe(true)
  expect(isValidStamp(now.stamps('leave', 'text'), before.stamp('reply', 'text'))).toBe(false)
  expect(isValidStamp(now.stamps('leave', 'text'), 'é'.repeat(43))).toBe(false)
})

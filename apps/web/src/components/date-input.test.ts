import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const SRC = join(import.meta.dirname, '..')

test('no date is left to the browser, which writes it in its own language', () => {
  const native = globSync('**/*.tsx', { cwd: SRC }).filter((file) =>
    /<[iI]nput\b[^>]*type="(?:date|datetime-local|month|week|time)"/s.test(readFileSync(join(SRC, file), 'utf8')),
  )
  expect(native).toEqual([])
})

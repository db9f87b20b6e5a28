import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const ROOT = join(import.meta.dirname, '../../..')
/** A block with its file name in the first line, and each run of lines between two omissions. */
const BLOCK = /^```\w+ (\S+)\n([\s\S]*?)\n```$/gm
const CUT = /^\s*\/\/ …$/m

const snippets = [...readFileSync(join(ROOT, 'CONTRIBUTING.md'), 'utf8').matchAll(BLOCK)].map(
  ([, file = '', text = '']) => ({ file, parts: text.split(CUT).map((part) => part.replace(/^\n+|\n+$/g, '')) }),
)

test('the worked example goes from the contract to the browser', () => {
  expect(snippets.map(({ file }) => file.split('/').slice(0, 3).join('/'))).toEqual(
    expect.arrayContaining(['packages/contract/src', 'apps/server/src', 'apps/web/src', 'apps/web/e2e']),
  )
})

test.each(snippets)('$file contains what CONTRIBUTING shows of it', ({ file, parts }) => {
  expect(existsSync(join(ROOT, file))).toBe(true)
  const source = readFileSync(join(ROOT, file), 'utf8')
  for (const part of parts.filter(Boolean)) expect(source).toContain(part)
})

import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'

const HOOK = join(import.meta.dirname, 'resolve-once.ts')
const folder = mkdtempSync(join(tmpdir(), 'voisol-resolve-'))
const FILES = {
  'main.mjs': `import { a, again } from './a/use.mjs'
import { b } from './b/use.mjs'
console.log([a, again, b].join())`,
  'a/use.mjs': `import { createRequire } from 'node:module'
import a from 'one'
const again = createRequire(import.meta.url)('one')
export { a, again }`,
  'b/use.mjs': `export { default as b } from 'one'`,
}
/** Each folder has a package of that name, with a different file for import and for require. */
const buildPackage = (name: string) => ({
  [`${name}/node_modules/one/package.json`]: JSON.stringify({ exports: { import: './i.mjs', require: './r.cjs' } }),
  [`${name}/node_modules/one/i.mjs`]: `export default '${name} imported'`,
  [`${name}/node_modules/one/r.cjs`]: `module.exports = '${name} required'`,
})

beforeAll(() => {
  for (const [name, text] of Object.entries({ ...FILES, ...buildPackage('a'), ...buildPackage('b') })) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
})
afterAll(() => rmSync(folder, { recursive: true }))

test('a package is resolved from the importing folder, for import and require separately', () => {
  const said = execFileSync(process.execPath, ['--import', HOOK, join(folder, 'main.mjs')], { encoding: 'utf8' })
  expect(said.trim()).toBe('a imported,a required,b imported')
})

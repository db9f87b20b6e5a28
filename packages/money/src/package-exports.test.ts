import { existsSync, globSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { expect, test } from 'vitest'

const ROOT = join(import.meta.dirname, '..')

test('every path that the package exports is a file that exists', () => {
  const { exports, dependencies } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
  const doors = Object.values<string>(exports)
  expect(doors.length).toBeGreaterThan(0)
  expect(doors.filter((path) => !existsSync(join(ROOT, path)))).toEqual([])
  expect(dependencies).toBeUndefined()
})

/** A folder may import itself and the folders listed for it. */
const ALLOWED_IMPORTS: Record<string, string[]> = {
  numbers: [],
  calendar: [],
  tariff: ['calendar', 'numbers'],
  documents: ['calendar', 'numbers', 'tariff'],
  month: ['calendar', 'documents', 'numbers', 'tariff'],
  corrections: ['documents'],
  payments: ['calendar', 'numbers'],
  accounts: ['calendar', 'documents', 'numbers', 'tariff'],
  explain: ['calendar', 'documents', 'month', 'numbers', 'tariff'],
}

const files = globSync('src/*/**/*.ts', { cwd: ROOT }).filter((file) => !/\.test\.ts$|\/testing\//.test(file))
const texts = new Map(files.map((file) => [file, readFileSync(join(ROOT, file), 'utf8')]))
const listImports = (file: string) =>
  [...(texts.get(file) ?? '').matchAll(/from '([^']+)'/g)].map((match) => {
    const target = match[1] ?? ''
    return target.startsWith('.') ? relative(ROOT, join(ROOT, file, '..', target)) : target
  })
const getFolder = (file: string) => file.split('/')[1] ?? ''

test('a folder imports only the folders listed for it, and nothing from outside', () => {
  const broken = files.flatMap((file) =>
    listImports(file)
      .filter(
        (target) =>
          !target.startsWith('src/') ||
          ![getFolder(file), ...(ALLOWED_IMPORTS[getFolder(file)] ?? [])].includes(getFolder(target)),
      )
      .map((target) => `${file} -> ${target}`),
  )
  expect(files.length).toBeGreaterThan(0)
  expect(broken).toEqual([])
})

test('no source rounds with Math.round or reads the clock', () => {
  const forbidden = /Math\.(round|ceil|trunc)|parseFloat|toFixed|Date\.now|new Date\(\)/
  expect(files.filter((file) => forbidden.test(texts.get(file) ?? ''))).toEqual([])
})

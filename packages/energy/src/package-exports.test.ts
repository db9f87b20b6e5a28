import { existsSync, globSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { expect, test } from 'vitest'

const ROOT = join(import.meta.dirname, '..')

test('every path that the package exports is a file that exists', () => {
  const { exports } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
  const doors = Object.values<string>(exports)
  expect(doors.length).toBeGreaterThan(0)
  expect(doors.filter((path) => !existsSync(join(ROOT, path)))).toEqual([])
})

/** A folder may import itself and the folders listed for it. */
const ALLOWED_IMPORTS: Record<string, string[]> = {
  calendar: [],
  series: ['calendar'],
  keys: ['series'],
  kernel: ['keys', 'series'],
  operation: ['calendar', 'keys', 'kernel', 'series'],
  model: ['calendar', 'series'],
  forecast: ['calendar', 'model', 'series'],
  insights: ['calendar', 'forecast', 'keys', 'kernel', 'model', 'series'],
}

const files = globSync('src/*/**/*.ts', { cwd: ROOT }).filter((file) => !/\.test\.ts$|\/testing\//.test(file))
const listImports = (file: string) =>
  [...readFileSync(join(ROOT, file), 'utf8').matchAll(/from '(\.[^']+)'/g)].map((match) =>
    relative(ROOT, join(ROOT, file, '..', match[1] ?? '')),
  )
const getFolder = (file: string) => file.split('/')[1] ?? ''

test('a folder imports only the folders listed for it', () => {
  const broken = files.flatMap((file) =>
    listImports(file)
      .filter((target) => ![getFolder(file), ...(ALLOWED_IMPORTS[getFolder(file)] ?? [])].includes(getFolder(target)))
      .map((target) => `${file} -> ${target}`),
  )
  expect(files.length).toBeGreaterThan(0)
  expect(broken).toEqual([])
})

test('no file imports itself through other files, types included', () => {
  const graph = new Map(files.map((file) => [file, listImports(file)]))
  const reaches = (from: string, goal: string, seen = new Set<string>()): boolean =>
    (graph.get(from) ?? []).some((next) => {
      if (next === goal) return true
      if (seen.has(next)) return false
      seen.add(next)
      return reaches(next, goal, seen)
    })
  expect(files.filter((file) => reaches(file, file))).toEqual([])
})

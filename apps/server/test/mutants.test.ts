import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

const root = path.resolve(import.meta.dirname, '../../..')
type Row = { area: string; file: string; find: string; replace: string; why: string; tests: string[] }
type Table = {
  readTables(folder: string): Row[]
  checkRows(rows: Partial<Row>[], root: string): string[]
  isWanted(only?: string, areas?: string[]): (row: Row) => boolean
  plant(source: string, row: Row): string
  lineOf(source: string, row: Row): number
}
type Killed = { isKilled(row: Row): boolean; add(row: Row): void }
type Took = { of(test: string): number | undefined; add(test: string, ms: number): void }
// Plain JavaScript modules with these functions.
const table = (await import(path.join(root, 'scripts/mutants/runner/table.mjs'))) as Table
const { openKilled, openTook } = (await import(path.join(root, 'scripts/mutants/runner/kept.mjs'))) as {
  openKilled(file: string, root: string, all: Row[], isForgotten: boolean): Killed
  openTook(file: string, root: string, commit: string): Took
}

describe('the table of mutants', () => {
  const rows = table.readTables(path.join(root, 'scripts/mutants'))

  test('names existing files, unique snippets, and tests', () => {
    expect(table.checkRows(rows, root)).toEqual([])
  })

  test('covers money, access and time, without duplicates', () => {
    const areas = new Set(rows.map(({ area }) => area))
    expect([...areas]).toEqual(expect.arrayContaining(['access', 'money', 'time']))
    const said = rows.map(({ file, find, replace }) => JSON.stringify([file, find, replace]))
    expect(said.filter((one, at) => said.indexOf(one) !== at)).toEqual([])
  })
})

describe('a row of the table', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'voisol-rows-'))
  const row: Row = {
    area: 'a',
    file: 'rule.ts',
    find: '<= 3',
    replace: '< 3',
    why: 'one less',
    tests: ['rule.test.ts'],
  }
  const faults = (more: Partial<Row>) => table.checkRows([{ ...row, ...more }], folder)
  beforeAll(() => {
    writeFileSync(path.join(folder, 'rule.ts'), 'const a = 1\nexport const rule = (n: number) => n <= 3 && n !== a\n')
    writeFileSync(path.join(folder, 'rule.test.ts'), '')
  })
  afterAll(() => rmSync(folder, { recursive: true }))

  test('without a problem is accepted', () => {
    expect(faults({})).toEqual([])
  })

  test.each([
    ['a file that is not there', { file: 'other.ts' }, 'fichier introuvable'],
    ['a snippet that is not there', { find: '>= 3' }, 'extrait trouvé 0 fois'],
    ['a snippet that is there twice', { find: 'a' }, 'extrait trouvé 2 fois'],
    ['an empty snippet', { find: '' }, 'extrait trouvé 0 fois'],
    ['nothing to change', { replace: '<= 3' }, 'ne change rien'],
    ['what does not parse', { replace: '<= (' }, 'ne se lit pas'],
    ['a test that is not there', { tests: ['rule.test.ts', 'other.test.ts'] }, 'test introuvable\u00a0: other.test.ts'],
    ['no test', { tests: [] }, 'aucun test'],
  ])('with %s is reported', (_, more, message) => {
    expect(faults(more)).toEqual([expect.stringContaining(message)])
  })

  test('with a missing field is reported, as is every other one', () => {
    const { why: _, ...lacking } = row
    expect(table.checkRows([lacking, { ...row, find: '>= 9' }], folder)).toEqual([
      expect.stringContaining('il manque why'),
      expect.stringContaining('extrait trouvé 0 fois'),
    ])
  })

  test('is applied as written, and found by its line, area or words', () => {
    const source = 'one\ntwo $a\n'
    const planted = { ...row, find: '$a', replace: "$& $'" }
    expect(table.plant(source, planted)).toBe("one\ntwo $& $'\n")
    expect(table.lineOf(source, planted)).toBe(2)
    expect(['a', 'rule', 'less', 'other', undefined].map((only) => table.isWanted(only)(row))).toEqual([
      true,
      true,
      true,
      false,
      true,
    ])
  })

  test('is selected by its area, and by words where no area has that name', () => {
    const wanted = (only: string, areas: string[]) => table.isWanted(only, areas)(row)
    expect([wanted('b,a', ['a', 'b']), wanted('rule', ['a', 'rule']), wanted('b,less', ['a', 'b'])]).toEqual([
      true,
      false,
      true,
    ])
  })

  test('that was killed is not applied again, unless it or its files changed', () => {
    const file = path.join(folder, 'killed.txt')
    const other = { ...row, replace: '> 3' }
    const open = (isForgotten = false) => openKilled(file, folder, [row, other], isForgotten)
    const isKept = (killed: Killed) => [row, other].map(killed.isKilled)
    expect(isKept(open())).toEqual([false, false])
    open().add(row)
    expect(isKept(open())).toEqual([true, false])
    expect(isKept(open(true))).toEqual([false, false])
    open().add(other)
    expect(isKept(open())).toEqual([true, true])
    writeFileSync(path.join(folder, 'rule.test.ts'), '// another')
    expect(isKept(open())).toEqual([false, false])
    open().add(other)
    expect([isKept(open()), readFileSync(file, 'utf8').length]).toEqual([[false, true], 17])
  })

  test('gets the duration of its suite at the same commit as time limit', () => {
    const file = path.join(folder, 'took.json')
    const at = (commit: string) => openTook(file, folder, commit)
    at('a').add('rule.test.ts', 731)
    expect([at('a').of('rule.test.ts'), at('b').of('rule.test.ts')]).toEqual([731, undefined])
  })
})

import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'

const root = path.resolve(import.meta.dirname, '../../..')
type Mutant = { file: string; place: string; start: number; end: number; text: string; change: string }
// Scripts in plain JavaScript, whose functions are these.
const { applyMutant, isSyntax, listMutants, sampleMutants } = (await import(
  path.join(root, 'scripts/lib/mutator.mjs')
)) as {
  applyMutant(source: string, mutant: Mutant): string
  isSyntax(file: string, source: string): boolean
  listMutants(file: string, source: string): Mutant[]
  sampleMutants(mutants: Mutant[], size: number, seed: number): Mutant[]
}
const { findFiles, findTarget, TARGETS } = (await import(path.join(root, 'scripts/lib/mutant-targets.mjs'))) as {
  findFiles(root: string, names: string[]): string[]
  findTarget(root: string, target: unknown): string[]
  TARGETS: Record<string, unknown[]>
}

const changesOf = (source: string) => listMutants('rule.ts', source).map(({ change }) => change)

test.each<[string, string, string[]]>([
  ['comparisons', 'export const isDue = (day: number) => day < last', ['< → <=']],
  ['comparisons of equality', "export const isOffice = space === 'office'", ['=== → !==']],
  ['boolean operators', 'export const isOpen = paid && sent', ['&& → ||']],
  ['negations', 'export const isOpen = !closed', ['!closed → closed']],
  ['arithmetic, of bigint too', 'export const due = (a: bigint) => (a + fee) * 3n', ['+ → -', '* → /']],
  ['constants 0 and 1, of bigint too', 'export const start = [0, 1n]', ['0 → 1', '1n → 0n']],
  ['calls that refuse', 'await requireOwner(actor)', ['await requireOwner(actor) → ;']],
  ['guards', 'if (late) throw fault', ['if (late) throw fault → ;', 'late → !(late)']],
  ['blocks', 'for (const one of all) { send(one) }', ['{ send(one) } → {}']],
  [
    'conditions that drizzle joins',
    'export const scope = and(a, eq(b, c))',
    ['and(a, eq(b, c)) → and(eq(b, c))', 'and(a, eq(b, c)) → and(a)'],
  ],
  ['a condition of drizzle that stands alone', 'export const scope = eq(rows.company, own)', ['own → rows.company']],
  [
    'conditions of SQL',
    'export const scope = sql`select 1 from t where t.a = $1 and (t.b is null or t.c > 2) order by t.d`',
    ['t.a = $1 and → (nothing)', 'and (t.b is null or t.c > 2) → (nothing)', 'is null → is not null', '> → >='],
  ],
  [
    'a range of SQL as one condition',
    'sql`where a between 1 and 2 and b`',
    ['a between 1 and 2 and → (nothing)', 'and b → (nothing)'],
  ],
])('listMutants: changes %s', (_, source, changes) => {
  expect(changesOf(source).sort()).toEqual(changes.sort())
})

test('listMutants: leaves types, imports and joined texts as they are', () => {
  expect(changesOf("import { a } from './1.ts'\ntype One = 1\nconst b: 0 = a as 1\nconst c = `b` + d")).toEqual([])
})

test('listMutants: every mutant of real sources is valid, differs from all others, and says where it is', () => {
  const files = findFiles(root, ['packages/money/src/tariff', 'apps/server/src/http/authorize.ts'])
  for (const file of files) {
    const source = readFileSync(path.join(root, file), 'utf8')
    const mutants = listMutants(file, source)
    const texts = mutants.map((mutant) => applyMutant(source, mutant))
    expect(new Set([source, ...texts]).size).toBe(mutants.length + 1)
    expect(texts.filter((text) => !isSyntax(file, text))).toEqual([])
    for (const { place, start } of mutants) {
      const [, line, column] = place.split(':').map(Number)
      const before = source.split('\n').slice(0, Number(line) - 1)
      expect(before.join('\n').length + (before.length && 1) + Number(column) - 1).toBe(start)
    }
  }
  expect(files.length).toBeGreaterThan(3)
})

test('sampleMutants: draws the same mutants for a seed, others for another, in their order', () => {
  const source = Array.from({ length: 60 }, (_, at) => `export const is${at} = a < b`).join('\n')
  const mutants = listMutants('rule.ts', source)
  const draw = (seed: number) => sampleMutants(mutants, 10, seed).map(({ start }) => start)
  expect(draw(1)).toEqual(draw(1))
  expect(draw(1)).not.toEqual(draw(2))
  expect(draw(1)).toEqual(draw(1).toSorted((a, b) => a - b))
  expect(draw(1)).toHaveLength(10)
})

test('findTarget: every pattern of every target finds source files and no test', () => {
  const files = Object.values(TARGETS).flatMap((patterns) => patterns.map((pattern) => findTarget(root, pattern)))
  expect(files.filter((found) => found.length === 0)).toEqual([])
  expect(files.flat().filter((file) => /\.test\.ts$/.test(file) || !existsSync(path.join(root, file)))).toEqual([])
})

test('findFiles: takes the names of targets, files and folders, and refuses any other', () => {
  expect(findFiles(root, ['packages/money/src/numbers/exact-numbers.ts'])).toEqual([
    'packages/money/src/numbers/exact-numbers.ts',
  ])
  const [money, numbers] = [findFiles(root, ['money']), findFiles(root, ['packages/money/src/tariff'])]
  expect(money).toEqual(expect.arrayContaining(numbers))
  expect(numbers.length).toBeGreaterThan(1)
  expect(findFiles(root, ['access'])).toEqual(expect.arrayContaining(['apps/server/src/http/authorize.ts']))
  expect(() => findFiles(root, ['packages/none'])).toThrow('packages/none')
})

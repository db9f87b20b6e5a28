import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { endpoints } from '@voisol/contract'
import { describe, expect, test } from 'vitest'

const ROOT = join(import.meta.dirname, '../../..')
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8')
const page = read('docs/security.md')

/** Requirements of ASVS 5.0.0 at levels 1 and 2, by chapter from V1 to V17. */
const REQUIREMENTS = [27, 11, 19, 10, 9, 35, 18, 7, 7, 29, 14, 9, 13, 9, 13, 16, 7]
const LEVELS = { '1': 70, '2': 183 }
const STATES = ['met', 'partly', 'not met', 'not applicable']

type Row = { id: string; chapter: number; level: string; state: string; mechanism: string; tests: string }
const rows: Row[] = page
  .split('\n')
  .filter((line) => /^\| V\d+\.\d+\.\d+ \|/.test(line))
  .map((line) => {
    const cells = line.slice(1, -1).split('|')
    const [id = '', level = '', , state = '', mechanism = '', tests = ''] = cells.map((cell) => cell.trim())
    return { id, chapter: Number(/\d+/.exec(id)), level, state, mechanism, tests }
  })

/** Every repository path in backticks. */
const pathsIn = (text: string) =>
  [...text.matchAll(/`((?:apps|packages|docs|scripts|\.ci)\/[^`\s]*)`/g)].map(([, path = '']) => path)

/** The titles in a cell, each with the file named before it. */
function titlesIn(cell: string): { path: string; title: string }[] {
  let path = ''
  return [...cell.matchAll(/`([^`]+)`|“([^”]+)”/g)].flatMap(([, file, title]) => {
    path = file ?? path
    return title === undefined ? [] : [{ path, title }]
  })
}

/** A title must be a whole string of its file: a test, a group of tests, or a case. */
const hasTitle = (path: string, title: string) =>
  existsSync(join(ROOT, path)) && ["'", '"', '`'].some((quote) => read(path).includes(quote + title + quote))

const slug = (heading: string) =>
  heading
    .toLowerCase()
    .replace(/[^a-z0-9 -]/g, '')
    .replaceAll(' ', '-')

describe('the table of ASVS requirements', () => {
  test('has every requirement of levels 1 and 2 once, in order', () => {
    const counts = REQUIREMENTS.map((_, index) => rows.filter(({ chapter }) => chapter === index + 1).length)
    expect(counts).toEqual(REQUIREMENTS)
    expect(new Set(rows.map(({ id }) => id)).size).toBe(rows.length)
    for (const [level, count] of Object.entries(LEVELS))
      expect(rows.filter((row) => row.level === level)).toHaveLength(count)
    const place = ({ id }: Row) => id.slice(1).split('.').map(Number)
    const sorted = rows.toSorted((a, b) => {
      const [left, right] = [place(a), place(b)]
      const at = left.findIndex((part, index) => part !== right[index])
      return at === -1 ? 0 : (left[at] ?? 0) - (right[at] ?? 0)
    })
    expect(rows.map(({ id }) => id)).toEqual(sorted.map(({ id }) => id))
  })

  test('gives each requirement one of four states, and a sentence', () => {
    expect(rows.filter(({ state }) => !STATES.includes(state))).toEqual([])
    expect(rows.filter(({ mechanism }) => !mechanism)).toEqual([])
  })

  test('names a test or a file for each requirement that is met or partly met', () => {
    const without = rows.filter(({ state, tests }) => /^(?:met|partly)$/.test(state) && !/^`|^by reading$/.test(tests))
    expect(without.map(({ id }) => id)).toEqual([])
  })

  test('quotes, of each file of tests that it names, what checks the requirement; else says that it was read', () => {
    const silent = rows.flatMap(({ id, tests }) => {
      const quoted = new Set(titlesIn(tests).map(({ path }) => path))
      return pathsIn(tests).flatMap((path) => (quoted.has(path) ? [] : [`${id} ${path}`]))
    })
    expect(silent).toEqual([])
  })

  test('names its own test only for the list of uploads, the only part of the page that it compares', () => {
    const own = rows.filter(({ tests }) => tests.includes('security-page.test.ts'))
    expect(own.map(({ id }) => id)).toEqual(['V5.1.1'])
  })

  test('has a correct summary', () => {
    const counted = (chapter: number) =>
      STATES.map((state) => rows.filter((row) => row.chapter === chapter && row.state === state).length)
    const summary = [...page.matchAll(/^\| \[V(\d+)\]\(#[\w-]+\) [^|]+\|([^\n]+)\|$/gm)].map(
      ([, chapter, cells = '']) => [Number(chapter), ...cells.split('|').map(Number)],
    )
    expect(summary).toEqual(REQUIREMENTS.map((all, index) => [index + 1, all, ...counted(index + 1)]))
    const sums = STATES.map((state) => rows.filter((row) => row.state === state).length)
    expect(page).toContain(`| All | ${[rows.length, ...sums].join(' | ')} |`)
  })
})

test('every file that the page names exists', () => {
  const missing = pathsIn(page).filter((path) => !existsSync(join(ROOT, path)))
  expect(missing).toEqual([])
})

test('every test title that the page quotes exists in its file', () => {
  const named = rows.flatMap(({ id, tests }) => titlesIn(tests).map((one) => ({ id, ...one })))
  expect(named.length).toBeGreaterThan(150)
  expect(named.filter(({ path, title }) => !hasTitle(path, title))).toEqual([])
})

const UNITS: Record<string, number> = { kB: 1000, MB: 1_000_000, MiB: 1024 * 1024 }

test('every endpoint that takes a file is listed among the uploads with its size', () => {
  const [, uploads = ''] = /## Uploads\n([\s\S]*?)\n## /.exec(page) ?? []
  const said = uploads.split('\n').flatMap((line) => {
    const [, number, unit = ''] = /\| (\d+) (kB|MB|MiB)\b/.exec(line) ?? []
    const bytes = Number(number) * (UNITS[unit] ?? Number.NaN)
    return [...line.matchAll(/`((?:POST|PUT) \/api\/[^`]+)`/g)].map(([, name]) => `${name} ${bytes}`)
  })
  const taken = endpoints.flatMap(({ method, path, upload }) => (upload ? [`${method} ${path} ${upload}`] : []))
  expect(said.sort()).toEqual(taken.sort())
})

test('every link of the page leads to a heading or a file', () => {
  const anchors = new Set([...page.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => `#${slug(heading)}`))
  const links = [...page.matchAll(/\]\(([^)\s]+)\)/g)].map(([, href = '']) => href)
  const local = links.filter((href) => !/^https:/.test(href))
  expect(
    local.filter((href) => (href.startsWith('#') ? !anchors.has(href) : !existsSync(join(ROOT, 'docs', href)))),
  ).toEqual([])
})

test('SECURITY.md leads to the page', () => {
  expect(read('SECURITY.md')).toContain('(docs/security.md)')
})

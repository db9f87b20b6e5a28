import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { VERSION } from '../src/version.ts'
import { listSubjectsSince } from './earlier-version.ts'

const ROOT = join(import.meta.dirname, '../../..')
const read = (file: string) => readFileSync(join(ROOT, file), 'utf8')
const changelog = read('CHANGELOG.md')
/** `## [2.2.0] — 2026-11-19`; unreleased changes are above it, under a heading of their own. */
const HEADING = /^## \[(\d+\.\d+\.\d+)\]/m
const UNRELEASED = /^## \[Non publié\]\n([\s\S]*?)^## \[/m

test('the first release of the CHANGELOG has the version of the program, and its day', () => {
  expect(HEADING.exec(changelog)?.[1]).toBe(VERSION)
  expect(changelog).toMatch(new RegExp(`^## \\[${RegExp.escape(VERSION)}\\] — \\d{4}-\\d{2}-\\d{2}$`, 'm'))
})

test('the CHANGELOG has at most one heading for what is not released, above all releases', () => {
  const headings = [...changelog.matchAll(/^## \[(.+?)\]/gm)].map(([, name]) => name)
  expect(headings.lastIndexOf('Non publié')).toBeLessThan(1)
})

const since = listSubjectsSince(VERSION)
const NO_HISTORY = 'git does not know the last release: a clone of one commit has no history'
test.skipIf(!since)(
  `what changed for users since the last release is in the CHANGELOG${since ? '' : ` (${NO_HISTORY})`}`,
  () => {
    const changes = since?.filter((subject) => /^(?:feat|fix|perf)\b/.test(subject)) ?? []
    const [, unreleased = ''] = UNRELEASED.exec(changelog) ?? []
    expect([changes.length === 0, /^- \S/m.test(unreleased)]).not.toEqual([false, false])
  },
)

test('no document has a line of capitals alone: a place that was to be filled in', () => {
  const pages = globSync(['*.md', 'docs/**/*.md', 'apps/server/content/**/*.md'], { cwd: ROOT })
  expect(pages.length).toBeGreaterThan(100)
  const lines = pages.flatMap((page) =>
    read(page)
      .replaceAll(/^```[\s\S]*?^```/gm, '')
      .split('\n')
      .filter((line) => /^\s*\p{Lu}[\p{Lu}\d _.:-]*$/u.test(line))
      .map((line) => `${page}: ${line}`),
  )
  expect(lines).toEqual([])
})

import { execFileSync } from 'node:child_process'
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { VERSION } from '../src/version.ts'
import { findReleaseCommit, listSubjectsSince } from './earlier-version.ts'

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

test('finds the commit of a release in a whole clone, and none in a clone of its last commit', () => {
  const folder = mkdtempSync(join(tmpdir(), 'voisol-release-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const [origin, clone] = [join(folder, 'origin'), join(folder, 'clone')]
  const settings = ['user.name=Ada', 'user.email=ada@exemple.fr', 'commit.gpgsign=false', 'init.defaultBranch=main']
  const runGit = (...args: string[]) =>
    execFileSync('git', [...settings.flatMap((one) => ['-c', one]), ...args], {
      encoding: 'utf8',
      stdio: 'pipe',
    }).trim()
  const commit = (changes: string) => {
    writeFileSync(join(origin, 'CHANGELOG.md'), changes)
    runGit('-C', origin, 'add', '.')
    runGit('-C', origin, 'commit', '-qm', 'feat: something')
    return runGit('-C', origin, 'rev-parse', 'HEAD')
  }
  runGit('init', '-q', origin)
  writeFileSync(join(origin, 'package.json'), '{ "version": "3.1.4" }')
  commit('## [Non publié]')
  const released = commit('## [3.1.4] — 2026-03-14')
  commit('## [Non publié]\n## [3.1.4] — 2026-03-14')
  runGit('clone', '-q', '--depth', '1', `file://${origin}`, clone)
  expect([findReleaseCommit('3.1.4', origin), findReleaseCommit('3.1.4', clone)]).toEqual([released, undefined])
})

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

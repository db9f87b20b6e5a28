import { execFileSync } from 'node:child_process'
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { getNodeArgs } from '../test/process.ts'
import { createLogger } from './http/logging.ts'
import { findCommit, RELEASE, readCheckoutCommit, VERSION } from './version.ts'

const ROOT = join(import.meta.dirname, '../../..')
const folder = mkdtempSync(join(tmpdir(), 'voisol-version-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const COMMIT = '0123456789abcdef0123456789abcdef01234567'
const OTHER = 'fedcba9876543210fedcba9876543210fedcba98'

function write(root: string, files: Record<string, string>) {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, root, name)), { recursive: true })
    writeFileSync(join(folder, root, name), `${text}\n`)
  }
  return join(folder, root)
}

describe('the commit of a checkout', () => {
  test.each<[string, Record<string, string>]>([
    ['a branch', { '.git/HEAD': 'ref: refs/heads/main', '.git/refs/heads/main': COMMIT }],
    ['a commit without a branch', { '.git/HEAD': COMMIT }],
    [
      'a branch that git has packed',
      {
        '.git/HEAD': 'ref: refs/heads/main',
        '.git/packed-refs': `${OTHER} refs/heads/other\n${COMMIT} refs/heads/main`,
      },
    ],
    [
      'a linked worktree',
      {
        '.git': 'gitdir: main/.git/worktrees/one',
        'main/.git/worktrees/one/HEAD': 'ref: refs/heads/one',
        'main/.git/worktrees/one/commondir': '../..',
        'main/.git/refs/heads/one': COMMIT,
      },
    ],
  ])('of %s is read from the files of git', (name, files) => {
    expect(readCheckoutCommit(write(name, files))).toBe(COMMIT)
  })

  test('is unknown without a checkout, or when git was interrupted while writing', () => {
    expect(findCommit(undefined, write('none', { 'readme.md': '' }))).toBeUndefined()
    expect(findCommit(undefined, write('cut', { '.git/HEAD': 'ref: refs/heads/main' }))).toBeUndefined()
    expect(findCommit(undefined, write('spoiled', { '.git/HEAD': '\0\0\0' }))).toBeUndefined()
  })

  test('is overridden by the commit that an image was built from', () => {
    const root = write('built', { '.git/HEAD': COMMIT })
    expect(findCommit(OTHER, root)).toBe('fedcba987654')
    expect(findCommit('', root)).toBe('0123456789ab')
    expect(findCommit('$(git rev-parse HEAD)', root)).toBeUndefined()
  })
})

test('every package of the repository has the version of the program', () => {
  const packages = ['package.json', ...globSync(['apps/*/package.json', 'packages/*/package.json'], { cwd: ROOT })]
  const versions = packages.map((name): string => JSON.parse(readFileSync(join(ROOT, name), 'utf8')).version)
  expect(packages.length).toBeGreaterThan(5)
  expect(new Set(versions)).toEqual(new Set([VERSION]))
})

test('whatever says the version says the commit too, apart from openapi.json, which is the same for a release', () => {
  const files = globSync('**/*.ts', { cwd: import.meta.dirname }).filter((name) => !/(\.test|^version)\.ts$/.test(name))
  const named = files.flatMap((name) => {
    const [, names = ''] =
      /import \{([^}]*)\} from '[./]*\/version\.ts'/.exec(readFileSync(join(import.meta.dirname, name), 'utf8')) ?? []
    return names ? [{ name, names: names.split(',').map((one) => one.trim()) }] : []
  })
  expect(named.length).toBeGreaterThan(10)
  const without = named.filter(({ names }) => names.includes('VERSION') && !names.includes('COMMIT_ID'))
  expect(without.map(({ name }) => name)).toEqual(['http/openapi.ts'])
})

test('the command line shows version and commit without a database', () => {
  const said = (...args: string[]) =>
    execFileSync(process.execPath, getNodeArgs(join(import.meta.dirname, 'cli.ts'), ...args), {
      env: { PATH: process.env.PATH ?? '', VOISOL_COMMIT: COMMIT },
      encoding: 'utf8',
    })
  const line = `Voisol ${VERSION} (0123456789ab)\n`
  expect(said('--version')).toBe(line)
})

test('an error in the log names its release, other lines do not repeat it', () => {
  const lines: { msg: string; release?: string }[] = []
  const log = createLogger('info', { write: (line) => void lines.push(JSON.parse(line)) })
  log.info('well')
  log.error('not well')
  log.fatal('over')
  expect(lines.map(({ release }) => release)).toEqual([undefined, RELEASE, RELEASE])
})

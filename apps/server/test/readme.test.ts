import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { DEMO_PASSWORD, DEMO_PEOPLE } from '@voisol/simulator/demo/people'
import { describe, expect, test } from 'vitest'

const ROOT = path.join(import.meta.dirname, '../../..')
const read = (file: string) => readFileSync(path.join(ROOT, file), 'utf8')
/** The anchors of a page, as GitHub and most readers of Markdown make them from its headings. */
const anchorsOf = (file: string) =>
  [...read(file).matchAll(/^#+ (.+)$/gm)].map(([, title = '']) =>
    title
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-'),
  )

/** Links of a page that lead to no file of the repository, or to no heading of it. */
function findDeadLinks(file: string) {
  const links = [...read(file).matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = '']) => link)
  return links.filter((link) => {
    if (/^https?:/.test(link)) return false
    const [target = '', anchor] = link.split('#')
    const page = target ? path.join(path.dirname(file), target) : file
    if (!existsSync(path.join(ROOT, page))) return true
    return anchor !== undefined && !anchorsOf(page).includes(anchor)
  })
}

const PAGES = ['README.md', 'README.en.md', 'CHANGELOG.md', 'docs/configuration.md', 'docs/operations.md']
test.each(PAGES)('%s links to files and headings that exist', (file) => {
  expect(read(file)).toMatch(/\]\(/)
  expect(findDeadLinks(file)).toEqual([])
})

describe.each([
  ['README.md', 'README.en.md'],
  ['README.en.md', 'README.md'],
])('%s', (file, otherLanguage) => {
  const page = read(file)

  test('links to the other language in its first line', () => {
    expect(page.split('\n')[0]).toContain(`](${otherLanguage})`)
  })

  test('names npm scripts of package.json only', () => {
    const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> }
    const named = [...page.matchAll(/(?:^|`)npm (?:run )?([a-z][\w:-]*)/gm)].map(([, name = '']) => name)
    expect(named).toContain('start')
    expect(named.filter((name) => !(name in scripts))).toEqual([])
  })

  test('gives the demo accounts and their password', () => {
    const announced = DEMO_PEOPLE.slice(0, 2).map(({ email }) => email)
    for (const text of [...announced, DEMO_PASSWORD]) expect(page).toContain(`\`${text}\``)
  })
})

test('CHANGELOG.md stays short enough to be read', () => {
  expect(Buffer.byteLength(read('CHANGELOG.md'))).toBeLessThanOrEqual(10_000)
})

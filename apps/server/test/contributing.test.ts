import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'

const ROOT = join(import.meta.dirname, '../../..')
/** A block of CONTRIBUTING.md that names its file in its first line: a change where it is a diff, else a new file. */
const BLOCK = /^```(\w+) (\S+)\n([\s\S]*?)\n```$/gm
const HUNK = /^@@.*\n?/m
const IMPORT = /^import (?:type )?\{([^}]*)\} from '([^']+)'$/gm

const blocks = [...readFileSync(join(ROOT, 'CONTRIBUTING.md'), 'utf8').matchAll(BLOCK)].map(
  ([, language = '', file = '', text = '']) => ({ language, file, text }),
)
const changes = blocks.filter(({ language }) => language === 'diff')
const newFiles = blocks.filter(({ language, file }) => language !== 'diff' && !file.endsWith('.sql'))

const listLines = (text: string, marks: RegExp) =>
  text
    .split('\n')
    .filter((line) => marks.test(line))
    .map((line) => line.slice(1))

/** A module as it is once the example was followed. */
function readModule(file: string): string {
  const own = newFiles.find((block) => block.file === file)
  if (own) return own.text
  const added = changes.filter((block) => block.file === file).flatMap(({ text }) => listLines(text, /^\+/))
  return [readFileSync(join(ROOT, file), 'utf8'), ...added].join('\n')
}

function isExported(file: string, name: string): boolean {
  const text = readModule(file)
  const declared = new RegExp(
    `^export (const|type|class|(async )?function) ${name}\\b|^export \\{[^}]*\\b${name}\\b`,
    'm',
  )
  const forwarded = [...text.matchAll(/^export \* from '([^']+)'$/gm)].map(([, path = '']) => join(dirname(file), path))
  return declared.test(text) || forwarded.some((path) => isExported(path, name))
}

/** The file of the repository that an import names; nothing for a library. */
function findModule(importer: string, path: string): string | undefined {
  if (path.startsWith('.')) return join(dirname(importer), path)
  return path.startsWith('@voisol/contract/') ? `packages/contract/src/${path.split('/')[2]}.ts` : undefined
}

const importedNames = newFiles.flatMap(({ file, text }) =>
  [...text.matchAll(IMPORT)].flatMap(([, names = '', path = '']) => {
    const module = findModule(file, path)
    const all = names.split(',').map((name) => name.trim().replace(/^type /, ''))
    return module ? all.map((name) => ({ file, module, name })) : []
  }),
)

test('the worked example goes from the contract to the browser', () => {
  expect(blocks.map(({ file }) => file.split('/').slice(0, 3).join('/'))).toEqual(
    expect.arrayContaining(['packages/contract/src', 'apps/server/src', 'apps/web/src', 'apps/web/e2e']),
  )
})

test.each(changes)('the lines of $file that the example changes are there', ({ file, text }) => {
  const source = readFileSync(join(ROOT, file), 'utf8')
  for (const hunk of text.split(HUNK).filter(Boolean))
    expect(source).toContain(listLines(hunk.trimEnd(), /^[ -]/).join('\n'))
})

test.each(newFiles)('$file of the example is not a file of the repository', ({ file }) => {
  expect(existsSync(join(ROOT, file))).toBe(false)
})

test.each(importedNames)('$module exports $name, which the example imports in $file', ({ module, name }) => {
  expect(isExported(module, name)).toBe(true)
})

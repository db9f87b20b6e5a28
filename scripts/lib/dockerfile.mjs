import { readdirSync } from 'node:fs'
import path from 'node:path'

/** Instructions of a Dockerfile in their order; a line that ends with a backslash goes on. */
function readInstructions(text) {
  return text
    .replaceAll(/^\s*#.*\n/gm, '')
    .replaceAll(/\\\n/g, ' ')
    .split('\n')
    .filter((line) => line.trim())
    .map((line) => {
      const [, name, rest] = /^\s*(\S+)\s+(.*)$/.exec(line) ?? []
      if (!name) throw new Error(`Dockerfile: ${line}`)
      return { name: name.toUpperCase(), text: rest.trim() }
    })
}

/** The stages of a Dockerfile: what each begins from, its name, and its instructions. */
export function parseDockerfile(text) {
  const stages = []
  for (const instruction of readInstructions(text)) {
    if (instruction.name !== 'FROM') {
      stages.at(-1).instructions.push(instruction)
      continue
    }
    const [image, as, name] = instruction.text.split(/\s+/)
    stages.push({ image, name: as ? name : undefined, instructions: [] })
  }
  return stages
}

/** $NAME and ${NAME} as the builder writes them; what is not set is empty. */
export const substitute = (text, values) =>
  text.replaceAll(/\$(?:\{(\w+)\}|(\w+))/g, (_, braced, plain) => values[braced ?? plain] ?? '')

/** NAME=value pairs of an ENV instruction. */
export const parsePairs = (text) =>
  Object.fromEntries(
    [...text.matchAll(/(\w+)=("[^"]*"|\S*)/g)].map(([, name, value]) => [name, value.replaceAll('"', '')]),
  )

/** --from=… and --chown=… of a COPY instruction, what is copied and where. */
export function parseCopy(text) {
  const words = text.split(/\s+/)
  const flags = Object.fromEntries(
    words.filter((word) => word.startsWith('--')).map((word) => word.slice(2).split('=')),
  )
  const paths = words.filter((word) => !word.startsWith('--'))
  return { flags, sources: paths.slice(0, -1), target: paths.at(-1) }
}

const toExpression = (pattern) =>
  new RegExp(
    `^${pattern
      .replaceAll(/[.+^${}()|[\]\\]/g, '\\$&')
      .replaceAll('?', '[^/]')
      .replaceAll('**/', '\0')
      .replaceAll('*', '[^/]*')
      .replaceAll('\0', '(?:.*/)?')}(?:/.*)?$`,
  )

/** The patterns of a .dockerignore; the last that fits a path decides. */
const parseRules = (text) =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line && !line.startsWith('#'))
    .map((line) => ({ keeps: line.startsWith('!'), pattern: line.replace(/^!/, '') }))

/** Whether a path is left out of the build context by the patterns of a .dockerignore. */
export function parseIgnore(text) {
  const rules = parseRules(text).map(({ keeps, pattern }) => ({ keeps, expression: toExpression(pattern) }))
  return (file) => rules.findLast(({ expression }) => expression.test(file))?.keeps === false
}

/** Whether a folder that is itself left out may hold a file that a later pattern brings back. */
function createFolderTest(text) {
  const kept = parseRules(text)
    .filter(({ keeps }) => keeps)
    .map(({ pattern }) => pattern.split('/'))
  const isPrefix = (pattern, names) =>
    names.every((name, at) => {
      const before = pattern.slice(0, at + 1)
      return before.includes('**') || (before.length > at && toExpression(before[at]).test(name))
    })
  return (folder) => kept.some((pattern) => isPrefix(pattern, folder.split('/')))
}

/** The files of a folder that its .dockerignore leaves in the build context, by their path in it. */
export function listBuildContext(root, ignoreText) {
  const isIgnored = parseIgnore(ignoreText)
  const mayHoldKept = createFolderTest(ignoreText)
  const files = []
  const walk = (folder) => {
    for (const entry of readdirSync(path.join(root, folder), { withFileTypes: true })) {
      const name = folder ? `${folder}/${entry.name}` : entry.name
      if (!entry.isDirectory()) {
        if (!isIgnored(name)) files.push(name)
      } else if (!isIgnored(name) || mayHoldKept(name)) walk(name)
    }
  }
  walk('')
  return files
}

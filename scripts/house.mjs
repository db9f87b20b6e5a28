import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { parseAst } from 'rolldown/parseAst'
import { root } from './lib/run.mjs'

/** Measures how plain the sources are to read: what it prints is compared over time, nothing forbids it. */

const SOURCES = ['apps/*/src/**/*.{ts,tsx}', 'packages/*/src/**/*.{ts,tsx}']
const TEST = /\.(test|spec|bench)\.tsx?$|\.d\.ts$/
/** They use exports and are not measured themselves: what tests and scripts import counts as used. */
const ONLY_USERS = ['apps/*/{test,bench,e2e}/**/*.{ts,tsx}', 'apps/*/*.ts', 'scripts/**/*.{mjs,ts}']
const MAX_FUNCTION_LINES = 60
const MIN_FILE_LINES = 25
const ENTRY = /(^|\/)(index|routes|main|cli|app)\.tsx?$/
const BARE_PARTICIPLE =
  /^(?!(?:speed|feed|seed|need|embed|bed|red|shed|breed|indeed|hundred|exceed|succeed|proceed)$)[a-z]+ed$|^(told|shown|held|kept|known|given|seen|found|drawn|taken|made|sent|said|heard|left|lost|paid|bought|sold|spent|written|gone|begun|chosen|grown|thrown|drunk|bound|built|spread|split|meant|felt|laid|borne|worn|hidden|broken|spoken|frozen|woven|driven|risen|fallen|forgotten|understood|brought|caught|taught|sought)$/
const FUNCTIONS = ['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression']

/** Every node of a tree, parents first. */
function* walk(node, parent) {
  yield [node, parent]
  for (const value of Object.values(node)) {
    const children = Array.isArray(value) ? value : [value]
    for (const child of children) if (child && typeof child.type === 'string') yield* walk(child, node)
  }
}

const lineCounter = (text) => {
  const breaks = [...text.matchAll(/\n/g)].map(({ index }) => index)
  return (start, end) => 1 + breaks.filter((index) => index >= start && index < end).length
}

function namedFunction(node, parent) {
  if (!FUNCTIONS.includes(node.type)) return
  const name = node.id?.name ?? (parent?.type === 'VariableDeclarator' ? parent.id.name : undefined)
  return name && { name, start: node.start, end: node.end }
}

function exportedNames(body) {
  return body
    .filter(({ type }) => type === 'ExportNamedDeclaration')
    .flatMap(({ declaration, specifiers, source }) => {
      if (source) return []
      if (!declaration) return specifiers.map(({ exported }) => exported.name)
      const declared = declaration.declarations ?? [declaration]
      return declared.map(({ id }) => id?.name).filter(Boolean)
    })
}

/** Comments that share a line with code count as code. */
function countCode(text) {
  const bare = text.replace(/^\s*\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '')
  return bare.split('\n').filter((line) => line.trim()).length
}

const aliases = new Map(
  globSync('packages/*/package.json', { cwd: root }).flatMap((file) => {
    const { name, exports } = JSON.parse(readFileSync(path.join(root, file), 'utf8'))
    return Object.entries(exports ?? {}).map(([key, target]) => [
      path.posix.join(name, key),
      path.posix.join(path.posix.dirname(file), target.default ?? target),
    ])
  }),
)

function resolveImport(file, specifier) {
  if (specifier.startsWith('.')) return path.posix.join(path.posix.dirname(file), specifier)
  if (aliases.has(specifier)) return aliases.get(specifier)
  for (const [key, target] of aliases) {
    const [before, after] = key.split('*')
    if (after === undefined || !specifier.startsWith(before) || !specifier.endsWith(after)) continue
    return target.replaceAll('*', specifier.slice(before.length, specifier.length - after.length))
  }
}

function readSource(file) {
  const text = readFileSync(path.join(root, file), 'utf8')
  const { body } = parseAst(text, { lang: file.endsWith('x') ? 'tsx' : 'ts' })
  const reexports = new Map()
  const countLines = lineCounter(text)
  const functions = []
  const constants = []
  const imports = []
  for (const [node, parent] of walk({ type: 'Program', body })) {
    const found = namedFunction(node, parent)
    if (found) functions.push({ ...found, lines: countLines(found.start, found.end) })
    if (node.type === 'VariableDeclarator' && node.id.name) constants.push(node.id.name)
    if (node.type === 'ImportExpression' && typeof node.source.value === 'string')
      imports.push({ from: resolveImport(file, node.source.value), names: ['*'], lazy: true })
  }
  for (const { type, source, specifiers } of body) {
    if (!source || !/^(Import|ExportNamed|ExportAll)/.test(type)) continue
    const names = specifiers?.map(
      ({ imported, local }) => (imported ?? (type === 'ExportNamedDeclaration' ? local : undefined))?.name ?? '*',
    ) ?? ['*']
    const from = resolveImport(file, source.value)
    imports.push({ from, names, again: type !== 'ImportDeclaration' })
    if (type === 'ExportAllDeclaration') reexports.set('*', [...(reexports.get('*') ?? []), from])
    if (type === 'ExportNamedDeclaration')
      for (const { local, exported } of specifiers) reexports.set(exported.name, { from, name: local.name })
  }
  return {
    file,
    lines: text.split('\n').length - 1,
    code: countCode(text),
    functions,
    constants,
    imports,
    exports: exportedNames(body),
    reexports,
  }
}

/** The file that declares what is imported under a name: `index.ts` only passes names on. */
function findDeclaration(sourcesByFile, from, name) {
  const source = sourcesByFile.get(from)
  const passedOn = source?.reexports.get(name)
  if (passedOn) return findDeclaration(sourcesByFile, passedOn.from, passedOn.name)
  if (!source || source.exports.includes(name)) return { file: from, name }
  for (const other of source.reexports.get('*') ?? []) {
    const found = findDeclaration(sourcesByFile, other, name)
    if (sourcesByFile.get(found.file)?.exports.includes(found.name)) return found
  }
  return { file: from, name }
}

/** Groups of files that import one another in a circle (Tarjan), imports of types included. */
function findCycles(sources) {
  const known = new Map(sources.map((source) => [source.file, source]))
  const [order, low, stack, cycles] = [new Map(), new Map(), [], []]
  const visit = (file) => {
    order.set(file, order.size)
    low.set(file, order.get(file))
    stack.push(file)
    for (const { from, lazy } of known.get(file).imports) {
      if (lazy || !known.has(from)) continue
      if (!order.has(from)) visit(from)
      if (stack.includes(from)) low.set(file, Math.min(low.get(file), low.get(from)))
    }
    if (low.get(file) !== order.get(file)) return
    const group = stack.splice(stack.indexOf(file))
    if (group.length > 1) cycles.push(group)
  }
  for (const { file } of sources) if (!order.has(file)) visit(file)
  return cycles
}

function groupBy(items, key) {
  const groups = new Map()
  for (const item of items) groups.set(key(item), [...(groups.get(key(item)) ?? []), item])
  return groups
}

const listFiles = (patterns) => globSync(patterns, { cwd: root }).map((file) => file.split(path.sep).join('/'))
const allFiles = listFiles(SOURCES)
const sources = allFiles.filter((file) => !TEST.test(file)).map(readSource)
const others = [...allFiles.filter((file) => /\.(test|bench)\.tsx?$/.test(file)), ...listFiles(ONLY_USERS)].map(
  readSource,
)
const functions = sources.flatMap(({ file, functions }) => functions.map((found) => ({ ...found, file })))
const exports = sources.flatMap(({ file, exports }) => exports.map((name) => ({ file, name })))
const sourcesByFile = new Map(sources.map((source) => [source.file, source]))
const importersOf = groupBy(
  [...sources, ...others].flatMap(({ file, imports }) =>
    imports
      .filter(({ again }) => !again)
      .flatMap(({ from, names }) => names.map((name) => findDeclaration(sourcesByFile, from, name)))
      .map((declared) => ({ file, key: `${declared.file} ${declared.name}` })),
  ),
  ({ key }) => key,
)
const users = ({ file, name }) =>
  new Set(
    [...(importersOf.get(`${file} ${name}`) ?? []), ...(importersOf.get(`${file} *`) ?? [])].map((use) => use.file),
  ).size
const importersOfFile = groupBy(
  sources.flatMap(({ file, imports }) => imports.map(({ from }) => ({ file, from }))),
  ({ from }) => from,
)
const onlyNeighbour = sources.filter(({ file }) => {
  const importers = [...new Set((importersOfFile.get(file) ?? []).map((use) => use.file))]
  return importers.length === 1 && path.posix.dirname(importers[0]) === path.posix.dirname(file)
})
const sum = (list, key) => list.reduce((total, item) => total + item[key], 0)
const oneUser = exports.filter((item) => users(item) <= 1)
const exportedTwice = [...groupBy(exports, ({ name }) => name)].filter(
  ([, list]) => new Set(list.map(({ file }) => file)).size > 1,
)
const cycles = findCycles(sources)

const lists = {
  of: functions.filter(({ name }) => /[a-z]Of$/.test(name)).map(({ file, name }) => `${file} ${name}`),
  participles: functions.filter(({ name }) => BARE_PARTICIPLE.test(name)).map(({ file, name }) => `${file} ${name}`),
  most: sources.flatMap(({ file, constants }) =>
    constants.filter((name) => /^(MOST|LEAST)$/.test(name)).map((name) => `${file} ${name}`),
  ),
  twice: exportedTwice.map(([name, list]) => `${name} ${list.map(({ file }) => file).join(' ')}`),
  one: oneUser.map(({ file, name }) => `${file} ${name}`),
  neighbour: onlyNeighbour.map(({ file }) => file),
  small: sources.filter(({ file, lines }) => lines < MIN_FILE_LINES && !ENTRY.test(file)).map(({ file }) => file),
  long: functions
    .filter(({ lines }) => lines > MAX_FUNCTION_LINES)
    .map(({ file, name, lines }) => `${file} ${name} ${lines}`),
  cycles: cycles.map((group) => `${group.length} ${group.slice(0, 5).join(' ')}`),
}
const percent = (part, whole) => `${Math.round((100 * part) / whole)} %`

const rows = [
  ['source files', sources.length],
  ['lines', sum(sources, 'lines')],
  ['lines of code, without comments and blanks', sum(sources, 'code')],
  ['functions called …Of', lists.of.length, 'of'],
  ['functions that are a bare participle', lists.participles.length, 'participles'],
  ['constants called MOST or LEAST', lists.most.length, 'most'],
  ['names exported by several files', lists.twice.length, 'twice'],
  [
    'exports with one user or none',
    `${lists.one.length} of ${exports.length} (${percent(lists.one.length, exports.length)})`,
    'one',
  ],
  ['files whose only importer stands in the same folder', lists.neighbour.length, 'neighbour'],
  [`files under ${MIN_FILE_LINES} lines`, lists.small.length, 'small'],
  [`functions over ${MAX_FUNCTION_LINES} lines`, lists.long.length, 'long'],
  [
    'cycles of imports, types included',
    `${cycles.length} (largest: ${Math.max(0, ...cycles.map(({ length }) => length))} files)`,
    'cycles',
  ],
]

const [listName] = process.argv.slice(2)
if (listName) console.log(lists[listName]?.join('\n') ?? `Unknown list. Lists: ${Object.keys(lists).join(', ')}.`)
else
  for (const [label, figure, list] of rows)
    console.log(`${String(figure).padStart(24)}  ${label}${list ? ` (${list})` : ''}`)

import path from 'node:path'
import { parseSync } from 'vite'

/** Kept as it is: types change nothing at run time, and what is imported is another file's. */
const SKIPPED_KEYS = new Set(['typeAnnotation', 'typeParameters', 'typeArguments', 'returnType'])
const SKIPPED_NODES = /^(TS(Interface|TypeAlias)Declaration|ImportDeclaration|ExportAllDeclaration)$/

const COMPARISONS = { '<': '<=', '<=': '<', '>': '>=', '>=': '>', '===': '!==', '!==': '===', '==': '!=', '!=': '==' }
const ARITHMETIC = { '+': '-', '-': '+', '*': '/', '/': '*', '%': '*', '+=': '-=', '-=': '+=', '*=': '/=', '/=': '*=' }
const OPERATORS = { ...COMPARISONS, ...ARITHMETIC, '&&': '||', '||': '&&' }
const CONSTANTS = { 0: '1', 1: '0', '0n': '1n', '1n': '0n', true: 'false', false: 'true' }
const METHODS = new Map(Object.entries({ some: 'every', every: 'some', min: 'max', max: 'min' }))
const GUARD_CALL = /^(require|refuse|assert|ensure|check)[A-Z]/
const LEAVES = /^(Throw|Return|Continue|Break)Statement$/

const SQL_TEXT = /\b(select|where|join|exists)\b[\s\S]*=|\bis (not )?null\b/
const SQL_WORDS = [
  [/\bis not null\b/g, () => 'is null'],
  [/\bis null\b/g, () => 'is not null'],
  [/\bnot exists\b/g, () => 'exists'],
  [/(?<= )[<>]=?(?= )/g, ([operator]) => COMPARISONS[operator]],
]
/** Where a condition of SQL ends: another one, a clause, or the parenthesis around it (`between 1 and 2` is one condition). */
const SQL_TOKEN =
  /\$\{|[()]|\b(?:and|or|between|where|on|when|then|group|order|limit|union|having|returning|left|inner|join|for|filter)\b|;/g

const isText = (node) => node.type === 'TemplateLiteral' || (node.type === 'Literal' && typeof node.value === 'string')
const hasText = (node) => isText(node) || (/^\+=?$/.test(node.operator) && (hasText(node.left) || hasText(node.right)))
const lastOf = (node) => (node.type === 'BlockStatement' ? node.body.at(-1) : node)
const isGuard = ({ alternate, consequent }) => !alternate && LEAVES.test(lastOf(consequent)?.type ?? '')
const calledName = ({ type, argument, callee }) =>
  type === 'AwaitExpression' ? calledName(argument) : type === 'CallExpression' ? callee.name : undefined

/** The conditions that `and` joins in the SQL of a template, and what is left where one of them is dropped. */
function* sqlMutants(source, { start, end, expressions }) {
  const inExpression = (at) => expressions.find((part) => at >= part.start && at < part.end)
  for (const [pattern, change] of SQL_WORDS)
    for (const match of source.slice(start, end).matchAll(pattern)) {
      const from = start + match.index
      if (!inExpression(from)) yield [from, from + match[0].length, change(match)]
    }
  const open = []
  let before = { word: '', start, end: start + 1 }
  let isBetween = false
  // The condition that ends here goes, with the `and` that joined it to another.
  const close = (at, word) => {
    const [last, joined] = [before, before && (before.word === 'and' || word === 'and')]
    before = undefined
    if (!joined) return []
    return last.word === 'and' ? [[last.start, at, ' ']] : [[last.end, at + word.length, '']]
  }
  for (const match of source.slice(start, end).matchAll(SQL_TOKEN)) {
    const [at, [word]] = [start + match.index, match]
    if (inExpression(at) || word === '${') continue
    if (word === 'between') isBetween = true
    else if (word === 'and' && isBetween) isBetween = false
    else if (word === '(') {
      open.push(before)
      before = { word, start: at, end: at + 1 }
    } else {
      yield* close(at, word)
      before = word === ')' ? open.pop() : { word, start: at, end: at + word.length }
    }
  }
  yield* close(end - 1, '')
}

/** The mutants of one node: where each begins and ends, and what stands there instead. */
function* nodeMutants(source, node, parent) {
  const text = ({ start, end }) => source.slice(start, end)
  const replace = (part, by) => [part.start, part.end, by]
  const { type, operator } = node
  if (/^(Binary|Logical|Assignment)Expression$/.test(type) && OPERATORS[operator] && !hasText(node)) {
    const at = node.left.end + source.slice(node.left.end, node.right.start).indexOf(operator)
    yield [at, at + operator.length, OPERATORS[operator]]
  }
  if (type === 'UnaryExpression' && /^[!-]$/.test(operator)) yield replace(node, ` ${text(node.argument)}`)
  if (
    /^(If|While)Statement$|^ConditionalExpression$/.test(type) &&
    !(node.test.operator in OPERATORS) &&
    node.test.operator !== '!'
  )
    yield replace(node.test, `!(${text(node.test)})`)
  if (type === 'IfStatement' && isGuard(node)) yield replace(node, ';')
  if (type === 'ExpressionStatement' && GUARD_CALL.test(calledName(node.expression) ?? '')) yield replace(node, ';')
  if (type === 'BlockStatement' && node.body.length && !(parent.type === 'IfStatement' && isGuard(parent)))
    yield replace(node, '{}')
  if (type === 'Literal' && parent.key !== node && CONSTANTS[node.raw]) yield replace(node, CONSTANTS[node.raw])
  if (type === 'MemberExpression' && parent.callee === node && METHODS.has(node.property.name))
    yield replace(node.property, METHODS.get(node.property.name))
  if (type === 'CallExpression' && /^(and|or)$/.test(node.callee.name)) {
    const { arguments: conditions, callee } = node
    for (const dropped of conditions.length > 1 ? conditions : [])
      yield replace(
        node,
        `${callee.name}(${conditions
          .filter((one) => one !== dropped)
          .map(text)
          .join(', ')})`,
      )
  }
  // Alone, it cannot be dropped: compared with itself it holds for every row.
  if (type === 'CallExpression' && node.callee.name === 'eq' && !/^(and|or)$/.test(parent.callee?.name))
    yield replace(node.arguments[1], text(node.arguments[0]))
  if (type === 'TemplateLiteral' && (parent.tag?.name === 'sql' || SQL_TEXT.test(text(node))))
    yield* sqlMutants(source, node)
}

function* walk(node, parent) {
  if (SKIPPED_NODES.test(node.type)) return
  yield [node, parent]
  for (const [key, value] of Object.entries(node))
    if (!SKIPPED_KEYS.has(key))
      for (const child of Array.isArray(value) ? value : [value]) if (child?.type) yield* walk(child, node)
}

const shorten = (text) => text.replace(/\s+/g, ' ').trim().slice(0, 100) || '(nothing)'

export const isSyntax = (file, source) => parseSync(path.basename(file), source).errors.length === 0
export const applyMutant = (source, { start, end, text }) => source.slice(0, start) + text + source.slice(end)

/** Every mutant of a source text, in its order: small changes that are syntactically valid and that a test should notice. */
export function listMutants(file, source) {
  const { program } = parseSync(path.basename(file), source)
  const found = new Map()
  for (const [node, parent] of walk(program, {}))
    for (const [start, end, text] of nodeMutants(source, node, parent)) {
      const lines = source.slice(0, start).split('\n')
      const place = `${file}:${lines.length}:${lines.at(-1).length + 1}`
      const mutant = {
        file,
        place,
        start,
        end,
        text,
        change: `${shorten(source.slice(start, end))} → ${shorten(text)}`,
      }
      const mutated = applyMutant(source, mutant)
      if (mutated !== source && !found.has(mutated) && isSyntax(file, mutated)) found.set(mutated, mutant)
    }
  return [...found.values()].sort((a, b) => a.start - b.start || a.end - b.end)
}

/** So many of them, the same for the same seed, in their order. */
export function sampleMutants(mutants, size, seed) {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let value = Math.imul(state ^ (state >>> 15), state | 1)
    value ^= value + Math.imul(value ^ (value >>> 7), value | 61)
    return (value ^ (value >>> 14)) >>> 0
  }
  const drawn = new Set(
    mutants
      .map((mutant) => [next(), mutant])
      .sort(([a], [b]) => a - b)
      .slice(0, size)
      .map(([, one]) => one),
  )
  return mutants.filter((mutant) => drawn.has(mutant))
}

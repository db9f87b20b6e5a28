import type { Block } from '@voisol/contract/prose'
import { Lexer, type Token, Tokenizer } from 'marked'
import {
  createHeadingIds,
  decodeEntities,
  type ProseContext,
  toBlocks,
  toInlines,
  toMarkedTokens,
  toPlainInlines,
  toSafeHref,
} from './prose-blocks.ts'

export const MAX_PROSE_LENGTH = 200_000
const MAX_FAULTS = 50

export type ParsedProse = {
  blocks: Block[]
  /** What was not understood or not allowed, in French, for the editor. */
  faults: string[]
  /** The level of each heading, in order. */
  levels: number[]
}

function readPiece(lexer: ProseLexer, piece: ProsePiece): ParsedPiece {
  if (piece.kind === 'literal') return piece
  if (piece.kind === 'markdown') return { kind: 'tokens', tokens: lexer.blocks(piece.text) }
  const { pieces, ...rest } = piece
  const parts = pieces.map((inner) => readPiece(lexer, inner))
  return { ...rest, title: lexer.inlines(piece.argument), parts }
}

/** Whether the text itself has a `#` heading; titles of steps do not count. */
const hasFirstLevel = (parts: ParsedPiece[]): boolean =>
  parts.some((part) => {
    if (part.kind === 'typed') return part.name !== 'steps' && hasFirstLevel(part.parts)
    return part.kind === 'tokens' && part.tokens.some((token: Token) => token.type === 'heading' && token.depth === 1)
  })

const normalizeMarkdown = (markdown: string) =>
  markdown
    .slice(0, MAX_PROSE_LENGTH)
    .toWellFormed()
    .replace(/\r\n?/g, '\n')
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out
    .replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, '')

/** Parses the Markdown of an editor. Nothing is refused: what is not understood is shown as text and reported. */
export function parseProseWithFaults(markdown: string): ParsedProse {
  const faults = new Set<string>()
  const fault = (text: string) => void (faults.size < MAX_FAULTS && faults.add(text))
  if (markdown.length > MAX_PROSE_LENGTH)
    fault('Le texte est trop long\u00a0: seuls ses 200 000 premiers caractères sont montrés.')
  const lexer = createLexer()
  const parts = splitTypedBlocks(normalizeMarkdown(markdown), fault).map((piece) => readPiece(lexer, piece))
  lexer.finish()
  const reading: ProseContext = { fault, idOf: createHeadingIds(), shift: hasFirstLevel(parts) ? 1 : 0, levels: [] }
  const blocks = toProseBlocks(parts, reading)
  return { blocks, faults: [...faults], levels: reading.levels }
}

export const parseProseBlocks = (markdown: string): Block[] => parseProseWithFaults(markdown).blocks

/** A piece of the text with its Markdown parsed. */
type ParsedPiece =
  | { kind: 'tokens'; tokens: Token[] }
  | { kind: 'literal'; text: string }
  | {
      kind: 'typed'
      name: TypedBlockName
      title: Token[]
      argument: string
      line: number
      raw: string
      parts: ParsedPiece[]
    }
type TypedPiece = Extract<ParsedPiece, { kind: 'typed' }>

const TONES = { note: 'info', warning: 'warning', example: 'example' } as const
const toLiteralBlock = (text: string): Block => ({ kind: 'paragraph', children: [{ kind: 'text', text: text.trim() }] })
const cleanText = (text: string) => decodeEntities(text.replace(/\*\*/g, '')).trim()

function toFigures({ raw, line }: TypedPiece, { fault }: ProseContext): Block[] {
  const items: { figure: string; unit: string; label: string }[] = []
  const left: Block[] = []
  for (const row of raw.split('\n').filter((text) => text.trim() !== '')) {
    const [figure = '', unit = '', label = '', ...more] = row
      .replace(/^\s*[-*+]\s+/, '')
      .split('|')
      .map(cleanText)
    if (figure && label && !more.length) items.push({ figure, unit, label })
    else {
      left.push(toLiteralBlock(row))
      fault(
        `Bloc «\u00a0:::figures\u00a0» de la ligne ${line}\u00a0: «\u00a0${row.trim()}\u00a0» n’a pas la forme «\u00a0- 2 | km | légende\u00a0».`,
      )
    }
  }
  if (!items.length) fault(`Le bloc «\u00a0:::figures\u00a0» de la ligne ${line} ne contient aucun chiffre.`)
  return [...(items.length ? [{ kind: 'figures' as const, items }] : []), ...left]
}

function toSteps({ parts, line }: TypedPiece, reading: ProseContext): Block[] {
  const before: Block[] = []
  const items: { title: string; blocks: Block[] }[] = []
  const add = (blocks: Block[]) => void (items.at(-1)?.blocks ?? before).push(...blocks)
  for (const part of parts) {
    if (part.kind !== 'tokens') {
      add(toProseBlocks([part], reading))
      continue
    }
    for (const token of toMarkedTokens(part.tokens)) {
      if (token.type === 'heading')
        items.push({ title: toPlainInlines(toInlines(token.tokens, reading.fault)), blocks: [] })
      else add(toBlocks([token], reading))
    }
  }
  if (!items.length || before.length)
    reading.fault(
      `Bloc «\u00a0:::steps\u00a0» de la ligne ${line}\u00a0: chaque étape commence par une ligne «\u00a0### Titre\u00a0».`,
    )
  return [...before, ...(items.length ? [{ kind: 'steps' as const, items }] : [])]
}

function toCall({ argument, raw, line, parts }: TypedPiece, reading: ProseContext): Block[] {
  const [address = '', ...words] = argument.split('|').map((part) => part.trim())
  const [title = '', ...rest] = raw.split('\n').map(cleanText).filter(Boolean)
  const href = toSafeHref(address)
  const label = cleanText(words.join('|'))
  if (href && label && title)
    return [{ kind: 'call', title: title.replace(/^#+\s*/, ''), text: rest.join(' '), label, href }]
  reading.fault(
    `Bloc «\u00a0:::call\u00a0» de la ligne ${line}\u00a0: la forme attendue est «\u00a0:::call /contact | Texte du bouton\u00a0», puis un titre.`,
  )
  return [toLiteralBlock(`:::call ${argument}`), ...toProseBlocks(parts, reading), toLiteralBlock(':::')]
}

function toTypedBlock(part: TypedPiece, reading: ProseContext): Block[] {
  switch (part.name) {
    case 'figures':
      return toFigures(part, reading)
    case 'steps':
      return toSteps(part, reading)
    case 'call':
      return toCall(part, reading)
    default: {
      const title = toPlainInlines(toInlines(part.title, reading.fault)).trim()
      return [{ kind: 'note', tone: TONES[part.name], title, blocks: toProseBlocks(part.parts, reading) }]
    }
  }
}

const toProseBlocks = (parts: ParsedPiece[], reading: ProseContext): Block[] =>
  parts.flatMap((part) => {
    if (part.kind === 'tokens') return toBlocks(part.tokens, reading)
    return part.kind === 'literal' ? [toLiteralBlock(part.text)] : toTypedBlock(part, reading)
  })

const TYPED_BLOCKS = ['note', 'warning', 'example', 'figures', 'steps', 'call'] as const
type TypedBlockName = (typeof TYPED_BLOCKS)[number]
/** A part of Markdown, a line shown as typed, or a typed block with its content. */
type ProsePiece =
  | { kind: 'markdown'; text: string }
  | { kind: 'literal'; text: string }
  | { kind: 'typed'; name: TypedBlockName; argument: string; line: number; raw: string; pieces: ProsePiece[] }

type OpenBlock = {
  name: string
  argument: string
  line: number
  opening: string
  from: number
  pieces: ProsePiece[]
  held: string[]
}

const OPENING = /^ {0,3}:::[ \t]*([\p{L}][\p{L}\d-]*)(?:[ \t]+(.*))?$/u
const CLOSING = /^ {0,3}:::[ \t]*$/
const FENCE = /^\s*(`{3,}|~{3,})(.*)$/

const isTypedBlockName = (name: string): name is TypedBlockName => TYPED_BLOCKS.some((known) => known === name)

/** Inside a code fence ::: is code. */
function createFence() {
  let open: string | undefined
  return (line: string): boolean => {
    const [, mark = '', rest = ''] = FENCE.exec(line) ?? []
    if (open === undefined) {
      if (mark === '' || (mark.startsWith('`') && rest.includes('`'))) return false
      open = mark
    } else if (mark.startsWith(open) && rest.trim() === '') open = undefined
    return true
  }
}

function flushLines(frame: OpenBlock) {
  if (frame.held.some((line) => line.trim() !== ''))
    frame.pieces.push({ kind: 'markdown', text: frame.held.join('\n') })
  frame.held = []
}

const openBlock = (name: string, argument: string, opening: string, from: number): OpenBlock => ({
  name: name.toLowerCase(),
  argument: argument.trim(),
  opening,
  line: from,
  from,
  pieces: [],
  held: [],
})

function closeBlock(frame: OpenBlock, lines: string[], at: number, fault: (text: string) => void): ProsePiece[] {
  flushLines(frame)
  const { name, argument, line, pieces } = frame
  if (isTypedBlockName(name)) {
    const raw = name === 'figures' || name === 'call' ? lines.slice(frame.from, at).join('\n') : ''
    return [{ kind: 'typed', name, argument, line, raw, pieces }]
  }
  fault(
    `Ligne ${line}\u00a0: le bloc «\u00a0:::${name}\u00a0» n’existe pas. Blocs possibles\u00a0: ${TYPED_BLOCKS.join(', ')}. Il est montré comme du texte.`,
  )
  return [{ kind: 'literal', text: frame.opening }, ...pieces, { kind: 'literal', text: lines[at] ?? '' }]
}

function closeUnfinishedBlock(frame: OpenBlock, fault: (text: string) => void): ProsePiece[] {
  flushLines(frame)
  fault(
    `Le bloc «\u00a0:::${frame.name}\u00a0» ouvert à la ligne ${frame.line} n’est pas fermé par une ligne «\u00a0:::\u00a0».`,
  )
  return [{ kind: 'literal', text: frame.opening }, ...frame.pieces]
}

/** Splits a text at its ::: lines. Malformed blocks are shown as typed and reported as faults. */
function splitTypedBlocks(text: string, fault: (text: string) => void): ProsePiece[] {
  const lines = text.split('\n')
  const inFence = createFence()
  let frame = openBlock('', '', '', 0)
  const outer: OpenBlock[] = []
  const leave = (parent: OpenBlock, pieces: ProsePiece[]) => {
    for (const piece of pieces) parent.pieces.push(piece)
    frame = parent
  }
  for (const [at, line] of lines.entries()) {
    if (inFence(line)) {
      frame.held.push(line)
      continue
    }
    const [, name, argument = ''] = OPENING.exec(line) ?? []
    const isClosing = CLOSING.test(line)
    if (name === undefined && !isClosing) {
      frame.held.push(line)
      continue
    }
    flushLines(frame)
    if (name !== undefined && outer.length < MAX_PROSE_DEPTH) {
      outer.push(frame)
      frame = openBlock(name, argument, line, at + 1)
      continue
    }
    const parent = isClosing ? outer.pop() : undefined
    if (parent) leave(parent, closeBlock(frame, lines, at, fault))
    else {
      frame.pieces.push({ kind: 'literal', text: line })
      const fails = isClosing ? 'ferme un bloc que rien n’a ouvert' : 'ouvre un bloc dans trop d’autres'
      fault(`La ligne ${at + 1} («\u00a0${line.trim()}\u00a0») ${fails}.`)
    }
  }
  for (let parent = outer.pop(); parent; parent = outer.pop()) leave(parent, closeUnfinishedBlock(frame, fault))
  flushLines(frame)
  return frame.pieces
}

const MAX_PROSE_DEPTH = 12

/** Nested elements: beyond the depth limit their marks are plain text, so that no text can exhaust the stack. */
const BLOCKS = ['blockquote', 'list'] as const
const INLINES = ['emStrong', 'del', 'link', 'reflink'] as const
type Nesting = (typeof BLOCKS)[number] | (typeof INLINES)[number]

function createDepthLimitedTokenizer(): Tokenizer {
  const tokenizer = new Tokenizer()
  let depth = 0
  const limit = (name: Nesting) => {
    const original = tokenizer[name] as (...args: unknown[]) => Token | undefined // each is called with its own arguments
    const tokenizeWithinDepth = (...args: unknown[]) => {
      if (depth >= MAX_PROSE_DEPTH) return undefined
      depth++
      try {
        return original.apply(tokenizer, args)
      } finally {
        depth--
      }
    }
    Object.assign(tokenizer, { [name]: tokenizeWithinDepth })
  }
  for (const name of [...BLOCKS, ...INLINES]) limit(name)
  return tokenizer
}

/** One lexer per text: pieces lexed one after the other share the link definitions found so far. */
function createLexer() {
  const lexer = new Lexer({ gfm: true, tokenizer: createDepthLimitedTokenizer() })
  return {
    blocks: (text: string): Token[] => lexer.blockTokens(text, []),
    inlines: (text: string): Token[] => lexer.inlineTokens(text, []),
    /** Completes the tokens returned so far, once all definitions are known. */
    finish() {
      for (const { src, tokens } of lexer.inlineQueue.splice(0)) lexer.inlineTokens(src, tokens)
    },
  }
}
type ProseLexer = ReturnType<typeof createLexer>

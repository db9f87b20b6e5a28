import type { Block } from '@voisol/contract/prose'
import type { Token } from 'marked'
import type { ProseContext } from './blocks.ts'
import { createHeadingIds } from './heading-ids.ts'
import { createLexer, type ProseLexer } from './lexer.ts'
import { type ProsePiece, splitTypedBlocks } from './split.ts'
import { type ParsedPiece, toProseBlocks } from './typed.ts'

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

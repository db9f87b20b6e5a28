import { MAX_PROSE_DEPTH } from './lexer.ts'

export const TYPED_BLOCKS = ['note', 'warning', 'example', 'figures', 'steps', 'call'] as const
export type TypedBlockName = (typeof TYPED_BLOCKS)[number]
/** A part of Markdown, a line shown as typed, or a typed block with its content. */
export type ProsePiece =
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
export function splitTypedBlocks(text: string, fault: (text: string) => void): ProsePiece[] {
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

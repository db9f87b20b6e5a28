import { MAX_DEPTH } from './lexer.ts'

export const TYPED = ['note', 'warning', 'example', 'figures', 'steps', 'call'] as const
export type Typed = (typeof TYPED)[number]
/** A stretch of Markdown, a line shown as it was typed, or a typed block with what it holds. */
export type Piece =
  | { kind: 'markdown'; text: string }
  | { kind: 'literal'; text: string }
  | { kind: 'typed'; name: Typed; argument: string; line: number; raw: string; pieces: Piece[] }

type Frame = {
  name: string
  argument: string
  line: number
  opening: string
  from: number
  pieces: Piece[]
  held: string[]
}

const OPENING = /^ {0,3}:::[ \t]*([\p{L}][\p{L}\d-]*)(?:[ \t]+(.*))?$/u
const CLOSING = /^ {0,3}:::[ \t]*$/
const FENCE = /^\s*(`{3,}|~{3,})(.*)$/

const isTyped = (name: string): name is Typed => TYPED.some((known) => known === name)

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

function flush(frame: Frame) {
  if (frame.held.some((line) => line.trim() !== ''))
    frame.pieces.push({ kind: 'markdown', text: frame.held.join('\n') })
  frame.held = []
}

const frameAt = (name: string, argument: string, opening: string, from: number): Frame => ({
  name: name.toLowerCase(),
  argument: argument.trim(),
  opening,
  line: from,
  from,
  pieces: [],
  held: [],
})

function closed(frame: Frame, lines: string[], at: number, fault: (text: string) => void): Piece[] {
  flush(frame)
  const { name, argument, line, pieces } = frame
  if (isTyped(name)) {
    const raw = name === 'figures' || name === 'call' ? lines.slice(frame.from, at).join('\n') : ''
    return [{ kind: 'typed', name, argument, line, raw, pieces }]
  }
  fault(
    `Ligne ${line}\u00a0: le bloc «\u00a0:::${name}\u00a0» n’existe pas. Blocs possibles\u00a0: ${TYPED.join(', ')}. Il est montré comme du texte.`,
  )
  return [{ kind: 'literal', text: frame.opening }, ...pieces, { kind: 'literal', text: lines[at] ?? '' }]
}

function unclosed(frame: Frame, fault: (text: string) => void): Piece[] {
  flush(frame)
  fault(
    `Le bloc «\u00a0:::${frame.name}\u00a0» ouvert à la ligne ${frame.line} n’est pas fermé par une ligne «\u00a0:::\u00a0».`,
  )
  return [{ kind: 'literal', text: frame.opening }, ...frame.pieces]
}

/** Cuts a text at its ::: lines. What is not well formed is shown as it was typed and told as a fault. */
export function splitTyped(text: string, fault: (text: string) => void): Piece[] {
  const lines = text.split('\n')
  const inFence = createFence()
  let frame = frameAt('', '', '', 0)
  const outer: Frame[] = []
  const leave = (parent: Frame, pieces: Piece[]) => {
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
    flush(frame)
    if (name !== undefined && outer.length < MAX_DEPTH) {
      outer.push(frame)
      frame = frameAt(name, argument, line, at + 1)
      continue
    }
    const parent = isClosing ? outer.pop() : undefined
    if (parent) leave(parent, closed(frame, lines, at, fault))
    else {
      frame.pieces.push({ kind: 'literal', text: line })
      const fails = isClosing ? 'ferme un bloc que rien n’a ouvert' : 'ouvre un bloc dans trop d’autres'
      fault(`La ligne ${at + 1} («\u00a0${line.trim()}\u00a0») ${fails}.`)
    }
  }
  for (let parent = outer.pop(); parent; parent = outer.pop()) leave(parent, unclosed(frame, fault))
  flush(frame)
  return frame.pieces
}

import { fieldError } from './http/errors.ts'

/** Control characters, and those that turn the direction of what follows. */
const INVISIBLE = /[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu

/** What was typed into a field of one line, as one line. */
export const toSingleLine = (text: string) => text.replace(/\s+/g, ' ').replace(INVISIBLE, '').trim()

/** The same, where something readable must be left of it. */
export function requireSingleLine(path: string, text: string): string {
  const line = toSingleLine(text)
  if (!/[\p{L}\p{N}]/u.test(line)) throw fieldError(path, 'Ce champ est obligatoire.')
  return line
}

/** Text of several lines, without what cannot be seen. */
export const normalizePlainText = (text: string) =>
  text
    .replace(/\r\n?/g, '\n')
    .split('\n')
    .map((line) => line.replaceAll('\t', ' ').replace(INVISIBLE, ''))
    .join('\n')
    .trim()

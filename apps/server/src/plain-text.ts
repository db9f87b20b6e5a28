import { fieldError } from './http/errors.ts'

/** Control characters, and those that change the writing direction. */
const INVISIBLE = /[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu

/** Input of a single-line field, as one line. */
export const toSingleLine = (text: string) => text.replace(/\s+/g, ' ').replace(INVISIBLE, '').trim()

/** The same, where something readable must remain. */
export function requireSingleLine(path: string, text: string): string {
  const line = toSingleLine(text)
  if (!/[\p{L}\p{N}]/u.test(line)) throw fieldError(path, 'Ce champ est obligatoire.')
  return line
}

/** Text of several lines, without invisible characters. */
export const normalizePlainText = (text: string) =>
  text
    .replace(/\r\n?/g, '\n')
    .split('\n')
    .map((line) => line.replaceAll('\t', ' ').replace(INVISIBLE, ''))
    .join('\n')
    .trim()

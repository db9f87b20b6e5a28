import { AppError } from './errors.ts'

/** No text of ours holds the null character, and PostgreSQL does not take it. */
export const findNullCharacterError = (text: string, mark: '%00' | '\\u0000') =>
  text.includes(mark) ? new AppError('invalid', { message: 'Le caractère nul n’est pas permis.' }) : null

import { AppError } from './errors.ts'

/** The null character is refused everywhere, since PostgreSQL cannot store it. */
export const findNullCharacterError = (text: string, mark: '%00' | '\\u0000') =>
  text.includes(mark) ? new AppError('invalid', { message: 'Le caractère nul n’est pas permis.' }) : null

import { ApiError } from './call.ts'
import { explainError } from './explain.ts'

/** What the server says of a field counts before its general sentence: it names the rule. */
export const getErrorReason = (error: unknown) =>
  (error instanceof ApiError ? error.problem?.issues?.map(({ message }) => message).join(' ') : '') ||
  explainError(error)

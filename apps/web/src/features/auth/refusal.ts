import type { FieldPath, FieldValues, UseFormReturn } from 'react-hook-form'
import { ApiError } from '../../lib/call.ts'
import { explainError } from '../../lib/explain.ts'
import { SignInError } from '../../lib/sign-in-answer.ts'

const getIssues = (error: unknown) =>
  error instanceof SignInError ? error.issues : error instanceof ApiError ? (error.problem?.issues ?? []) : []

export const getProblemCode = (error: unknown) =>
  error instanceof SignInError || error instanceof ApiError ? error.code : 'unknown'

/** What the account may prove itself with, when the server asks for more than the password. */
export const getAcceptedFactors = (error: unknown) => getIssues(error).map(({ path }) => path)

/** Puts a refusal on its fields, and on the form as a whole when it names none or when its text is a specified one. */
export function showFormErrors<V extends FieldValues, C, O>(
  form: Pick<UseFormReturn<V, C, O>, 'setError'>,
  error: unknown,
) {
  const issues = getIssues(error)
  for (const [index, { path, message }] of issues.entries())
    form.setError(path as FieldPath<V>, { message }, { shouldFocus: index === 0 }) // a field of the same schema
  if (!issues.length) form.setError('root', { message: explainError(error) })
  else if (error instanceof SignInError && error.detail !== error.message)
    form.setError('root', { message: error.message })
}

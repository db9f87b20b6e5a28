import type { FieldPath, FieldValues, UseFormReturn } from 'react-hook-form'
import { ApiError } from '../../lib/call.ts'
import { explain } from '../../lib/explain.ts'
import { SignInError } from '../../lib/sign-in-answer.ts'

const issuesOf = (error: unknown) =>
  error instanceof SignInError ? error.issues : error instanceof ApiError ? (error.problem?.issues ?? []) : []

export const codeOf = (error: unknown) =>
  error instanceof SignInError || error instanceof ApiError ? error.code : 'unknown'

/** What the account may prove itself with, when the server asks for more than the password. */
export const factorsOf = (error: unknown) => issuesOf(error).map(({ path }) => path)

/** Puts a refusal on its fields, and on the form as a whole when it names none or when its text is a specified one. */
export function showRefusal<V extends FieldValues, C, O>(
  form: Pick<UseFormReturn<V, C, O>, 'setError'>,
  error: unknown,
) {
  const issues = issuesOf(error)
  for (const [index, { path, message }] of issues.entries())
    form.setError(path as FieldPath<V>, { message }, { shouldFocus: index === 0 }) // a field of the same schema
  if (!issues.length) form.setError('root', { message: explain(error) })
  else if (error instanceof SignInError && error.detail !== error.message)
    form.setError('root', { message: error.message })
}

import { type DefaultValues, type FieldValues, type Path, type Resolver, useForm } from 'react-hook-form'
import type { z } from 'zod'
import { ApiError } from './call.ts'
import { DAY_ERROR } from './day-input.ts'
import { explainError } from './error-text.ts'

type Schema = z.ZodType<FieldValues, FieldValues>

/** A form shows days as people write them: the contract's own example is that of the API. */
const getIssueMessage = (issue: z.core.$ZodIssue) =>
  issue.code === 'invalid_format' && issue.format === 'date' ? DAY_ERROR : issue.message

const zodResolver =
  <S extends Schema>(schema: S): Resolver<z.input<S>, unknown, z.output<S>> =>
  async (values) => {
    const parsed = await schema.safeParseAsync(values)
    if (parsed.success) return { values: parsed.data, errors: {} }
    const errors: Record<string, { type: string; message: string }> = {}
    for (const issue of parsed.error.issues)
      errors[issue.path.join('.')] ??= { type: issue.code, message: getIssueMessage(issue) }
    return { values: {}, errors: errors as never } // keyed by the same paths as the form
  }

/** A form over a contract schema: same rules as the server, server issues put back on their fields. */
export function useSchemaForm<S extends Schema>(
  schema: S,
  options: { defaults: DefaultValues<z.input<S>>; save: (value: z.output<S>) => Promise<unknown> },
) {
  const form = useForm<z.input<S>, unknown, z.output<S>>({
    resolver: zodResolver(schema),
    defaultValues: options.defaults,
  })
  const showError = (error: unknown) => {
    if (!(error instanceof ApiError)) return form.setError('root', { message: explainError(error) })
    const issues = error.problem?.issues ?? []
    for (const issue of issues) form.setError(issue.path as Path<z.input<S>>, { message: issue.message }) // a field of the same schema
    // A record changed by somebody else concerns the whole form; the fields say what it holds now.
    if (!issues.length || error.code === 'stale') form.setError('root', { message: error.detail })
  }
  /** Sends the same values in another way, with the same checks and the same refusals. */
  const submitWith = (save: (value: z.output<S>) => Promise<unknown>) =>
    form.handleSubmit((value) => save(value).then(() => undefined, showError))
  return { ...form, submit: submitWith(options.save), submitWith }
}
